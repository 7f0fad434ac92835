"""A shell as an observation: its facts and its text as elements, in a picture drawn from them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deskhand.core import shell
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element, Look, Observation, Window
from deskhand.devices.shell.drawing import draw, extent, place

COLUMNS, LINES = 120, 48
"""The extent of the picture, in characters; what is longer is in the elements."""
_FIRST_OF_TERMINAL = 1_000
_FIRST_BEHIND = 100


class Facts(NamedTuple):
    """What there is to be said of a shell."""

    session: str
    folder: str
    command: str
    code: str
    output: str
    behind: Mapping[int, str]
    """The processes that run in the background, and their command lines."""


class Drawn(NamedTuple):
    """A program's screen: which one it is since the beginning, what it was called with, what it shows."""

    number: int
    command: str
    lines: Sequence[str]
    cursor: tuple[int, int]
    size: Size


def look_at(facts: Facts, drawn: Drawn | None) -> Look:
    """Make the look at a shell, and at the program that is used with keys where there is one."""
    lines, elements = _told(facts)
    window = Window(
        id=shell.WINDOW,
        title=f"{facts.folder} - shell",
        app="bash",
        box=Box.at(0, 0, *extent(COLUMNS, LINES)),
        active=drawn is None,
    )
    windows = [window]
    picture = draw(lines, extent(COLUMNS, LINES)) if drawn is None else None
    if drawn is not None:
        size = extent(drawn.size.width, drawn.size.height)
        picture = draw(drawn.lines, size, drawn.cursor)
        title = f"{drawn.command} - terminal"
        program = os.path.basename((drawn.command.split() or [""])[0])  # noqa: PTH119 -- a word, perhaps no path
        windows.insert(0, Window(id=shell.TERMINAL, title=title, app=program, box=Box.at(0, 0, *size), active=True))
        elements += _rows(drawn)
    assert picture is not None
    seen = Observation(screen=picture.image, elements=tuple(elements), windows=tuple(windows), window=windows[0].id)
    return Look(seen, {picture.image.sha256: picture.data})


def _told(facts: Facts) -> tuple[list[str], list[Element]]:
    """Give the lines of the shell's picture, and its elements, each where its lines are."""
    rows = [
        ("label", shell.SESSION_FOLDER, facts.session, f"may work in {facts.session}"),
        ("label", shell.WORKING_FOLDER, facts.folder, f"{facts.folder} $"),
        ("label", shell.LAST_COMMAND, facts.command, f"$ {facts.command}"),
        ("terminal", shell.OUTPUT, facts.output, facts.output),
        ("label", shell.EXIT_CODE, facts.code, f"exit code {facts.code}"),
    ]
    numbered = [(number, *row) for number, row in enumerate(rows, 1) if row[2]]
    numbered += [
        (_FIRST_BEHIND + pid, "listitem", shell.BACKGROUND, f"{pid} {command}", f"{pid} & {command}")
        for pid, command in facts.behind.items()
    ]
    lines: list[str] = []
    elements = []
    for number, role, name, value, text in numbered:
        own = text.expandtabs().split("\n")[: LINES - len(lines)]
        box = place(len(lines), COLUMNS, len(own)) if own else place(LINES - 1, COLUMNS)
        elements.append(Element(id=f"e{number}", role=role, name=name, value=value, box=box, window=shell.WINDOW))
        lines += [line[:COLUMNS] for line in own]
    return lines, elements


def _rows(drawn: Drawn) -> list[Element]:
    """Give the lines of a program's screen that hold something; the one with the cursor is where keys go."""
    first = drawn.number * _FIRST_OF_TERMINAL
    return [
        Element(
            id=f"e{first + number}",
            role="row",
            name=line,
            box=place(number, drawn.size.width),
            states=("focused",) if number == drawn.cursor[1] else (),
            window=shell.TERMINAL,
        )
        for number, line in enumerate(drawn.lines)
        if line or number == drawn.cursor[1]
    ]
