"""Lets go of keys and buttons that a process which was killed has left down; run as `releasing.py DISPLAY 3:37 ...`.

Each is the kind of event that releases it, and the key or button.
"""

from __future__ import annotations

import sys
from typing import Any

import xcffib
import xcffib.xproto
import xcffib.xtest


def main(display: str, releases: list[str]) -> None:
    """Release them; a display that is gone holds nothing."""
    try:
        connection: Any = xcffib.connect(display)  # type: ignore[no-untyped-call]  # it has no annotations
        xtest = connection(xcffib.xtest.key)
        for release in releases:
            kind, detail = map(int, release.split(":"))
            xtest.FakeInput(kind, detail, 0, 0, 0, 0, 0)
        connection.core.GetInputFocus().reply()
    except xcffib.ConnectionException:
        return
    connection.disconnect()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
