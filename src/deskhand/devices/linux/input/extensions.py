"""The extensions of the X server that input needs."""

from __future__ import annotations

from typing import Any

import xcffib
import xcffib.xkb
import xcffib.xtest

from deskhand.core.errors import Unsupported
from deskhand.devices.linux.x11.display import Display


def xtest_of(display: Display) -> Any:
    """Give XTEST, which makes events as if from a device.

    Raises:
        Unsupported: the server has none, so nothing can be clicked or typed there.
    """
    return _extension(display, xcffib.xtest.key, "XTEST")


def xkb_of(display: Display) -> Any:
    """Give XKB, switched on for this connection.

    Raises:
        Unsupported: the server has none, so it cannot be known what its keys mean.
    """
    xkb = _extension(display, xcffib.xkb.key, "XKEYBOARD")
    try:
        xkb.UseExtension(1, 0).reply()
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return xkb


def _extension(display: Display, key: Any, name: str) -> Any:
    try:
        # Asked first: a request of an extension that is not there would end the connection.
        present = display.conn.core.QueryExtension(len(name), name).reply().present
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    if not present:
        raise Unsupported(
            f"the X server of {display.name!r} has no {name} extension, which keys and clicks need; "
            "start it without switching that off, or use --device linux:virtual"
        )
    return display.conn(key)
