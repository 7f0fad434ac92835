"""Applications on desktops of their own, whose windows are read as `observe` reads them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import anyio

from benchmarks.peers import need
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.reader import GETTING_READY, Accessibility, Reading
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.seeing.effort import Effort
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display

APPS = Path(__file__).parent / "apps"
PATIENCE = 60.0
_IDLE, _LITTLE = 0.8, 0.15
"""Seconds for which a program works less than this part of one processor, once it has shown all."""


class Program(NamedTuple):
    """An application to read."""

    title: str
    """Part of its window's title."""
    landmark: str
    """The name of an element that is there when all is."""
    command: Callable[[Path], list[str]]
    """What to start; files go into a folder."""
    packages: tuple[str, ...] = ()
    """Lines of peers.txt."""


def _editor(folder: Path) -> list[str]:
    note = folder / "note.txt"
    note.write_text("".join(f"Line {number} of a note\n" for number in range(40)))
    return ["gedit", str(note)]


def _page(rows: int) -> Callable[[Path], list[str]]:
    """Make a page of six accessibles a row, and some two hundred around them."""
    row = (
        "<div><label>Label {0} <input type=checkbox></label> <button>Button {0}</button> <a href='#{0}'>Link {0}</a>"
        " <input aria-label='Field {0}' value='{0}'></div>"
    )

    def command(folder: Path) -> list[str]:
        page = folder / "page.html"
        body = "\n".join(row.format(number) for number in range(rows))
        page.write_text(f"<!doctype html><meta charset=utf-8><title>A page</title><h1>Rows</h1>{body}")
        return ["chromium", f"--user-data-dir={folder}/chromium", str(page)]

    return command


def _sheet(folder: Path) -> list[str]:
    file = folder / "sheet.fods"
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    row = "".join(cell.format(f"Cell {number}") for number in range(30))
    names = ("office", "table", "text")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    kind = 'office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'
    rows = f"<table:table-row>{row}</table:table-row>" * 80
    table = f'<table:table table:name="Sheet1">{rows}</table:table>'
    body = f"<office:body><office:spreadsheet>{table}</office:spreadsheet></office:body>"
    file.write_text(f'<?xml version="1.0"?><office:document {spaces} {kind}>{body}</office:document>')
    return ["soffice", "--calc", str(file)]


def _qt(_: Path) -> list[str]:
    return [str(need("PySide6-Essentials")), str(APPS / "widgets_qt.py")]


OFFICE = ("libreoffice-calc", "libreoffice-writer", "libreoffice-gtk3")
CALCULATOR = Program("galculator", "7", lambda _: ["galculator"])
EDITOR = Program("gedit", "Save", _editor, ("gedit",))
WRITER = Program("Writer", "Bold", lambda _: ["soffice", "--writer"], OFFICE)
CALC = Program("Calc", "Bold", _sheet, OFFICE)
PAGE = Program("A page", "Button 3", _page(250), ("chromium",))
LONG_PAGE = Program("A page", "Button 3", _page(1250), ("chromium",))
WIDGETS = Program("Widgets", "Push 0.3", _qt)


@dataclass
class Shown:
    """A desktop with a program on it that can be read wholly."""

    program: Program
    desktop: Desktop
    display: Display
    tree: Accessibility
    window: Window
    siblings: tuple[Window, ...]

    def read(self) -> Reading:
        return self.tree.read(self.window, self.siblings, self.display.box)

    def survey(self) -> Reading:
        return self.tree.survey(self.window, self.siblings, self.display.box)

    def element(self, name: str) -> Element:
        found = [each for each in self.read().elements if each.name == name]
        assert found, f"{self.program.title} shows no {name!r}"
        return found[0]

    def complete(self, reading: Reading) -> None:
        """Make sure that a reading that was measured is one."""
        assert any(each.name == self.program.landmark for each in reading.elements), "the landmark is missing"
        assert "truncated" not in reading.truncated or self.program is CALC, reading.truncated
        assert "answer" not in reading.truncated, reading.truncated


@asynccontextmanager
async def showing(program: Program) -> AsyncIterator[Shown]:
    """Start a program, and wait until its window is there and stays as it is."""
    need(*program.packages)
    with ExitStack() as stack:
        async with virtual_desktop() as desktop:
            command = with_options(program.command(desktop.folder), desktop.environment)
            await desktop.start(command)
            display = Display.open(desktop.display_name)
            stack.callback(display.close)
            found = await until(lambda: _windows(display, program.title), PATIENCE)
            assert found, f"{program.title} shows no window"
            tree = Accessibility(desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
            stack.callback(tree.close)
            tree.most_cells = 0  # no cell is asked for before that is measured
            tree.connect()
            shown = Shown(program, desktop, display, tree, found[0], found[1:])
            await _at_rest(shown)
            yield shown


def _windows(display: Display, title: str) -> tuple[Window, ...]:
    """Give the window called so, and behind it those of the same process."""
    windows = list_windows(display)
    found = next((window for window in windows if title in window.title and window.active), None)
    return (found, *(each for each in windows if each.pid == found.pid and each.id != found.id)) if found else ()


async def _at_rest(shown: Shown) -> None:
    """Wait until the landmark is there, nothing changes any more, and the program does not count as just started."""
    await _idle(shown)
    started = since = time.monotonic()
    before: list[tuple[str, Box]] = []
    while time.monotonic() < max(since + 1, started + GETTING_READY):
        assert time.monotonic() < started + PATIENCE, f"{shown.program.title} does not come to rest"
        found = _windows(shown.display, shown.program.title)
        if found:
            shown.window, shown.siblings = found[0], found[1:]
        now = [(each.name, each.box) for each in shown.read().elements]
        if now != before or all(name != shown.program.landmark for name, _ in now):
            before, since = now, time.monotonic()
        await anyio.sleep(0.1)


async def _idle(shown: Shown) -> None:
    """Wait until the program works little: Chromium tells all of a page only if nobody read it as it was loaded."""
    effort, since = Effort(shown.window.pid), time.monotonic()
    limit = since + PATIENCE
    while time.monotonic() < min(since + _IDLE, limit):
        effort.note()
        await anyio.sleep(_IDLE / 4)
        since = time.monotonic() if effort.is_busy(_LITTLE) else since
