"""Tasks in the terminal."""

from __future__ import annotations

import tarfile
from configparser import ConfigParser

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.task import Task, differs, on

NUMBERS = "".join(f"line {number}\n" for number in range(1, 38))


async def _terminal(home: Home) -> None:
    home.write("numbers.txt", NUMBERS)
    home.write("backup.sh", "#!/bin/sh\ntar czf backup.tar.gz Documents\n").chmod(0o644)
    home.write("Documents/notes.txt", "Ask Ben.\n")
    await home.open("terminal")


def _packed(home: Home) -> str:
    with tarfile.open(home.path / "documents.tar.gz") as archive:
        return differs(sorted(each.name for each in archive if each.isfile()), ["Documents/notes.txt"], "the archive")


def _preference(home: Home, key: str) -> str:
    kept = ConfigParser(strict=False)
    kept.optionxform = str  # type: ignore[assignment, method-assign]  # keys keep their case
    kept.read(home.config / "xfce4/terminal/terminalrc", "utf-8")
    return kept.get("Configuration", key, fallback="")


TASKS = (
    Task(
        "terminal-count",
        "Count the lines of numbers.txt in the terminal and put only the number into count.txt.",
        ("terminal",),
        _terminal,
        lambda home: differs(home.text("count.txt").split(), ["37"], "the file"),
        (on("xfce4-terminal", r'write(message="wc -l < numbers.txt > count.txt\n")'),),
        told='Type "wc -l < numbers.txt > count.txt" in the terminal and press Enter.',
    ),
    Task(
        "terminal-executable",
        "Use the terminal to make backup.sh executable.",
        ("terminal",),
        _terminal,
        lambda home: differs((home.path / "backup.sh").stat().st_mode & 0o111 > 0, True, "whether it can be executed"),
        (on("xfce4-terminal", r'write(message="chmod +x backup.sh\n")'),),
        told='Run "chmod +x backup.sh" in the terminal.',
    ),
    Task(
        "terminal-archive",
        "Pack my Documents folder into documents.tar.gz with tar in the terminal.",
        ("terminal",),
        _terminal,
        _packed,
        (on("xfce4-terminal", r'write(message="tar czf documents.tar.gz Documents\n")'),),
        told='Type the command "tar czf documents.tar.gz Documents" into the terminal and press Enter.',
    ),
    Task(
        "terminal-run-command",
        'Type "sort -r numbers.txt > sorted.txt" in the terminal and press Enter.',
        ("terminal",),
        _terminal,
        lambda home: differs(home.lines("sorted.txt"), sorted(NUMBERS.splitlines(), reverse=True), "the file"),
        (on("xfce4-terminal", r'write(message="sort -r numbers.txt > sorted.txt\n")'),),
    ),
    Task(
        "terminal-unlimited-scrollback",
        "Make the terminal keep unlimited scrollback.",
        ("terminal",),
        _terminal,
        lambda home: differs(_preference(home, "ScrollingUnlimited"), "TRUE", "ScrollingUnlimited"),
        (
            on(
                "xfce4-terminal",
                'click(element="Edit")',
                'click(element="Preferences")',
                'set_value(element="Unlimited scrollback", value="on")',
                'click(element="Close")',
            ),
        ),
        writes_late=True,
        told='Open Edit > Preferences, tick "Unlimited scrollback" and click Close.',
    ),
)
