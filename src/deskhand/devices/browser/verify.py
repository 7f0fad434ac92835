"""Doing something in a page and seeing what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import anyio
from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import ActionResult
from deskhand.core.groups import as_it_was
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import settle


class Scene(NamedTuple):
    """What can be compared before and after, at little cost."""

    url: str
    tabs: tuple[str, ...]
    dialog: str
    downloads: int
    element: dict[str, Any] | None
    changes: int
    focus: int
    scroll: tuple[float, float]


async def scene(browser: Browser, node: Node | None = None) -> Scene:
    """Look at a tab and at one element."""
    tab = browser.tabs.front
    url, open_tabs = tab.page.url, tuple(t.id for t in browser.tabs.open)
    if tab.dialog is not None:
        return Scene(url, open_tabs, tab.dialog.message, len(tab.downloads), None, 0, 0, (0, 0))
    element, changes, focus, scroll = None, 0, 0, (0.0, 0.0)
    try:
        if node is not None:
            element = await node.document.ask("about", node.number)
        if (top := tab.documents.get(tab.page.main_frame)) is not None:
            changes, focus, *scroll_now = await top.ask("pulse")
            scroll = (scroll_now[0], scroll_now[1])
    except PlaywrightError:  # the document is gone, which is a change of its own
        element = {"gone": True}
    return Scene(url, open_tabs, "", len(tab.downloads), element, changes, focus, scroll)


async def verified(browser: Browser, act: Callable[[], Awaitable[object]], node: Node | None = None) -> ActionResult:
    """Do something, wait until the page rests, and say what has changed."""
    before = await scene(browser, node)
    await _until_asked(browser, act)
    await settle(browser)
    after = await scene(browser, node)
    if said := difference(browser, before, after):
        return ActionResult(outcome="done", text=said)
    return ActionResult(outcome="unverified", text="sent, but nothing on the page has changed")


async def _until_asked(browser: Browser, act: Callable[[], Awaitable[object]]) -> None:
    """Do something; while the page puts up a question, the browser does not answer, so that ends the waiting."""

    async def watch() -> None:
        await tab.asked.wait()
        group.cancel_scope.cancel()

    tab = browser.tabs.front
    with as_it_was():
        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            await act()
            group.cancel_scope.cancel()


def difference(browser: Browser, before: Scene, after: Scene) -> str:
    """Say what has changed, the most telling first; "" for nothing."""
    if after.dialog != before.dialog and after.dialog:
        return f"the page asks: {after.dialog!r}"
    if new := set(after.tabs) - set(before.tabs):
        return f"a new tab came up: {browser.tabs.front.page.url} ({', '.join(new)})"
    if set(before.tabs) - set(after.tabs):
        return "the tab was closed"
    if after.url != before.url:
        return f"the page is now {after.url}"
    if after.downloads > before.downloads:
        return f"a download began: {browser.tabs.front.downloads[-1].suggested_filename}"
    if said := _element_difference(before.element, after.element):
        return said
    if after.focus != before.focus:
        return "another control has the keyboard"
    if after.scroll != before.scroll:
        return f"scrolled to {after.scroll[0]:g},{after.scroll[1]:g}"
    return "the page changed" if after.changes != before.changes else ""


def _element_difference(before: dict[str, Any] | None, after: dict[str, Any] | None) -> str:
    if not before or not after or before == after:
        return ""
    if after.get("gone"):
        return "the control is gone"
    if before.get("value") != after.get("value"):
        return f"its value is now {after['value'][:200]!r}"
    gained = [s for s in after.get("states", ()) if s not in before.get("states", ())]
    lost = [s for s in before.get("states", ()) if s not in after.get("states", ())]
    parts = [f"it is now {', '.join(gained)}"] if gained else []
    parts += [f"it is no longer {', '.join(lost)}"] if lost else []
    return "; ".join(parts)
