"""Whose a window is, as the X server knows it: for windows that do not say so themselves, as those of Tk."""

from __future__ import annotations

from collections.abc import Sequence

import xcffib.res

from deskhand.devices.linux.asking import answer
from deskhand.devices.linux.display import Display


def processes_of(display: Display, windows: Sequence[int]) -> dict[int, int]:
    """Give the processes whose connections have made windows, without those that come from elsewhere.

    Raises:
        xcffib.ConnectionException: the X server is gone.
    """
    resources = display.extension("X-Resource", xcffib.res.key)
    if resources is None or not windows:
        return {}
    mask = xcffib.res.ClientIdMask.LocalClientPID
    version = resources.QueryVersion(1, 2)
    asked = [
        # xcffib has no annotations.
        (window, resources.QueryClientIds(1, [xcffib.res.ClientIdSpec.synthetic(window, mask)]))  # type: ignore[no-untyped-call]
        for window in windows
    ]
    answer(version)
    answers = {window: answer(cookie) for window, cookie in asked}
    return {
        window: int(value)
        for window, each in answers.items()
        if each is not None
        for told in each.ids
        for value in told.value
    }
