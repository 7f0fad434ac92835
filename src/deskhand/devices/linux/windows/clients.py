"""Whose a window is: what the X server knows, weighed against what the window says of itself."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping

import xcffib.res

from deskhand.devices.linux.processes import names_within, running
from deskhand.devices.linux.x11.asking import answer, value
from deskhand.devices.linux.x11.display import Display

_REMEMBERED = 1000


def owners(display: Display, windows: Mapping[int, int]) -> dict[int, int]:
    """Give the processes that have made windows, of which each says a number itself, 0 if it does not.

    0 is given for those that come from another computer. What a window says is how its process calls itself: in a
    sandbox, or on another computer, that is somebody else here.

    Raises:
        xcffib.ConnectionException: the X server is gone.
    """
    known = {each: display.processes.get((each, said), 0) for each, said in windows.items()}
    alive = {pid for pid in {*known.values()} if pid and running(pid)}
    new = {each: said for each, said in windows.items() if known[each] not in alive}
    if not new:
        return known
    connected = _connected(display, new)
    found = {each: _owner(display, each, connected.get(each, 0), said) for each, said in new.items()}
    if len(display.processes) > _REMEMBERED:
        display.processes.clear()
    display.processes.update(((each, said), found[each]) for each, said in new.items())
    return known | found


def _owner(display: Display, window: int, connected: int, said: int) -> int:
    """Weigh who has opened the connection against what the window says."""
    if not said or said == connected or (connected and said in names_within(connected)):
        return connected
    # Who has connected may be a tunnel, or a program that has handed its connection on to a child.
    return said if _is_here(display, window) and running(said) else 0


def _is_here(display: Display, window: int) -> bool:
    machine = value(display, window, display.atom("WM_CLIENT_MACHINE")).decode("latin-1").strip("\0").casefold()
    here = socket.gethostname().casefold()
    return machine in ("", "localhost", here, here.partition(".")[0])


def _connected(display: Display, windows: Iterable[int]) -> dict[int, int]:
    """Give the processes whose connections have made windows, without those that come over a network."""
    resources = display.extension("X-Resource", xcffib.res.key)
    if resources is None:
        return {}
    mask = xcffib.res.ClientIdMask.LocalClientPID
    version = resources.QueryVersion(1, 2)
    asked = {
        # xcffib has no annotations.
        window: resources.QueryClientIds(1, [xcffib.res.ClientIdSpec.synthetic(window, mask)])  # type: ignore[no-untyped-call]
        for window in windows
    }
    answer(version)
    answers = {window: answer(cookie) for window, cookie in asked.items()}
    return {
        window: int(value)
        for window, each in answers.items()
        if each is not None
        for told in each.ids
        for value in told.value
    }
