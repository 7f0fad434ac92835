"""Tabs: opened, brought up, closed, loaded anew, also by the keys that browsers take for it."""

from __future__ import annotations

from functools import partial
from typing import assert_never

import anyio

from deskhand.core.action import ActionResult, CloseWindow, FocusWindow, GoBackward, GoForward
from deskhand.core.errors import TargetNotFound
from deskhand.devices.browser import dialogs, opening
from deskhand.devices.browser.keys import Own
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import settle
from deskhand.devices.browser.tabs import Asked, Tab

CLOSED = 5.0
"""Seconds for a tab to close, or to ask whether it may."""


async def take(browser: Browser, own: Own) -> ActionResult:
    """Do what a browser does itself on a chord of keys."""
    match own:
        case "new":
            return await new_tab(browser)
        case "close":
            return await close(browser, CloseWindow(window=browser.tabs.front.id))
        case "next":
            return await _turn(browser, 1)
        case "previous":
            return await _turn(browser, -1)
        case "reload":
            return await opening.reload(browser)
        case "back":
            return await opening.travel(browser, GoBackward())
        case "forward":
            return await opening.travel(browser, GoForward())
    assert_never(own)


async def new_tab(browser: Browser) -> ActionResult:
    tab = await browser.tabs.add()
    return ActionResult(outcome="done", text=f"a new tab is in front ({tab.id})", value=tab.id)


async def focus(browser: Browser, action: FocusWindow) -> ActionResult:
    tab = _known(browser, action.window)
    await browser.tabs.bring_up(tab)
    return ActionResult(outcome="done", text=f"{tab.page.url} is in front", value=tab.id)


async def _turn(browser: Browser, by: int) -> ActionResult:
    tabs = browser.tabs.open
    tab = tabs[(tabs.index(browser.tabs.front) + by) % len(tabs)]
    return await focus(browser, FocusWindow(window=tab.id))


async def close(browser: Browser, action: CloseWindow) -> ActionResult:
    """Close a tab, which may ask back, but not while it asks something already; the last one leaves an empty one."""
    tab = _known(browser, action.window)
    asks_already = tab.question is not None
    if len(browser.tabs.open) == 1:
        await browser.tabs.context.new_page() if asks_already else await browser.tabs.add()
    browser.tabs.answered(tab)
    try:
        with anyio.move_on_after(CLOSED):
            await browser.tabs.unless_asked(partial(tab.page.close, run_before_unload=not asks_already))
            await browser.tabs.unless_asked(tab.gone.wait)
    except Asked:
        return ActionResult(outcome="unverified", text=await dialogs.question_up(browser))
    await settle(browser)
    if browser.tabs.find(tab.id) is None:
        text = f"the tab was closed; {browser.tabs.front.page.url} is in front"
        return ActionResult(outcome="done", text=text)
    return ActionResult(outcome="unverified", text="the tab was asked to close and is still there")


def _known(browser: Browser, tab_id: str) -> Tab:
    tab = browser.tabs.find(tab_id)
    if tab is None:
        known = ", ".join(f"{each.id} ({each.page.url})" for each in browser.tabs.open)
        raise TargetNotFound(f"there is no tab {tab_id!r}; there are {known}")
    return tab
