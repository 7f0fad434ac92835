"""The applications that tasks are about: how each is known, and which package brings it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Program(NamedTuple):
    entry: str
    """The name of its desktop file, without the ending."""
    package: str
    file: str
    """What its package brings."""


PROGRAMS = {
    "mousepad": Program("org.xfce.mousepad", "mousepad", "/usr/bin/mousepad"),
    "galculator": Program("galculator", "galculator", "/usr/bin/galculator"),
    "thunar": Program("thunar", "thunar", "/usr/bin/thunar"),
    "writer": Program(
        "libreoffice-writer", "libreoffice-writer libreoffice-gtk3", "/usr/lib/libreoffice/program/swriter"
    ),
    "calc": Program("libreoffice-calc", "libreoffice-calc libreoffice-gtk3", "/usr/lib/libreoffice/program/scalc"),
    "impress": Program(
        "libreoffice-impress", "libreoffice-impress libreoffice-gtk3", "/usr/lib/libreoffice/program/simpress"
    ),
    "chromium": Program("chromium", "chromium", "/usr/bin/chromium"),
    "ristretto": Program("org.xfce.ristretto", "ristretto", "/usr/bin/ristretto"),
    "gimp": Program("gimp", "gimp", "/usr/bin/gimp"),
    "terminal": Program("xfce4-terminal", "xfce4-terminal", "/usr/bin/xfce4-terminal"),
}
DEFAULTS = {
    "text/plain": "mousepad",
    "inode/directory": "thunar",
    "text/html": "chromium",
    "x-scheme-handler/http": "chromium",
    "image/png": "ristretto",
    "image/jpeg": "ristretto",
}
"""What a person who uses these has set: which one opens what."""


def missing(names: tuple[str, ...]) -> str:
    """Say which programs are not there and how they are installed; "" when all are."""
    absent = [PROGRAMS[name].package for name in names if not Path(PROGRAMS[name].file).exists()]
    return f"not installed: apt-get install {' '.join(absent)}" if absent else ""
