"""Tasks in the text editor."""

from __future__ import annotations

from configparser import ConfigParser

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.task import Task, differs, first, nothing, on, saved_as

DRAFT = "The colour of the door is red.\nThe colour of the gate is green.\nAll of the colour fades.\n"
TODO = "water the plants\npay the rent\nbook the dentist\n"


async def _draft(home: Home) -> None:
    await home.open("mousepad", home.write("Documents/draft.txt", DRAFT))


async def _todo(home: Home) -> None:
    await home.open("mousepad", home.write("Documents/todo.txt", TODO))


async def _empty(home: Home) -> None:
    await home.open("mousepad")


def _preference(home: Home, key: str) -> str:
    """Read a preference of the editor out of the file that its settings are kept in."""
    kept = ConfigParser(strict=False)
    kept.read(home.config / "glib-2.0/settings/keyfile", "utf-8")
    return kept.get("org/xfce/mousepad/preferences/view", key, fallback="")


def _list_is_there(home: Home) -> str:
    return differs(
        [line.lower() for line in home.lines("Documents/shopping.txt")], ["milk", "bread", "eggs"], "the list"
    )


def _copy_is_there(home: Home) -> str:
    return first(
        differs(home.text("Documents/final.txt"), DRAFT, "the copy"),
        differs(home.text("Documents/draft.txt"), DRAFT, "the text that was open"),
    )


TASKS = (
    Task(
        "editor-new-list",
        "Write a shopping list with milk, bread and eggs in the text editor, one below the other, and save it in my "
        "Documents folder as shopping.txt.",
        ("mousepad",),
        nothing,
        _list_is_there,
        (on("org.xfce.mousepad", r'write(message="milk\nbread\neggs\n")', *saved_as("~/Documents/shopping.txt")),),
        told="Open the text editor, type milk, press Enter, type bread, press Enter, type eggs, and save it "
        "as {home}/Documents/shopping.txt.",
    ),
    Task(
        "editor-other-scripts",
        'In a new text file, write "Größe: 10 €, 尺寸: 十" and save it as {home}/size.txt.',
        ("mousepad",),
        _empty,
        lambda home: differs(home.lines("size.txt"), ["Größe: 10 €, 尺寸: 十"], "the file"),
        (on("org.xfce.mousepad", 'write(message="Größe: 10 €, 尺寸: 十")', *saved_as("{home}/size.txt")),),
    ),
    Task(
        "editor-replace-all",
        'Replace "colour" with "shade" everywhere in the open text and save it.',
        ("mousepad",),
        _draft,
        lambda home: differs(home.text("Documents/draft.txt"), DRAFT.replace("colour", "shade"), "the text"),
        (
            on(
                "org.xfce.mousepad",
                'hotkey("ctrl", "r")',
                'write(message="colour", element="Search for:", replace=True)',
                'write(message="shade", element="Replace with:", replace=True)',
                'set_value(element="Replace all in:", value="on")',
                'click(element="Replace All")',
                'click(element="Close")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told='Choose Search > Find and Replace, type "colour" into "Search for" and "shade" into "Replace '
        'with", tick "Replace all in", click Replace All, close the dialog and save the file.',
    ),
    Task(
        "editor-add-line",
        'Add "call Anna back" as the last line of my to-do list and save the file.',
        ("mousepad",),
        _todo,
        lambda home: differs(home.lines("Documents/todo.txt"), [*TODO.splitlines(), "call Anna back"], "the list"),
        (
            on(
                "org.xfce.mousepad",
                'hotkey("ctrl", "end")',
                'write(message="call Anna back")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told='Press Ctrl+End, type "call Anna back" and save the file.',
    ),
    Task(
        "editor-delete-line",
        'Remove the line "pay the rent" from the to-do list that is open, and save.',
        ("mousepad",),
        _todo,
        lambda home: differs(home.lines("Documents/todo.txt"), ["water the plants", "book the dentist"], "the list"),
        (
            on(
                "org.xfce.mousepad",
                'hotkey("ctrl", "home")',
                'press("down")',
                'hotkey("shift", "down")',
                'press("delete")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Press Ctrl+Home, then Down, then Shift+Down, then Delete, and save the file.",
    ),
    Task(
        "editor-upper-case",
        "Turn the whole text into upper case and save it.",
        ("mousepad",),
        _todo,
        lambda home: differs(home.text("Documents/todo.txt"), TODO.upper(), "the text"),
        (
            on(
                "org.xfce.mousepad",
                'hotkey("ctrl", "a")',
                'click(element="Edit")',
                'click(element="Convert")',
                'click(element="To Uppercase")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Press Ctrl+A, choose Edit > Convert > To Uppercase and save the file.",
    ),
    Task(
        "editor-save-copy",
        "Save the open document under the name final.txt in the same folder, and leave the old one as it is.",
        ("mousepad",),
        _draft,
        _copy_is_there,
        (on("org.xfce.mousepad", *saved_as("~/Documents/final.txt", 'hotkey("ctrl", "shift", "s")')),),
        told="Save the document as {home}/Documents/final.txt.",
    ),
    Task(
        "editor-line-numbers",
        "Turn on line numbers in the text editor.",
        ("mousepad",),
        _todo,
        lambda home: differs(_preference(home, "show-line-numbers"), "true", "show-line-numbers"),
        (on("org.xfce.mousepad", 'click(element="View")', 'click(element="Line Numbers")'),),
        told="Tick Line Numbers in the View menu.",
    ),
    Task(
        "editor-tab-width",
        "Set the tab width to 4 in the preferences of Mousepad.",
        ("mousepad",),
        _empty,
        lambda home: differs(_preference(home, "tab-width"), "4", "tab-width"),
        (
            on(
                "org.xfce.mousepad",
                'click(element="Edit")',
                'click(element="Preferences")',
                'click(element="Editor tab")',
                'set_value(element="Tab width:", value="4")',
            ),
        ),
        told="Open Edit > Preferences, go to the Editor tab and set the tab width to 4.",
    ),
)
