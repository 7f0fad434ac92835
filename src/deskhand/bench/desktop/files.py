"""Tasks in the file manager."""

from __future__ import annotations

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.task import Task, differs, first, on

REPORT, NOTES = "The figures of the year.\n", "Ask Ben.\n"


_LISTED = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="thunar" version="1.0"><property name="last-view" type="string" value="ThunarDetailsView"/></channel>
"""


async def _listed(home: Home) -> None:
    """Open the folder as a list; as icons, which is usual, its files can be seen but no accessibility tells of them."""
    home.configure("xfce4/xfconf/xfce-perchannel-xml/thunar.xml", _LISTED)
    await _documents(home)


async def _documents(home: Home) -> None:
    home.write("Documents/report.txt", REPORT)
    home.write("Documents/notes.txt", NOTES)
    home.write("Documents/old.log", "nothing to see\n")
    home.write("Documents/Archive/2019.txt", "long ago\n")
    await home.open("thunar", home.path / "Documents")


NAMES = ["Archive", "notes.txt", "old.log", "report.txt"]


def _renamed(home: Home) -> str:
    return first(
        differs(home.names("Documents"), ["Archive", "notes.txt", "old.log", "report-2026.txt"], "the folder"),
        differs(home.text("Documents/report-2026.txt"), REPORT, "the report"),
    )


def _folder_is_there(home: Home) -> str:
    return first(
        differs(home.names("Documents"), sorted([*NAMES, "Invoices"]), "the folder"),
        differs(home.names("Documents/Invoices"), [], "the new folder"),
    )


def _deleted(home: Home) -> str:
    return differs(home.names("Documents"), ["Archive", "notes.txt", "report.txt"], "the folder")


def _moved(home: Home) -> str:
    return first(
        differs(home.names("Documents"), ["Archive", "notes.txt", "old.log"], "the folder"),
        differs(home.text("Documents/Archive/report.txt"), REPORT, "the report"),
    )


def _copied(home: Home) -> str:
    return first(
        differs(home.names("Documents"), NAMES, "the folder"),
        differs(home.text("Downloads/notes.txt"), NOTES, "the copy"),
    )


TASKS = (
    Task(
        "files-rename",
        "Rename report.txt to report-2026.txt.",
        ("thunar",),
        _listed,
        _renamed,
        (
            on(
                "thunar",
                'click(element="report.txt")',
                'press("f2")',
                'hotkey("ctrl", "a")',
                'write(message="report-2026.txt")',
                'press("enter")',
            ),
        ),
        told="Click report.txt, press F2, press Ctrl+A, type report-2026.txt and press Enter.",
    ),
    Task(
        "files-new-folder",
        "Make a new folder called Invoices in Documents.",
        ("thunar",),
        _listed,
        _folder_is_there,
        (
            on(
                "thunar",
                'hotkey("ctrl", "shift", "n")',
                'hotkey("ctrl", "a")',
                'write(message="Invoices")',
                'press("enter")',
            ),
        ),
        told="Choose File > Create Folder, type Invoices as the name and click Create.",
    ),
    Task(
        "files-delete",
        "Delete the file old.log for good.",
        ("thunar",),
        _documents,
        _deleted,
        (
            on(
                "thunar",
                'write(message="old.log")',
                'press("escape")',
                'hotkey("shift", "delete")',
                'click(element="Delete")',
            ),
        ),
        told="Click old.log, press Shift+Delete and click Delete.",
    ),
    Task(
        "files-move",
        "Move report.txt into the Archive folder.",
        ("thunar",),
        _listed,
        _moved,
        (
            on(
                "thunar",
                'click(element="report.txt")',
                'hotkey("ctrl", "x")',
                'doubleClick(element="Archive")',
                'hotkey("ctrl", "v")',
            ),
        ),
        told="Drag report.txt onto the Archive folder.",
    ),
    Task(
        "files-copy",
        "Copy notes.txt to my Downloads folder.",
        ("thunar",),
        _listed,
        _copied,
        (
            on(
                "thunar",
                'click(element="notes.txt")',
                'hotkey("ctrl", "c")',
                'hotkey("ctrl", "l")',
                'hotkey("ctrl", "a")',
                'write(message="~/Downloads")',
                'press("enter")',
                'hotkey("ctrl", "v")',
            ),
        ),
        told="Click notes.txt, press Ctrl+C, press Ctrl+L, type {home}/Downloads, press Enter and then Ctrl+V.",
    ),
)
