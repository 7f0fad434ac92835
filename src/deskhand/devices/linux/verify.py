"""Doing something and seeing what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from deskhand.core.action import ActionResult
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.reach import PATIENCE
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.scene import Scene, called, changes
from deskhand.devices.linux.settle import Changes

T = TypeVar("T")
Reader = Callable[[], Awaitable[Element | None]]

BEGINNING = 0.35
"""Seconds that an effect has to begin. Shorter than the 0.5 after which a pointer at rest brings up a tooltip."""


async def nothing() -> None:
    """Read no element."""
    return


async def scene(rig: Rig, read: Reader = nothing) -> Scene:
    """Look at windows, picture and one element."""
    element = await read()
    return Scene(rig.windows(), rig.grabber.grab(), element)


async def verified(
    rig: Rig, act: Callable[[], Awaitable[object]], window: Window | None, read: Reader = nothing
) -> ActionResult:
    """Do something, wait until the screen rests, and say what has changed.

    `window` is the one that takes the input; `read` reads the element whose change would be evidence.
    """
    before = await scene(rig, read)
    async with Changes(rig.display) as watched:
        await act()
        answers = await rig.keyboard.kept_up(PATIENCE)
        rest = await watched.rest(first=BEGINNING)
    after = await scene(rig, read)
    seen = changes(before, after, pixels_count=not rig.restless)
    rig.restless = not rest.rested
    receiver = receiver_of(window, before.element)
    if answers is False:
        name = window.app or window.title if window else "the application"
        text = f"sent, but {name} does not answer within {PATIENCE:g} s; it may take it later"
        return ActionResult(outcome="unverified", text=f"{text}; {seen}" if seen else text, receiver=receiver)
    if seen:
        return ActionResult(outcome="done", text=seen, receiver=receiver)
    if window and not running(window.pid) and window.pid:
        return ActionResult(outcome="unverified", text=f"{window.app or window.title!r} has ended", receiver=receiver)
    return ActionResult(outcome="unverified", text="sent, but nothing on the screen has changed", receiver=receiver)


async def rested(rig: Rig, act: Callable[[], Awaitable[T]]) -> T:
    """Do something and wait until the screen rests."""
    async with Changes(rig.display) as watched:
        result = await act()
        rig.restless = not (await watched.rest()).rested
    return result


def receiver_of(window: Window | None, element: Element | None) -> str:
    """Say which window and element take input."""
    parts = [repr(window.title) if window else "", called(element) if element else ""]
    return ", ".join(part for part in parts if part)
