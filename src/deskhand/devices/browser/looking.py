"""One look at a tab: what can be seen and used in its documents, and a picture of the viewport."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element, Image, Look, Observation, OneWindow, Subject, WholeDesktop, Window
from deskhand.devices.browser import dialogs
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.documents import Document, document_of
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.tabs import Tab
from deskhand.perception.options import PictureOptions

MOST = 400
"""Elements of one document that are told of; there is no page that a person uses more of at once."""
TRIES = 3
"""A page that navigates while it is read is read again."""


class Place(NamedTuple):
    """Where a document's viewport lies in the tab's, in CSS pixels, and what of it can be seen."""

    x: float = 0
    y: float = 0
    clip: tuple[float, float, float, float] | None = None


async def look(browser: Browser, subject: Subject) -> Look:
    """Look once.

    Raises:
        DeviceError: nothing can be seen.
    """
    await browser.tabs.settle()
    tab = browser.tabs.front
    if isinstance(subject, OneWindow):
        tab = browser.tabs.find(subject.id) or tab
    for attempt in range(TRIES):
        try:
            return await _look(browser, tab, with_elements=not isinstance(subject, WholeDesktop))
        except PlaywrightError as error:
            if attempt == TRIES - 1 or tab.page.is_closed():
                raise DeviceError(f"the page cannot be looked at: {first_line(error)}") from error
    raise AssertionError


async def _look(browser: Browser, tab: Tab, *, with_elements: bool) -> Look:
    if tab.dialog is not None:
        return _asked(browser, tab)
    size, scale = await _viewport(tab)
    elements: list[Element] = []
    truncated = ""
    if with_elements:
        top = await document_of(tab.documents, tab.page.main_frame, browser.names)
        walked = await top.ask("walk", MOST)
        elements = [element async for element in _elements(browser, tab, top, walked, scale)]
        truncated = _summed_up(walked)
    data = await _picture(tab, browser.perception.pictures)
    shown = Image(sha256=hashlib.sha256(data).hexdigest(), size=size, media_type=_media_type(browser))
    windows = [await _window(t, size, active=t is browser.tabs.front) for t in browser.tabs.open]
    windows.sort(key=lambda w: not w.active)
    seen = Observation(
        screen=shown,
        elements=tuple(elements),
        windows=tuple(windows),
        window=tab.id if with_elements else "",
        truncated=truncated,
    )
    browser.last = Look(seen, {shown.sha256: data})
    return browser.last


def _asked(browser: Browser, tab: Tab) -> Look:
    """Show what the page has put up; it draws nothing meanwhile, so the picture is the one before."""
    if browser.last is None:
        raise (
            DeviceError(f"the page asked {tab.dialog.message!r} before it was drawn") if tab.dialog else DeviceError("")
        )
    before, pictures = browser.last
    elements = dialogs.elements_of(tab, before.screen.size)
    return Look(before.model_copy(update={"elements": elements, "window": tab.id, "truncated": ""}), pictures)


async def _viewport(tab: Tab) -> tuple[Size, float]:
    """Give the viewport's size in device pixels, and how many of them a CSS pixel has."""
    width, height, ratio = await tab.page.evaluate("() => [innerWidth, innerHeight, devicePixelRatio]")
    return Size(round(width * ratio), round(height * ratio)), float(ratio)


async def _elements(
    browser: Browser, tab: Tab, top: Document, walked: dict[str, Any], scale: float
) -> AsyncIterator[Element]:
    waiting: list[tuple[Document, dict[str, Any], Place, str]] = [(top, walked, Place(), "")]
    while waiting:
        document, found, place, parent = waiting.pop(0)
        for told in found["elements"]:
            element = _element(browser, document, told, place, scale)
            yield element.model_copy(update={"window": tab.id, "parent": element.parent or parent})
        for number, x, y, *clip in found["frames"]:
            inner = await _frame(document, number)
            if inner is None:
                continue
            child = await document_of(tab.documents, inner, browser.names)
            there = Place(place.x + x, place.y + y, _shifted(clip, place))
            waiting.append((child, await child.ask("walk", MOST), there, browser.names.of(document, number)))


async def _frame(document: Document, number: int) -> Frame | None:
    handle = await document.walker.evaluate_handle("(w, n) => w.node(n)", number)
    element = handle.as_element()
    return await element.content_frame() if element is not None else None


def _shifted(clip: list[float], place: Place) -> tuple[float, float, float, float]:
    left, top, right, bottom = clip
    return left + place.x, top + place.y, right + place.x, bottom + place.y


def _element(browser: Browser, document: Document, told: list[Any], place: Place, scale: float) -> Element:
    number, parent, role, name, value, left, top, right, bottom, states, actions = told
    corners = (left + place.x, top + place.y, right + place.x, bottom + place.y)
    if place.clip is not None:
        corners = (*map(max, corners[:2], place.clip[:2]), *map(min, corners[2:], place.clip[2:]))
    return Element(
        id=browser.names.of(document, number),
        role=role,
        name=name,
        value=value,
        box=Box(*(round(corner * scale) for corner in corners)),
        states=tuple(states),
        actions=tuple(actions),
        parent=browser.names.of(document, parent) if parent else "",
        source="dom",
    )


def _summed_up(walked: dict[str, Any]) -> str:
    more, (x, y, width, height, inner_width, inner_height) = walked["more"], walked["scroll"]
    ways = [
        way
        for way, there in {
            "up": y > 1,
            "down": y + inner_height < height - 1,
            "left": x > 1,
            "right": x + inner_width < width - 1,
        }.items()
        if there
    ]
    parts = [f"{more} more controls are out of sight"] if more else []
    parts += [f"the page goes on {' and '.join(ways)}: scroll"] if ways else []
    return "; ".join(parts)


async def _window(tab: Tab, size: Size, *, active: bool) -> Window:
    title = "" if tab.dialog is not None else await tab.page.title()
    box = Box.at(0, 0, size.width, size.height)
    return Window(id=tab.id, title=f"{title} - {tab.page.url}", app="browser", box=box, active=active)


async def _picture(tab: Tab, options: PictureOptions) -> bytes:
    wanted: dict[str, Any] = {"format": options.format, "optimizeForSpeed": True}
    if options.format != "png":
        wanted["quality"] = options.quality
    taken = await tab.cdp.send("Page.captureScreenshot", wanted)
    return base64.b64decode(taken["data"])


def _media_type(browser: Browser) -> str:
    return f"image/{browser.perception.pictures.format}"
