"""What a program is built on, told by the files beside it: Chromium, as browsers and programs on Electron are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_ITS_FILES = ("resources.pak", "resources/app.asar")
_EXECUTED = re.compile(rb"""^[ \t]*exec[ \t]+(?:-a[ \t]+\S+[ \t]+)?["']?(/[^\s"'$]+)""", re.MULTILINE)
"""What a shell script becomes in the end."""
_SCRIPT = 65536


def built_on_chromium(program: str, search_path: str) -> bool:
    """Tell whether Chromium's files lie beside a program, or beside the folder that it is in.

    Links are followed, and so is what a script ends in.
    """
    if not (found := shutil.which(program, path=search_path)):
        return False
    return any(map(_brings_it, (Path(found), *_executed(Path(found)))))


def _brings_it(path: Path) -> bool:
    folder = path.resolve().parent
    return any((place / name).is_file() for place in (folder, folder.parent) for name in _ITS_FILES)


def _executed(script: Path) -> list[Path]:
    """Give the programs that a script hands over to by their full paths."""
    try:
        with script.open("rb") as file:
            text = file.read(_SCRIPT)
    except OSError:
        return []
    return [Path(found.decode("utf-8", "replace")) for found in _EXECUTED.findall(text) if text.startswith(b"#!")]
