"""All tasks, in the order in which they are listed."""

from __future__ import annotations

from dataclasses import replace

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

GOALS = (
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
"""What people want, in their words: how it is done is for the agent to find."""
TOLD = tuple(replace(task, name=f"{task.name}-told", request=task.told) for task in GOALS if task.told)
"""The same with the way to it."""
TASKS = (*GOALS, *TOLD)
