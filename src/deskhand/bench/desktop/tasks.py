"""All tasks, in the order in which they are listed."""

from __future__ import annotations

from deskhand.bench.desktop import (
    calc,
    calculator,
    chromium,
    editor,
    files,
    impress,
    pictures,
    terminal,
    together,
    writer,
)

TASKS = (
    *editor.TASKS,
    *calculator.TASKS,
    *files.TASKS,
    *terminal.TASKS,
    *writer.TASKS,
    *calc.TASKS,
    *impress.TASKS,
    *chromium.TASKS,
    *pictures.TASKS,
    *together.TASKS,
)
