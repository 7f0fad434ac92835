"""Pages and tabs: opened, gone back to, brought up, closed."""

from __future__ import annotations

from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import ActionResult, CloseWindow, FocusWindow, GoBackward, GoForward, OpenUrl
from deskhand.core.errors import TargetNotFound
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import settle

PATIENCE = 30_000
"""Milliseconds that a page has to be there."""


async def open_url(browser: Browser, action: OpenUrl) -> ActionResult:
    url = action.url if "://" in action.url or action.url.startswith(("about:", "data:")) else f"https://{action.url}"
    page = browser.tabs.front.page
    try:
        response = await page.goto(url, wait_until="domcontentloaded", timeout=PATIENCE)
    except PlaywrightError as error:
        return ActionResult(outcome="failed", text=f"{url} cannot be opened: {first_line(error)}")
    await settle(browser)
    status = f", with status {response.status}" if response is not None and response.status >= 400 else ""
    return ActionResult(outcome="done", text=f"the page is now {page.url}{status}")


async def travel(browser: Browser, action: GoBackward | GoForward) -> ActionResult:
    page = browser.tabs.front.page
    before = page.url
    go = page.go_back if isinstance(action, GoBackward) else page.go_forward
    try:
        await go(wait_until="domcontentloaded", timeout=PATIENCE)
    except PlaywrightError as error:
        return ActionResult(outcome="failed", text=first_line(error))
    await settle(browser)
    if page.url == before:
        return ActionResult(outcome="failed", text="there is no page to go to in that direction")
    return ActionResult(outcome="done", text=f"the page is now {page.url}")


async def focus_tab(browser: Browser, action: FocusWindow) -> ActionResult:
    tab = browser.tabs.find(action.window)
    if tab is None:
        raise TargetNotFound(
            f"there is no tab {action.window!r}; there are {', '.join(t.id for t in browser.tabs.open)}"
        )
    await browser.tabs.bring_up(tab)
    return ActionResult(outcome="done", text=f"{tab.page.url} is in front", value=tab.id)


async def close_tab(browser: Browser, action: CloseWindow) -> ActionResult:
    tab = browser.tabs.find(action.window)
    if tab is None:
        raise TargetNotFound(f"there is no tab {action.window!r}")
    await tab.page.close(run_before_unload=True)
    await settle(browser)
    if browser.tabs.find(tab.id) is None:
        return ActionResult(outcome="done", text="the tab was closed")
    return ActionResult(outcome="unverified", text="the tab was asked to close and is still there; the page may ask")
