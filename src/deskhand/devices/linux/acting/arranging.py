"""Windows moved, resized, put away, taken out and made to fill the screen, with what came of it read back."""

from __future__ import annotations

from typing import Literal, NamedTuple, assert_never

from deskhand.core.action import ActionResult, ArrangeWindow
from deskhand.core.geometry import Point, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.acting.reach import PATIENCE, find_window
from deskhand.devices.linux.acting.verify import rested
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import window_manager
from deskhand.devices.linux.windows.managing import (
    OBEYED,
    ask_to_place,
    ask_to_put_away,
    ask_to_show,
    came_true,
    frame_of,
    listens,
)

_LARGEST = 2
"""Times the screen, each way: applications paint all of a window, and may hold up the X server over larger ones."""


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
        case "minimize" | "maximize" | "restore":
            return await _put(rig, window, action.how)
        case "move" | "resize":
            return await rested(rig, lambda: _place(rig, window, action.corner, action.size))
        case _:
            assert_never(action.how)


class _State(NamedTuple):
    """How a window is shown."""

    minimized: bool
    maximized: bool
    fullscreen: bool

    @classmethod
    def of(cls, window: Window) -> _State:
        return cls(window.minimized, window.maximized, window.fullscreen)


_Put = Literal["minimize", "maximize", "restore"]
_DONE: dict[_Put, str] = {
    "minimize": "minimized",
    "maximize": "maximized",
    "restore": "brought back to its own size",
}
_OWN = _State(minimized=False, maximized=False, fullscreen=False)


def _wanted(now: _State, how: _Put) -> _State:
    match how:
        case "minimize":
            return now._replace(minimized=True)
        case "maximize":
            return _OWN._replace(maximized=True)
        case "restore" if now.minimized:  # one that filled the screen before does so again: it takes two steps back
            return now._replace(minimized=False)
        case "restore":
            return _OWN._replace(maximized=now.maximized and now.fullscreen)
        case _:
            assert_never(how)


async def _put(rig: Rig, window: Window, how: _Put) -> ActionResult:
    """Ask for a state and wait until it holds."""
    wanted = _wanted(_State.of(window), how)
    if _State.of(window) == wanted:
        return ActionResult(outcome="done", text=f"{window.title!r} is {_DONE[how]} already", value=window.id)

    def holds() -> bool:
        now = rig.window(window.id)
        # One that is put away need not say any more that it fills the screen.
        return now is not None and (now.minimized if wanted.minimized else _State.of(now) == wanted)

    async def ask() -> bool:
        _ask(rig, window, wanted)
        return await came_true(rig.display, holds, PATIENCE)

    if await rested(rig, ask):
        return ActionResult(outcome="done", text=f"{window.title!r} is {_DONE[how]}", value=window.id)
    return await _refused(rig, window, f"{window.title!r} was not {_DONE[how]}")


def _ask(rig: Rig, window: Window, wanted: _State) -> None:
    if wanted.minimized:
        ask_to_put_away(rig.display, window)
    else:
        ask_to_show(rig.display, window, maximized=wanted.maximized, fullscreen=wanted.fullscreen)


async def _place(rig: Rig, window: Window, corner: Point | None, size: Size | None) -> ActionResult:
    """Ask for a place and a size, after taking the window out of a state in which it has neither of its own."""

    def now() -> Window:
        return rig.window(window.id) or window

    width, height = (each * _LARGEST for each in rig.display.size)
    if size and (size.width > width or size.height > height):
        text = f"{size.width} x {size.height} is too large for a window here: give {width} x {height} at most"
        return ActionResult(outcome="failed", text=text, value=window.id)
    if _State.of(window) != _OWN:
        _ask(rig, window, _OWN)
        await came_true(rig.display, lambda: _State.of(now()) == _OWN, PATIENCE)
    ask_to_place(rig.display, window, corner, size)

    def there() -> bool:
        frame, box = frame_of(rig.display, now()), now().box
        placed = corner is None or corner == (frame.left, frame.top)
        return placed and (size is None or size == (box.width, box.height))

    before = window.box
    heard = not window_manager(rig.display) or await listens(rig.display, PATIENCE)
    while heard and not await until(there, OBEYED) and now().box != before:
        before = now().box
    return await _placed(rig, window, now(), exact=there())


async def _placed(rig: Rig, before: Window, now: Window, *, exact: bool) -> ActionResult:
    frame, box = frame_of(rig.display, now), now.box
    left, top = frame.left - rig.corner().x, frame.top - rig.corner().y
    text = f"{now.title!r} is at ({left}, {top}) with its frame, {box.width} x {box.height} inside it"
    if exact:
        return ActionResult(outcome="done", text=text, value=now.id)
    if now.box == before.box:
        return await _refused(rig, now, f"{text}, as before")
    return ActionResult(outcome="failed", text=f"{text}: that is as near as it lets itself be placed", value=now.id)


async def _refused(rig: Rig, window: Window, text: str) -> ActionResult:
    """Say who is the reason that nothing came of it."""
    heard = not window_manager(rig.display) or await listens(rig.display, OBEYED)
    why = "it does not let itself be treated so" if heard else "the window manager does not answer"
    halted = "; its process is stopped" * stopped(window.pid)
    return ActionResult(outcome="failed", text=f"{text}: {why}{halted}", value=window.id)
