"""Doing something in a page and seeing what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import ActionResult
from deskhand.devices.browser import dialogs
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import MOST, settle
from deskhand.devices.browser.tabs import ERROR, Asked

FETCHED = 5.0
"""Seconds that a file which an action asked for is waited for; after that it goes on being fetched."""
NOTHING = "sent, but nothing on the page has changed"


class Scene(NamedTuple):
    """What can be compared before and after, at little cost."""

    url: str
    tabs: tuple[str, ...]
    fetched: int
    pulses: tuple[dict[str, Any], ...]
    """What each document tells, that of the element first."""
    gone: bool = False
    """A document went while it was asked."""


async def verified(browser: Browser, act: Callable[[], Awaitable[object]], node: Node | None = None) -> ActionResult:
    """Do something, wait until the page rests, and say what has changed.

    `done` needs evidence: a question, a tab, a page, a file, the element itself, a text that is shown now.
    """
    browser.tabs.front.refused = ""
    before = await _scene(browser, node, "mark")
    try:
        await browser.tabs.unless_asked(act)
    except Asked:
        return _result(await dialogs.question_up(browser))
    await settle(browser)
    if browser.tabs.front.refused:
        return ActionResult(outcome="failed", text=browser.tabs.front.refused)
    await browser.downloads.wait(FETCHED)
    try:
        after = await browser.tabs.unless_asked(_scene, browser, node, "news")
    except Asked:
        return _result(await dialogs.question_up(browser))
    return _result(_difference(browser, before, after))


def _result(said: str) -> ActionResult:
    return ActionResult(outcome="done", text=said) if said else ActionResult(outcome="unverified", text=NOTHING)


async def _scene(browser: Browser, node: Node | None, what: str) -> Scene:
    """Ask the element's document and the others; `what` is "mark" before and "news" after."""
    tab = browser.tabs.front
    documents = list(tab.documents.known())
    first = node.document if node is not None else None
    documents.sort(key=lambda each: each is not first)
    pulses, gone = [], False
    for document in documents[:MOST]:
        try:
            pulses.append(await document.ask(what, node.number if node and document is first else 0))
        except PlaywrightError:  # it is gone, which is a change of its own
            tab.documents.drop(document)
            gone = True
    open_tabs = tuple(each.id for each in browser.tabs.open)
    return Scene(tab.page.url, open_tabs, len(browser.downloads.files), tuple(pulses), gone)


def _difference(browser: Browser, before: Scene, after: Scene) -> str:
    """Say what has changed, the most telling first; "" for nothing."""
    if set(before.tabs) - set(after.tabs):
        return f"the tab was closed; {browser.tabs.front.page.url} is in front"
    if new := [tab for tab in after.tabs if tab not in before.tabs]:
        if browser.tabs.front.page.url.startswith(ERROR):
            return f"a new tab came up ({', '.join(new)}), but its page cannot be had"
        return f"a new tab came up: {browser.tabs.front.page.url} ({', '.join(new)})"
    if after.url != before.url:
        return f"the page is now {after.url}"
    if files := browser.downloads.files[before.fetched :]:
        return "; ".join(map(str, files))
    if after.gone or len(after.pulses) < len(before.pulses):
        return f"the page was loaded anew: {after.url}"
    return _on_the_page(before.pulses, after.pulses)


def _on_the_page(before: tuple[dict[str, Any], ...], after: tuple[dict[str, Any], ...]) -> str:
    own = change_of(before[0]["about"], after[0]["about"]) if before and after else ""
    said = [text for pulse in after for text in pulse["said"]]
    if own or said:
        return "; ".join(dict.fromkeys(filter(None, [own, *said])))
    for earlier, pulse in zip(before, after, strict=False):
        if pulse["focus"] and pulse["focus"] != earlier["focus"]:
            return f"the {pulse['focus']} has the keyboard now"
        if pulse["scrolled"]:
            return "it scrolled; the page is at {},{}".format(*pulse["place"])
    changed = sum(pulse["changed"] for pulse in after)
    return f"the look of the page changed in {changed} place{'s' if changed > 1 else ''}" if changed else ""


def change_of(before: dict[str, Any] | None, after: dict[str, Any] | None) -> str:
    """Say how an element itself has changed, but for having the keyboard."""
    if not before or not after or before == after or before.get("gone"):
        return ""
    if after.get("gone"):
        return f"the {before['role']} {before['name']!r} is gone"
    parts = []
    if before["value"] != after["value"]:
        parts.append(f"its value is now {after['value'][:200]!r}")
    elif before["length"] != after["length"]:  # of a password, which is not told
        parts.append(f"it holds {after['length']} characters now")
    if before["name"] != after["name"]:
        parts.append(f"it is now called {after['name']!r}")
    old, new = set(before["states"]) - {"focused"}, set(after["states"]) - {"focused"}
    parts += [f"it is now {', '.join(sorted(new - old))}"] if new - old else []
    parts += [f"it is no longer {', '.join(sorted(old - new))}"] if old - new else []
    return "; ".join(parts)
