"""Fifty actions on controls of GTK, Qt, a page and Writer, and traps: what each is to do, and what would prove it.

`python -m benchmarks.doing gtk qt page writer` carries them out and says what came of each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from deskhand.core.action import Action, Click, OnElement, SelectOption, SetValue

Make = Callable[[OnElement], Action]


class Deed(NamedTuple):
    """One action, and the line of the application's own log, or of its file, that says it was done."""

    role: str
    name: str
    make: Make
    line: str
    via: tuple[str, ...] = ()
    """The menus that are opened first, by their names."""
    trap: bool = False
    """It cannot be done: whoever says it was is wrong."""


def click() -> Make:
    return lambda target: Click(target=target)


def put(value: str) -> Make:
    return lambda target: SetValue(target=target, value=value)


def choose(value: str) -> Make:
    return lambda target: SelectOption(target=target, value=value)


GTK = (
    Deed("button", "Go", click(), "Go=pressed"),
    Deed("button", "Bold", click(), "Bold=True"),
    Deed("checkbox", "Wrap", put("on"), "Wrap=True"),
    Deed("switch", "Sync", put("on"), "Sync=True"),
    Deed("radio", "Card", click(), "pay=Card"),
    Deed("combobox", "Fruit", choose("Cherry"), "Fruit=Cherry"),
    Deed("combobox", "City", choose("Berlin"), "City=Berlin"),
    Deed("spinbutton", "Count", put("42"), "Count=42"),
    Deed("slider", "Level", put("55"), "Level=55"),
    Deed("tablist", "", choose("Details"), "page=Details"),
    Deed("listbox", "Rooms", choose("Room 2"), "room=Room 2"),
    Deed("listbox", "Rooms", choose("Room 35"), "room=Room 35"),
    Deed("table", "Files", choose("Folder 25"), "file=Folder 25"),
    Deed("cell", "Folder 24", put("on"), "expanded Folder 24=True"),
    Deed("menuitemcheckbox", "Ruler", put("on"), "Ruler=True", ("View",)),
    Deed("menuitemradio", "Large", click(), "Large=True", ("View",)),
    Deed("button", "Dead", click(), "Dead=pressed", trap=True),
    Deed("button", "Off", click(), "Off=pressed", trap=True),
    Deed("button", "Restless", click(), "Restless=True", trap=True),
    Deed("menuitem", "Idle", click(), "Idle=chosen", ("Edit",), trap=True),
    Deed("checkbox", "Unwilling", put("on"), "Unwilling=True", trap=True),
    Deed("spinbutton", "Bound", put("55"), "Bound=55", trap=True),
)
QT = (
    Deed("button", "Go", click(), "Go=pressed"),
    Deed("checkbox", "Bold", click(), "Bold=True"),
    Deed("checkbox", "Wrap", put("on"), "Wrap=True"),
    Deed("radio", "Card", click(), "pay=Card"),
    Deed("combobox", "Fruit", choose("Cherry"), "Fruit=Cherry"),
    Deed("combobox", "City", choose("Berlin"), "City=Berlin"),
    Deed("spinbutton", "Count", put("42"), "Count=42"),
    Deed("slider", "Level", put("55"), "Level=55"),
    Deed("tablist", "General", choose("Details"), "page=Details"),
    Deed("list", "Rooms", choose("Room 2"), "room=Room 2"),
    Deed("list", "Rooms", choose("Room 45"), "room=Room 45"),
    Deed("tree", "Files", choose("Folder 4"), "file=Folder 4"),
    Deed("cell", "Folder 2", put("on"), "expanded Folder 2=True"),
    Deed("cell", "B2", click(), "cell=B2"),
    Deed("menuitem", "Ruler", put("on"), "Ruler=True", ("View",)),
    Deed("menuitem", "Refresh", click(), "Refresh=chosen", ("Edit",)),
    Deed("button", "Dead", click(), "Dead=pressed", trap=True),
    Deed("tablist", "Details", choose("Closed"), "page=Closed", trap=True),
    Deed("spinbutton", "Fixed", put("55"), "Fixed=55", trap=True),
    Deed("spinbutton", "Bound", put("55"), "Bound=55", trap=True),
    Deed("list", "Rooms", choose("Room 3"), "room=Room 3", trap=True),
)
PAGE = (
    Deed("button", "Go", click(), "Go=pressed"),
    Deed("checkbox", "Wrap", put("on"), "Wrap=true"),
    Deed("switch", "Sync", put("on"), "Sync=true"),
    Deed("radio", "Card", click(), "pay=Card"),
    Deed("combobox", "Fruit", choose("Cherry"), "Fruit=Cherry"),
    Deed("listbox", "Sizes", choose("L"), "Sizes=L"),
    Deed("listbox", "Sizes", choose("XXL"), "Sizes=L+XXL"),
    Deed("slider", "Level", put("55"), "Level=55"),
    Deed("spinbutton", "Count", put("42"), "Count=42"),
    Deed("tablist", "Pages", choose("Details"), "page=Details"),
    Deed("listbox", "Rooms", choose("Room 25"), "room=Room 25"),
    Deed("treeitem", "Folder", put("on"), "expanded Folder=true"),
    Deed("button", "Moving", click(), "Moving=pressed"),
    Deed("button", "Dead", click(), "Dead=pressed", trap=True),
    Deed("button", "Off", click(), "Off=pressed", trap=True),
    Deed("button", "Hidden", click(), "Hidden=pressed", trap=True),
    Deed("checkbox", "Unwilling", put("on"), "Unwilling=true", trap=True),
    Deed("combobox", "Fruit", choose("Durian"), "Fruit=Durian", trap=True),
    Deed("combobox", "Ring", choose("Twenty"), "Ring=Twenty", trap=True),
    Deed("spinbutton", "Bound", put("55"), "Bound=55", trap=True),
    Deed("slider", "Sliding", put("55"), "Sliding=55", trap=True),
    Deed("spinbutton", "Fixed", put("55"), "Fixed=55", trap=True),
)
WRITER = (
    Deed("group", "Paragraph Style", choose("Text Body"), 'text:style-name="Text_20_body"'),
    Deed("button", "Bold", put("on"), 'fo:font-weight="bold"'),
    Deed("button", "Italic", click(), 'fo:font-style="italic"'),
    Deed("button", "Underline", click(), 'style:text-underline-style="solid"'),
    Deed("button", "Center", put("on"), 'fo:text-align="center"'),
)
"""Their lines are to stand in the document, once that is saved."""
