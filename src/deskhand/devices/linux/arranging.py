"""Windows moved, resized, put away, taken out and made to fill the screen, with what came of it read back."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from deskhand.core.action import ActionResult, ArrangeWindow
from deskhand.core.geometry import Point, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.managing import ask_for_state, ask_to_place, frame_of
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.reach import PATIENCE, find_window
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.verify import rested
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows import window_manager

_STEADY = 0.3
"""Seconds without another change after which a size counts as all that a window lets itself be given."""


async def arrange_window(rig: Rig, action: ArrangeWindow) -> ActionResult:
    """Arrange a window and say what it is like now; `failed` when it is not what was asked for.

    Raises:
        TargetNotFound: it is gone.
    """
    window = find_window(rig.windows(), action.window)
    if action.how in ("minimize", "maximize", "restore") and not window_manager(rig.display):
        text = f"there is no window manager, so {window.title!r} cannot be {_DONE[action.how]}"
        return ActionResult(outcome="failed", text=text + "; move and resize it" * (action.how == "maximize"))
    match action.how:
        case "minimize":
            return await _put(rig, window, action.how, lambda now: now.minimized)
        case "maximize":
            return await _put(rig, window, action.how, lambda now: now.maximized and not now.minimized)
        case "restore":
            # One that filled the screen before it was put away does so again: it takes two steps back.
            wanted = window.maximized and window.minimized
            return await _put(rig, window, action.how, lambda now: not now.minimized and now.maximized == wanted)
        case "move" | "resize":
            return await rested(rig, lambda: _place(rig, window, action.corner, action.size))
        case _:
            assert_never(action.how)


_DONE = {"minimize": "minimized", "maximize": "maximized", "restore": "brought back to its own size"}


async def _put(rig: Rig, window: Window, how: str, holds: Callable[[Window], bool]) -> ActionResult:
    """Ask for a state and wait until it holds."""
    if holds(window):
        return ActionResult(outcome="done", text=f"{window.title!r} is {_DONE[how]} already", value=window.id)
    maximized = how == "maximize" or (window.maximized and (window.minimized or how == "minimize"))

    async def ask() -> bool:
        ask_for_state(rig.display, window, minimized=how == "minimize", maximized=maximized)
        return await until(lambda: (now := rig.window(window.id)) is not None and holds(now), PATIENCE)

    if await rested(rig, ask):
        return ActionResult(outcome="done", text=f"{window.title!r} is {_DONE[how]}", value=window.id)
    return _refused(window, f"{window.title!r} was not {_DONE[how]}: the window manager refuses it")


async def _place(rig: Rig, window: Window, corner: Point | None, size: Size | None) -> ActionResult:
    """Ask for a place and a size, after taking the window out of a state in which it has neither of its own."""
    if window.minimized or window.maximized:
        ask_for_state(rig.display, window, minimized=False, maximized=False)
        await until(lambda: _own_size(rig.window(window.id)), PATIENCE)
    ask_to_place(rig.display, window, corner, size)

    def now() -> Window:
        return rig.window(window.id) or window

    def there() -> bool:
        frame, box = frame_of(rig.display, now()), now().box
        placed = corner is None or corner == (frame.left, frame.top)
        return placed and (size is None or size == (box.width, box.height))

    before = window.box
    while not await until(there, _STEADY) and now().box != before:
        before = now().box
    return _placed(rig, window, now(), exact=there())


def _own_size(window: Window | None) -> bool:
    return window is not None and not window.minimized and not window.maximized


def _placed(rig: Rig, before: Window, now: Window, *, exact: bool) -> ActionResult:
    frame, box = frame_of(rig.display, now), now.box
    text = f"{now.title!r} is at ({frame.left}, {frame.top}) with its frame, {box.width} x {box.height} inside it"
    if exact:
        return ActionResult(outcome="done", text=text, value=now.id)
    if now.box == before.box:
        return _refused(now, f"{text}, as before: it does not let itself be placed so")
    return ActionResult(outcome="failed", text=f"{text}: that is as near as it lets itself be placed", value=now.id)


def _refused(window: Window, text: str) -> ActionResult:
    return ActionResult(outcome="failed", text=text + "; its process is stopped" * stopped(window.pid), value=window.id)
