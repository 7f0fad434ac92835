"""Doing something and seeing what came of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeVar

import anyio

from deskhand.core.action import ActionResult, Outcome
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.acting.reach import PATIENCE
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import MENU_ITEMS, PRESSED, SWITCHED, Scene, Seen, called, changes
from deskhand.devices.linux.seeing.settle import QUIET, WORKING, Changes, Rest, quiet_of
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import pop_ups

T = TypeVar("T")
Reader = Callable[[], Awaitable[Element | None]]
Still = Callable[[], Awaitable[None]]

BEGINNING = 0.35
"""Seconds that an effect has to begin. Shorter than the 0.5 after which a pointer at rest brings up a tooltip."""

PUT_BACK = 0.45
"""Seconds in which programs put back what they do not accept: most at once, some by a timer of 0.3."""
POLL = 0.03

READING, AHEAD = 0.02, 0.6
"""Seconds before the screen counts as at rest in which it is read already, and the part of the time at most."""

DIALOG = 1.0
"""Seconds that a dialog has to close, or to ask something else."""


async def nothing() -> None:
    """Read no element."""
    return


async def scene(
    rig: Rig, read: Reader = nothing, held: Sequence[Element] | None = None, drawn: Still = nothing
) -> Scene:
    """Look at windows, picture and one element; also at what had the keyboard, `held` if that is known.

    All of it after waiting until something is `drawn`; the picture is taken last.
    """
    await drawn()
    element = await read()
    if held is not None:
        held = await _live(rig, held)
    elif element and element.role in PRESSED:
        held = (*rig.held(element.window), *await _live(rig, rig.displays(element.window)))
    menus: tuple[Box, ...] = ()
    lit: tuple[Box, ...] = ()
    if element and element.role in MENU_ITEMS:
        menus, lit = rig.menus(element.window), rig.lit(element.window, rig.pointer.position())
    return Scene(rig.windows(), rig.grabber.grab(), element, tuple(held or ()), menus, lit, rig.corner())


async def _live(rig: Rig, elements: Sequence[Element]) -> list[Element]:
    """Read elements anew; those that are gone are left out."""
    return [now for each in elements if (now := await rig.controls.live(each.id))]


@asynccontextmanager
async def _going_on(rig: Rig, watched: Changes | None) -> AsyncIterator[Changes]:
    """Go on with a watch, or begin one."""
    if watched:
        yield watched
        return
    async with rig.watcher.changes() as begun:
        yield begun


async def verified(
    rig: Rig,
    act: Callable[[], Awaitable[object]],
    window: Window | None,
    read: Reader = nothing,
    watched: Changes | None = None,
) -> ActionResult:
    """Do something, wait until the screen rests, and say what has changed.

    `window` is the one that takes the input; `read` reads the element whose change would be evidence. What the pointer
    lights up at the place where it was `watched` to come to is waited for first.

    Raises:
        TargetNotFound: the application does not answer; nothing was done.
    """
    async with _going_on(rig, watched) as changing:
        if await rig.kept_up(PATIENCE / 2) is False:
            raise TargetNotFound(f"{_name_of(window)} does not answer: nothing was sent; wait until it does")
        if rig.moving is None:
            rig.moving = (await changing.rest()).moving
        asked = time.monotonic()
        before = await scene(rig, read, drawn=changing.lit_up)
        started = time.monotonic()
        await act()
        came = await _outcome(_Trial(rig, window, read, before, started - asked, started), changing)
        changed = max(started, changing.last)
    rig.moving = came.rest.moving
    outcome, text = _judged(came.seen, window, before.element, came.answers)
    if await _goes_back(rig, before.element, came.after.element, changed):
        outcome, text = "failed", f"{text} for a moment, then the application put it back: it does not accept that"
    return ActionResult(outcome=outcome, text=text, receiver=receiver_of(window, before.element))


class _Trial(NamedTuple):
    """Something that was done, and how it was before."""

    rig: Rig
    window: Window | None
    read: Reader
    before: Scene
    reading: float
    """Seconds that looking took."""
    started: float


class _Outcome(NamedTuple):
    """What came of it."""

    after: Scene
    seen: Seen
    rest: Rest
    answers: bool | None
    """Whether the application has taken it; None when that cannot be told."""


async def _outcome(trial: _Trial, changing: Changes) -> _Outcome:
    """Wait until the screen rests, and see what has changed.

    It is looked at so early that this is done when the screen counts as at rest, and again if it moves after all.
    """
    rig, window, before = trial.rig, trial.window, trial.before
    pid, quiet = window.pid if window else 0, quiet_of(window)
    answers = await rig.kept_up(PATIENCE)
    if window and quiet > QUIET:
        await changing.rest(first=BEGINNING, pid=pid)
        quiet = QUIET if _keeps_to_itself(rig, window, before.element) else quiet
    ahead = min(max(READING, trial.reading), AHEAD * quiet)
    rest = await changing.rest(quiet - ahead, first=BEGINNING, pid=pid)
    while True:
        last = changing.last
        # GTK answers while it holds events back until its next frame: only now has it taken them.
        answers = answers if answers is False else await rig.kept_up(PATIENCE)
        late = answers is False
        after = await scene(rig, _same(before.element) if late else trial.read, () if late else before.held)
        seen = changes(before, after, rig.apart)
        rest = await changing.rest(quiet, pid=pid) if rest.drawn else rest
        if changing.last != last and rest.rested:
            continue
        if seen or late or not (begun := await _begins(trial, changing, quiet)):
            break
        rest = begun
    moved = before.element and after.element and after.element.id != before.element.id
    if not seen.news and answers and window and window.dialog_of and not moved and await _goes_on(rig, before):
        rest = await changing.rest(quiet, pid=pid)
        seen = changes(before, await scene(rig, trial.read, before.held), rig.apart)
    return _Outcome(after, seen, rest, answers)


async def _begins(trial: _Trial, changing: Changes, quiet: float) -> Rest | None:
    """Wait for what is not to be seen yet, while it has time to begin or its application works; None if nothing does.

    That a button was drawn as pressed comes first, and may be all for a while.
    """
    pid = trial.window.pid if trial.window else 0
    changing.forget()
    while (asked := time.monotonic()) < trial.started + PATIENCE:
        rest = await changing.rest(quiet, first=trial.started + BEGINNING - asked, pid=pid)
        if rest.drawn:
            return rest
        if time.monotonic() - asked < WORKING:
            break
    return None


def _keeps_to_itself(rig: Rig, window: Window, element: Element | None) -> bool:
    """Tell whether what has changed is a menu or a modal dialog that is still open: no other part of the window is."""
    if element and element.role == "menu":
        return bool(pop_ups(rig.display, window.pid))
    return window.modal and any(each.id == window.id and each.active for each in rig.windows())


def _same(element: Element | None) -> Reader:
    """Give what is known of an element: its application cannot be asked."""

    async def known() -> Element | None:
        return element

    return known


def _judged(seen: Seen, window: Window | None, element: Element | None, answers: bool | None) -> tuple[Outcome, str]:
    name = _name_of(window)
    if answers is False:
        late = f"sent, but {name} does not answer within {PATIENCE:g} s; it may take it later"
        return "unverified", f"{late}; {seen.text}" if seen else late
    if seen:
        return "done", seen.text
    if seen.closed:
        return "unverified", seen.closed
    if window and window.pid and not running(window.pid):
        return "unverified", f"{name} has ended"
    sent = f"sent to {called(element)}" if element and element.role in PRESSED else "sent"
    return "unverified", f"{sent}, but nothing on the screen has changed"


def _name_of(window: Window | None) -> str:
    return (window.app or repr(window.title)) if window else "the application"


async def _goes_on(rig: Rig, before: Scene) -> bool:
    """Wait for a dialog to close, or for another to come up: what is pressed in dialogs mostly does that.

    A file dialog takes half a second over it, and shows nothing meanwhile.
    """
    there = {window.id for window in before.windows}
    return await until(lambda: {window.id for window in rig.windows()} != there, DIALOG, every=0.02)


async def _goes_back(rig: Rig, before: Element | None, after: Element | None, since: float) -> bool:
    """Tell whether a switch that has just changed goes back to what it was."""
    if before is None or after is None or after.role not in SWITCHED | {"button"} or _set(before) == _set(after):
        return False
    wanted, element = _set(after), after.id

    async def there() -> bool:
        now = await rig.controls.live(element)
        return now is None or _set(now) == wanted

    return await changed_back(there, since)


def _set(element: Element) -> set[str]:
    return {"checked", "mixed", "pressed"} & {*element.states}


async def changed_back(there: Callable[[], Awaitable[bool]], since: float) -> bool:
    """Watch whether what was done is undone by the application, which takes some of them a while."""
    while await there():
        if time.monotonic() >= since + PUT_BACK:
            return False
        await anyio.sleep(POLL)
    return True


async def kept(text: str, there: Callable[[], Awaitable[bool]]) -> ActionResult:
    """Say that something is done, if it is still so after the time in which programs put back what they refuse."""
    if await changed_back(there, time.monotonic()):
        back = f"for a moment {text}, then the application put it back: it does not accept that"
        return ActionResult(outcome="failed", text=back)
    return ActionResult(outcome="done", text=text)


async def rested(rig: Rig, act: Callable[[], Awaitable[T]], quiet: float = QUIET) -> T:
    """Do something and wait until the screen rests."""
    async with rig.watcher.changes() as watched:
        result = await act()
        rig.moving = (await watched.rest(quiet)).moving
    return result


def receiver_of(window: Window | None, element: Element | None) -> str:
    """Say which window and element take input."""
    parts = [repr(window.title) if window else "", called(element) if element else ""]
    return ", ".join(part for part in parts if part)
