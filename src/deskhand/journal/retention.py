"""How many runs are kept: the oldest that have ended go when a new one begins."""

from __future__ import annotations

import fcntl
import re
import shutil
from pathlib import Path

from deskhand.core.errors import JournalError
from deskhand.core.event import SessionEnded
from deskhand.journal.file import EVENTS, last_record

_RUN = re.compile(r"\d{8}-\d{6}-.+")
_GOING = ".removed-"
"""What the name of a folder begins with while it is removed: one that is left in the middle is no run any more."""


def remove_old_runs(runs: Path, keep: int) -> None:
    """Remove the oldest runs in a folder, with their pictures, until `keep` of those that have ended are left.

    Runs that were cut off, which can be resumed, stay; so does what is in use, and what is no run. What cannot be
    removed is left for the next time.
    """
    if not runs.is_dir():
        return
    for left in runs.glob(f"{_GOING}*"):
        shutil.rmtree(left, ignore_errors=True)
    ended = sorted(folder for folder in runs.iterdir() if _RUN.fullmatch(folder.name) and _has_ended(folder))
    for folder in ended[: max(0, len(ended) - keep)]:
        _remove(folder)


def _has_ended(folder: Path) -> bool:
    try:
        last = last_record(folder)
    except JournalError:
        return False
    return last is not None and isinstance(last.event, SessionEnded)


def _remove(folder: Path) -> None:
    try:
        with folder.joinpath(EVENTS).open("rb") as journal:
            fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)  # whoever goes on with it holds it
            going = folder.rename(folder.with_name(_GOING + folder.name))
    except OSError:
        return
    shutil.rmtree(going, ignore_errors=True)
