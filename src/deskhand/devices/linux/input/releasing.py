"""Undoes what a process that was killed has left of its input; run as `releasing.py DISPLAY 3:37 0:204 1:2`.

Each is how it is undone and of what: the kind of event that releases a key or button, or a way of ours.
"""

from __future__ import annotations

import sys
from typing import Any

import xcffib
import xcffib.xkb
import xcffib.xproto
import xcffib.xtest

UNBIND, LOCK_AGAIN = 0, 1
"""Have a key mean nothing again; lock modifiers again, by their mask. The kinds of X's own events begin above."""
_CORE_KEYBOARD = 0x100


def main(display: str, releases: list[str]) -> None:
    """Undo them; a display that is gone holds nothing."""
    try:
        connection: Any = xcffib.connect(display)  # type: ignore[no-untyped-call]  # it has no annotations
        for release in releases:
            _undo(connection, *map(int, release.split(":")))
        connection.core.GetInputFocus().reply()
    except xcffib.ConnectionException:
        return
    connection.disconnect()


def _undo(connection: Any, how: int, detail: int) -> None:
    if how == UNBIND:
        connection.core.ChangeKeyboardMapping(1, detail, 1, [0])
    elif how == LOCK_AGAIN:
        xkb = connection(xcffib.xkb.key)
        xkb.UseExtension(1, 0).reply()
        xkb.LatchLockState(_CORE_KEYBOARD, detail, detail, False, 0, 0, False, 0)
    else:
        connection(xcffib.xtest.key).FakeInput(how, detail, 0, 0, 0, 0, 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
