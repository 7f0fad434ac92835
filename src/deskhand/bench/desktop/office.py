"""The office suite in a home: as a person has it who has used it before, and its documents."""

from __future__ import annotations

import importlib
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from deskhand.bench.desktop.home import Home
from deskhand.core.foreign import require

PROFILE = "libreoffice/4/user/registrymodifications.xcu"
USED_BEFORE = (
    ("/org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("/org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    # Only what a person chooses is asked for: which form a document keeps is none of it.
    ("/org.openoffice.Office.Common/Save/Document", "WarnAlienFormat", "false"),
    ("/org.openoffice.Setup/Product", "ooSetupLastVersion", "7.4"),
    ("/org.openoffice.Office.Impress/Misc", "StartWithTemplate", "false"),
)
ITEM = '<item oor:path={path}><prop oor:name={name} oor:op="fuse"><value>{value}</value></prop></item>'
FILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}
</oor:items>
"""


async def used_before(home: Home) -> None:
    """Leave the office suite closed, but not new to its user."""
    items = [ITEM.format(path=quoteattr(path), name=quoteattr(name), value=value) for path, name, value in USED_BEFORE]
    home.configure(PROFILE, FILE.format(items="\n".join(items)))


async def open_document(home: Home, program: str, *files: Path) -> None:
    """Open an application of the office suite as one that is not new to its user."""
    await used_before(home)
    await home.open(program, *files)


def documents(package: str) -> Any:
    """Give a package that reads and writes documents without the office suite.

    Raises:
        SettingsError: it is not installed.
    """
    require(package, "bench", "the suite desktop")
    return importlib.import_module(package)


def stored(home: Home, name: str) -> str:
    """Give the path of a document.

    Raises:
        BadZipFile: there is none, or what is there is something else.
    """
    if not zipfile.is_zipfile(home.path / name):
        raise zipfile.BadZipFile(f"{name} is not there, or no document of its kind")
    return str(home.path / name)
