"""What an observation of a shell is made of: agreed between the device that shows it and all who read it."""

from __future__ import annotations

from typing import NamedTuple

from deskhand.core.observation import Observation

PLATFORM = "shell"
"""The kind of device, and the name of the one application it has."""
WINDOW = "shell"
"""The id of the shell's own window."""
TERMINAL = "terminal"
"""The id of the window of the program that is used with keys, while there is one."""
SESSION_FOLDER = "session folder"
"""The element whose value is the folder that may be worked in."""
WORKING_FOLDER = "working folder"
LAST_COMMAND = "last command"
EXIT_CODE = "exit code"
OUTPUT = "output"
BACKGROUND = "running in the background"


class Folders(NamedTuple):
    """Where a shell is. Both are absolute."""

    session: str
    """The folder that was given to work in."""
    working: str
    """The folder it is in now."""


def folders_of(seen: Observation | None) -> Folders | None:
    """Read off where the shell is; None when what was seen is no shell."""
    if seen is None or not any(window.id == WINDOW for window in seen.windows):
        return None
    session, working = value_of(seen, SESSION_FOLDER), value_of(seen, WORKING_FOLDER)
    return Folders(session, working) if session and working else None


def value_of(seen: Observation, name: str) -> str:
    """Give the value of one of the elements named above; "" when there is none."""
    return next((e.value for e in seen.elements if e.window == WINDOW and e.name == name), "")
