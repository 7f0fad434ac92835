"""What a user's own screen is like, and what of it a session needs: looked at without touching anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import anyio.to_thread

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.accessibility.bus import Failure
from deskhand.devices.linux.desktops.session import display_of, session_bus_of
from deskhand.devices.linux.desktops.virtual import accessibility_bus
from deskhand.devices.linux.spec import parse_linux
from deskhand.devices.linux.windows.listing import list_windows, window_manager
from deskhand.devices.linux.x11.display import Display

_ANSWERS = 5.0
"""Seconds that a bus may take to answer; its programs may have to be started first."""


class Fact(NamedTuple):
    """One thing that was found out."""

    name: str
    found: str
    ok: bool = True
    fix: str = ""
    vital: bool = True
    """Whether nothing much can be done without it."""


async def own_screen(spec: str, environment: Mapping[str, str]) -> list[Fact]:
    """Look at the display that a spec or the environment names, and at what makes it usable."""
    try:
        facts = [*_display_facts(parse_linux(spec).display or display_of(environment))]
    except DeviceError as error:
        return [Fact("own screen", str(error), ok=False, fix="--device linux:virtual, which brings its own screen")]
    return [*facts, await _readable(session_bus_of(environment))]


def _display_facts(name: str) -> Iterator[Fact]:
    display = Display.open(name)
    try:
        width, height = display.size
        shown = len(list_windows(display))
        yield Fact("own screen", f"{name}, {width}x{height}, {display.depth} bits, {shown} windows")
        manager = window_manager(display)
        none = "there is none: windows can be neither minimised nor maximised, and new ones may lie in a corner"
        yield Fact("own window manager", manager or none, ok=bool(manager), fix="openbox &", vital=False)
    finally:
        display.close()


async def _readable(address: str) -> Fact:
    """Tell whether the elements of applications can be read."""
    name, fix = "own accessibility bus", "apt-get install dbus at-spi2-core, then log in anew"
    if not address:
        none = "there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set): no elements can be read"
        return Fact(name, none, ok=False, fix="start the session with: dbus-run-session")
    ask = partial(accessibility_bus, address, _ANSWERS)
    try:
        bus = await anyio.to_thread.run_sync(ask, abandon_on_cancel=True)
    except DeviceError as error:
        return Fact(name, f"{error}: no elements can be read", ok=False, fix=fix)
    if isinstance(bus, Failure):
        return Fact(name, f"{bus.name} at {address}: no elements can be read", ok=False, fix=fix)
    return Fact(name, bus.address)
