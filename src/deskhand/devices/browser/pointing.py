"""The mouse in a page: real input events, at an element or at a pixel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

import anyio
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from deskhand.core.action import (
    ActionResult,
    Button,
    Click,
    DragTo,
    LongPress,
    MoveTo,
    Scroll,
    Swipe,
    Target,
)
from deskhand.core.errors import TargetNotFound
from deskhand.devices.browser.finding import Aimed, aim
from deskhand.devices.browser.keys import key_of
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.verify import verified

NOTCH = 100
"""CSS pixels of one notch of the wheel."""
MOVES = 20
"""Moves of a drag; HTML5 drag and drop needs that many."""
UNDONE = 2.0
"""Seconds for letting go of what is held, also when cancelled."""


async def click(browser: Browser, action: Click) -> ActionResult:
    button = _button(action.button)
    aimed = await _here_or(browser, action.target)
    page = browser.tabs.front.page
    modifiers = [key_of(name) for name in action.modifiers]

    async def press() -> None:
        async with _held_keys(page, modifiers):
            browser.pointer = aimed.x, aimed.y
            await _hover(page, aimed)
            await page.mouse.click(aimed.x, aimed.y, button=button, click_count=action.clicks)

    return noted(aimed, await verified(browser, press, aimed.node))


async def _hover(page: Page, aimed: Aimed) -> None:
    """Put the pointer upon a picture and let the page draw what that changes, as between a hand's move and its press.

    A picture that is exchanged for another one under the pointer takes no click while that is being loaded. Whatever
    else is there is spared it: browsers tell of a pointer that only moves when they draw the next time.
    """
    if aimed.node is None or not aimed.about.get("pictured", True):
        return
    await page.mouse.move(aimed.x, aimed.y)
    with suppress(PlaywrightError):  # it may go to another page meanwhile
        x, y = (aimed.about["x"], aimed.about["y"]) if aimed.about else (aimed.x, aimed.y)
        await aimed.node.ask("rests", x, y)


def noted(aimed: Aimed, result: ActionResult) -> ActionResult:
    """Say along with a result how its element was found."""
    return result.model_copy(update={"text": aimed.note + result.text}) if aimed.note else result


async def _here_or(browser: Browser, target: Target | None) -> Aimed:
    return Aimed(*browser.pointer) if target is None else await aim(browser, target)


def _button(button: Button) -> Literal["left", "middle", "right"]:
    if button in ("back", "forward"):
        raise TargetNotFound(f"a page has no {button} button; use go_{'backward' if button == 'back' else 'forward'}")
    return button  # type: ignore[return-value]  # the two others are refused above


@asynccontextmanager
async def _held_keys(page: Page, keys: list[str]) -> AsyncIterator[None]:
    try:
        for key in keys:
            await page.keyboard.down(key)
        yield
    finally:
        with anyio.move_on_after(UNDONE, shield=True):
            for key in reversed(keys):
                await page.keyboard.up(key)


@asynccontextmanager
async def _held_button(page: Page, button: Literal["left", "middle", "right"]) -> AsyncIterator[None]:
    await page.mouse.down(button=button)
    try:
        yield
    finally:
        with anyio.move_on_after(UNDONE, shield=True):
            await page.mouse.up(button=button)


async def long_press(browser: Browser, action: LongPress) -> ActionResult:
    aimed = await aim(browser, action.target)
    page = browser.tabs.front.page

    async def hold() -> None:
        browser.pointer = aimed.x, aimed.y
        await page.mouse.move(aimed.x, aimed.y)
        async with _held_button(page, "left"):
            await anyio.sleep(action.duration)  # the action itself: that long it is held

    return noted(aimed, await verified(browser, hold, aimed.node))


async def move(browser: Browser, action: MoveTo) -> ActionResult:
    aimed = await aim(browser, action.target)
    browser.pointer = aimed.x, aimed.y
    moved = await verified(browser, lambda: browser.tabs.front.page.mouse.move(aimed.x, aimed.y), aimed.node)
    return noted(aimed, moved)


async def scroll(browser: Browser, action: Scroll) -> ActionResult:
    aimed = None if action.target is None else await aim(browser, action.target)
    return await _wheel(browser, aimed, action.right * NOTCH, -action.clicks * NOTCH)


async def swipe(browser: Browser, action: Swipe) -> ActionResult:
    """Move the page as a finger would: up shows what is further down."""
    start = None if action.from_coord is None else await aim(browser, action.from_coord)
    if start is not None and action.to_coord is not None:
        end = await aim(browser, action.to_coord)
        return await _wheel(browser, start, start.x - end.x, start.y - end.y)
    width, height = browser.spec.size
    right = {"left": 1, "right": -1}.get(action.direction, 0) * action.amount * width
    down = {"up": 1, "down": -1}.get(action.direction, 0) * action.amount * height
    return await _wheel(browser, start, right, down)


async def _wheel(browser: Browser, aimed: Aimed | None, right: float, down: float) -> ActionResult:
    page = browser.tabs.front.page

    async def turn() -> None:
        if aimed is not None:
            browser.pointer = aimed.x, aimed.y
            await page.mouse.move(aimed.x, aimed.y)
        await page.mouse.wheel(right, down)

    result = await verified(browser, turn)
    if result.outcome == "unverified":
        return result.model_copy(update={"text": "nothing scrolled: it goes no further in this direction, or not here"})
    return result


async def drag(browser: Browser, action: DragTo) -> ActionResult:
    start = await _here_or(browser, action.start)
    end = await aim(browser, action.target)
    scale = browser.spec.scale
    way = [((x + 0.5) / scale, (y + 0.5) / scale) for x, y in action.path]
    page, button = browser.tabs.front.page, _button(action.button)

    async def go() -> None:
        await page.mouse.move(start.x, start.y)
        async with _held_button(page, button):
            for x, y in (*way, (end.x, end.y)):
                await page.mouse.move(x, y, steps=MOVES)
        browser.pointer = end.x, end.y

    return noted(end, await verified(browser, go, start.node or end.node))
