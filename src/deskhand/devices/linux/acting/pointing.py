"""What is done with the pointer: clicks, drags, the wheel."""

from __future__ import annotations

from functools import partial

import anyio

from deskhand.core.action import (
    ActionResult,
    Click,
    DragTo,
    LongPress,
    MoveTo,
    OnElement,
    Scroll,
    Swipe,
    Target,
)
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.acting.popups import make_way
from deskhand.devices.linux.acting.reach import PATIENCE, Spot, bring_up, glimpse, keep_up, spot
from deskhand.devices.linux.acting.stand_in import stand_in
from deskhand.devices.linux.acting.verify import Reader, nothing, verified
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import MENU_ITEMS, called
from deskhand.devices.linux.seeing.settle import Changes

SWITCHED_ON = 0.5
MADE_ANEW = 0.3
"""Seconds in which a page that makes an element anew is caught with it: it may be missing whenever it is read."""
FOLLOWED = 3
"""How often a target that moves is gone after."""
NOTCH = 60
"""Pixels that a notch of the wheel moves most content by."""


async def click(rig: Rig, action: Click, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    async with rig.watcher.changes() as watched:
        place = await _approached(rig, action.target, watched) if action.target else Spot(rig.pointer.position())
        if place.element and await _disabled(rig, place.element):
            raise TargetNotFound(f"{called(place.element)} is disabled: nothing can be clicked there now")
        plain = action.clicks == 1 and action.button == "left" and not action.modifiers
        if place.point is None:
            return await _press(rig, place, window, plain=plain)
        await make_way(rig, window, place.point)
        taken = rig.pointer.taken(place.point, action.button, action.modifiers)
        result = await verified(rig, partial(_hit, rig, action, place), window, reader(rig, place), watched)
    return _taken_by_others(result, "+".join((*action.modifiers, action.button))) if taken else result


async def _hit(rig: Rig, action: Click, place: Spot) -> None:
    """Click a place, or where its element has moved to while another click there had to be over first."""
    point = needed(place)
    if await rig.pointer.come_apart(point, action.button) and action.target:
        now = await rig.controls.live(place.element.id) if place.element else None
        if now and not now.box.holds(point):
            point = needed(await spot(rig, action.target))
    await rig.pointer.click(point, action.clicks, action.button, action.modifiers)


def _taken_by_others(result: ActionResult, gesture: str) -> ActionResult:
    told = f"{gesture} is a gesture of the window manager, which may keep it from the application"
    return result.model_copy(update={"text": f"{result.text}; {told}"})


async def _approached(rig: Rig, target: Target, watched: Changes) -> Spot:
    """Bring the pointer over a target; follow one that moves meanwhile, in a window that is still being laid out.

    It goes there before what may cover the target is asked about: what it lights up is drawn in the meantime.
    """
    first = await glimpse(rig, target)
    if first and rig.pointer.position() != first:
        await rig.pointer.move(first)
        watched.moved()
    place = await spot(rig, target)
    for _ in range(FOLLOWED):
        if place.point is None or rig.pointer.position() == place.point:
            break
        await rig.pointer.move(place.point)
        watched.moved()
        now = await spot(rig, target)
        if now.point == place.point:
            break
        place = now
    return place


async def _disabled(rig: Rig, element: Element) -> bool:
    """Tell whether an element stays disabled; some are switched on a moment after what they depend on."""
    deadline = anyio.current_time() + SWITCHED_ON
    now: Element | None = element
    while now and "disabled" in now.states:
        if anyio.current_time() >= deadline:
            return True
        await anyio.sleep(0.02)
        now = await rig.controls.live(element.id)
    return False


async def _press(rig: Rig, place: Spot, window: Window | None, *, plain: bool) -> ActionResult:
    """Use an element that cannot be clicked, being hidden, through its interface."""
    element = place.element
    if element is None or not plain or "press" not in element.actions:
        what = called(element) if element else "it"
        raise TargetNotFound(
            f"{what} cannot be clicked: it is scrolled out of view or covered; bring it into view first"
        )
    return await verified(rig, partial(rig.controls.press, element.id), window, reader(rig, place))


async def move(rig: Rig, action: MoveTo, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    point = needed(await spot(rig, action.target))
    await hover(rig, point)
    there = rig.pointer.position() == point
    place = f"({point.x - rig.corner().x}, {point.y - rig.corner().y})"
    return ActionResult(
        outcome="done" if there else "failed",
        text=f"the pointer is at {place}" if there else f"the pointer did not come to {place}: something holds it",
        receiver=repr(window.title) if window else "",
    )


async def drag(rig: Rig, action: DragTo, window_id: str) -> ActionResult:
    window = await up_for(rig, action.start or action.target, window_id)
    start = needed(await spot(rig, action.start)) if action.start else rig.pointer.position()
    end = needed(await spot(rig, action.target))
    await hover(rig, start)
    taken = rig.pointer.taken(start, action.button, ())
    result = await verified(rig, partial(rig.pointer.drag, (start, *action.path, end), action.button), window)
    return _taken_by_others(result, "a drag with the keys that are held") if taken else result


async def scroll(rig: Rig, action: Scroll, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    point = needed(await spot(rig, action.target)) if action.target else rig.pointer.position()
    return await _turn(rig, point, (action.clicks, action.right), window)


async def swipe(rig: Rig, action: Swipe, window_id: str) -> ActionResult:
    """Turn the wheel as a finger would move the content: with it."""
    window = await up_for(rig, action.from_coord, window_id)
    box = window.box.clipped(rig.display.box) if window and not window.box.empty else rig.display.box
    start = needed(await spot(rig, action.from_coord)) if action.from_coord else box.center
    if action.to_coord:
        end = needed(await spot(rig, action.to_coord))
        across, down = end.x - start.x, end.y - start.y
    else:
        width, height = rig.display.size
        ways = {"up": (0, -height), "down": (0, height), "left": (-width, 0), "right": (width, 0)}
        across, down = (round(part * action.amount) for part in ways[action.direction])
    return await _turn(rig, start, (_notches(down), -_notches(across)), window)


async def hold(rig: Rig, action: LongPress, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    place = await spot(rig, action.target)
    point = needed(place)
    await hover(rig, point)
    return await verified(rig, partial(rig.pointer.hold, point, action.duration), window, reader(rig, place))


async def up_for(rig: Rig, target: Target | None, window_id: str) -> Window | None:
    """Bring up the window an action is meant for: the one its element is in, if that is of the application named."""
    shown = rig.shown(target.id) if isinstance(target, OnElement) else None
    windows = rig.windows()
    own = next((window for window in windows if shown and window.id == shown.window), None)
    named = rig.meant(window_id.lower(), windows) if window_id else own
    if own and named and named.pid == own.pid:
        return own if own.active and not stopped(own.pid) else await keep_up(rig, own.id, keys=False)
    return await bring_up(rig, window_id, keys=False)


async def hover(rig: Rig, point: Point) -> None:
    """Put the pointer somewhere, and wait until what lights up under it is drawn."""
    if rig.pointer.position() != point:
        async with rig.watcher.changes() as watched:
            await rig.pointer.move(point)
            watched.moved()
            await watched.lit_up()


def needed(place: Spot) -> Point:
    """Give the point of a place.

    Raises:
        TargetNotFound: it has none, being hidden.
    """
    if place.point is None:
        what = called(place.element) if place.element else "it"
        raise TargetNotFound(f"{what} is scrolled out of view or covered; bring it into view first")
    return place.point


def reader(rig: Rig, place: Spot) -> Reader:
    """Give what reads the element at a place again, also when its program has made the same one anew."""
    element = place.element
    if element is None:
        return nothing

    async def read() -> Element | None:
        deadline = anyio.current_time() + MADE_ANEW
        while (now := await rig.controls.live(element.id)) is None:
            window = rig.window(element.window) if element.role not in MENU_ITEMS else None
            anew = (await stand_in(rig, element, window, PATIENCE)).same if window else None
            if anew:
                return anew.model_copy(update={"id": element.id})
            if window is None or anyio.current_time() >= deadline:
                break
        return now

    return read


async def _turn(rig: Rig, point: Point, notches: tuple[int, int], window: Window | None) -> ActionResult:
    await hover(rig, point)
    return await verified(rig, partial(rig.pointer.scroll, point, *notches), window)


def _notches(pixels: int) -> int:
    return (1 if pixels > 0 else -1) * max(1, round(abs(pixels) / NOTCH)) if pixels else 0
