"""The mouse in a page: real input events, at an element or at a pixel."""

from __future__ import annotations

from typing import Literal, NamedTuple

from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import ActionResult, At, Button, Click, Described, DragTo, MoveTo, OnElement, Scroll, Target
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.verify import verified

NOTCH = 100
"""CSS pixels of one notch of the wheel, as Chromium scrolls by default on Linux at 53; pages count in hundreds."""
MOVES = 20
"""Moves of a drag; HTML5 drag and drop needs that many."""


class Aimed(NamedTuple):
    """A place in CSS pixels of the tab's viewport, and the element there that was named."""

    x: float
    y: float
    node: Node | None = None
    called: str = ""


async def aim(browser: Browser, target: Target | None) -> Aimed | None:
    """Find the place of a target; an element is scrolled into view.

    Raises:
        TargetNotFound: it is gone, disabled, or covered.
    """
    match target:
        case None:
            return None
        case At(point=point):
            scale = await browser.tabs.front.page.evaluate("() => devicePixelRatio")
            return Aimed((point.x + 0.5) / scale, (point.y + 0.5) / scale)
        case OnElement(id=element_id):
            return await _on_element(browser, element_id)
        case Described(text=text):
            raise TargetNotFound(f"{text!r} is a place in words; it has to be grounded first")


async def _on_element(browser: Browser, element_id: str) -> Aimed:
    node = browser.names.node(element_id)
    if node is None:
        raise TargetNotFound(f"there is no element {element_id!r}; look again")
    try:
        place = await node.document.ask("place", node.number)
        offset = await _offset(node)
    except PlaywrightError as error:
        raise TargetNotFound(f"the page that {element_id!r} was on is gone; look again") from error
    if place.get("gone"):
        raise TargetNotFound(f"{element_id!r} is gone from the page; look again")
    called = f"{place['role']} {place['name']!r}"
    if "disabled" in place["states"]:
        raise TargetNotFound(f"the {called} is disabled")
    if place["over"]:
        raise TargetNotFound(f"the {called} is covered by {place['over']}")
    return Aimed(place["x"] + offset[0], place["y"] + offset[1], node, called)


async def _offset(node: Node) -> tuple[float, float]:
    """Give where the viewport of an element's frame lies in that of the page."""
    x = y = 0.0
    frame = node.document.frame
    while frame.parent_frame is not None:
        element = await frame.frame_element()
        left, top = await element.evaluate(
            "e => { const r = e.getBoundingClientRect(); return [r.left + e.clientLeft, r.top + e.clientTop]; }"
        )
        x, y, frame = x + left, y + top, frame.parent_frame
    return x, y


async def click(browser: Browser, action: Click) -> ActionResult:
    aimed = await aim(browser, action.target)
    page = browser.tabs.front.page

    async def press() -> None:
        for key in action.modifiers:
            await page.keyboard.down(key)
        try:
            place = aimed or Aimed(*browser.pointer)
            browser.pointer = Point(round(place.x), round(place.y))
            await page.mouse.click(place.x, place.y, button=_button(action.button), click_count=action.clicks)
        finally:
            for key in reversed(action.modifiers):
                await page.keyboard.up(key)

    return await verified(browser, press, aimed.node if aimed else None)


def _button(button: Button) -> Literal["left", "middle", "right"]:
    if button in ("back", "forward"):
        raise TargetNotFound(f"a page has no {button} button; use go_{'backward' if button == 'back' else 'forward'}")
    return button  # type: ignore[return-value]  # the two others are refused above


async def move(browser: Browser, action: MoveTo) -> ActionResult:
    aimed = await aim(browser, action.target)
    assert aimed is not None
    browser.pointer = Point(round(aimed.x), round(aimed.y))
    return await verified(browser, lambda: browser.tabs.front.page.mouse.move(aimed.x, aimed.y), aimed.node)


async def scroll(browser: Browser, action: Scroll) -> ActionResult:
    aimed = await aim(browser, action.target)
    page = browser.tabs.front.page

    async def turn() -> None:
        if aimed is not None:
            await page.mouse.move(aimed.x, aimed.y)
        await page.mouse.wheel(action.right * NOTCH, -action.clicks * NOTCH)

    return await verified(browser, turn)


async def drag(browser: Browser, action: DragTo) -> ActionResult:
    start = await aim(browser, action.start)
    end = await aim(browser, action.target)
    assert end is not None
    page = browser.tabs.front.page

    async def go() -> None:
        if start is not None:
            await page.mouse.move(start.x, start.y)
        await page.mouse.down(button=_button(action.button))
        try:
            await page.mouse.move(end.x, end.y, steps=MOVES)
        finally:
            await page.mouse.up(button=_button(action.button))

    return await verified(browser, go, end.node)
