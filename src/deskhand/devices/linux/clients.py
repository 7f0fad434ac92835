"""Whose a window is, as the X server knows it: for windows that do not say so themselves, as those of Tk."""

from __future__ import annotations

import xcffib
import xcffib.res

from deskhand.devices.linux.display import Display


def process_of(display: Display, window: int) -> int:
    """Give the process whose connection has made a window; 0 when it comes from elsewhere, or nobody knows.

    Raises:
        xcffib.ConnectionException: the X server is gone.
    """
    resources = display.extension("X-Resource", xcffib.res.key)
    if resources is None:
        return 0
    # xcffib has no annotations.
    asked = xcffib.res.ClientIdSpec.synthetic(window, xcffib.res.ClientIdMask.LocalClientPID)  # type: ignore[no-untyped-call]
    try:
        resources.QueryVersion(1, 2).reply()
        answer = resources.QueryClientIds(1, [asked]).reply()
    except xcffib.Error:
        return 0
    return next((int(value) for each in answer.ids for value in each.value), 0)
