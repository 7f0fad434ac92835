"""One look at a tab: what can be seen and used in its documents, and a picture of the viewport."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, NamedTuple

import anyio
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.core.geometry import Box, Size
from deskhand.core.groups import as_it_was
from deskhand.core.observation import (
    Application,
    Element,
    Image,
    Look,
    Observation,
    OneWindow,
    Subject,
    WholeDesktop,
    Window,
)
from deskhand.devices.browser import dialogs
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.documents import Document, Node
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import arrive
from deskhand.devices.browser.tabs import Asked, Tab
from deskhand.perception.options import PictureOptions
from deskhand.perception.picture import Pixels, picture_of

MOST = 400
"""Elements of one document that are told of; there is no page that a person uses more of at once."""
TRIES = 30
"""A page that navigates while it is read is read again."""
LOOKS = 2
"""A page that sets out for another one while it is looked at is looked at again."""
DRAWN = 0.5
"""Seconds for a picture, twice as many at each try: when a page navigates just then, it never comes."""
APPLICATION = Application(id="browser", name="Browser", categories=("WebBrowser",), program="browser")
"""Opening it opens a tab."""


class Place(NamedTuple):
    """Where a document's viewport lies in the tab's, in CSS pixels, and what of it can be seen."""

    x: float = 0
    y: float = 0
    clip: tuple[float, float, float, float] | None = None


class Seen(NamedTuple):
    """What the documents of a tab tell."""

    size: Size
    elements: tuple[Element, ...]
    truncated: str


async def look(browser: Browser, subject: Subject) -> Look:
    """Look once.

    Raises:
        DeviceError: nothing can be seen.
    """
    for _ in range(LOOKS):
        with anyio.move_on_after(browser.spec.wait):
            await browser.tabs.settle()
            return await _until_it_holds_still(browser, _meant(browser, subject), subject)
        tab = _meant(browser, subject)
        if tab.coming is None:
            break
        await arrive(
            browser, tab
        )  # where it set out for meanwhile: it tells nothing until it is there, or gave that up
    raise DeviceError(f"{browser.tabs.front.page.url} has been too busy to be looked at for {browser.spec.wait:g} s")


def _meant(browser: Browser, subject: Subject) -> Tab:
    return (browser.tabs.find(subject.id) if isinstance(subject, OneWindow) else None) or browser.tabs.front


async def _until_it_holds_still(browser: Browser, tab: Tab, subject: Subject) -> Look:
    with_elements = not isinstance(subject, WholeDesktop)
    for attempt in range(TRIES):
        drawn = DRAWN * 2**attempt
        if browser.tabs.asked.is_set() and await dialogs.question_up(browser):
            return await _asked(browser, browser.tabs.front, with_elements=with_elements)
        try:
            return await browser.tabs.unless_asked(partial(_look, browser, tab, drawn, with_elements=with_elements))
        except Asked:
            continue
        except PlaywrightError as error:
            last = error
            connection = browser.tabs.context.browser
            if connection is not None and not connection.is_connected():
                raise DeviceLost(f"the browser is gone: {first_line(error)}") from error
            tab = tab if tab in browser.tabs.open else browser.tabs.front
            await _loaded(tab)
    raise DeviceError(f"the page cannot be looked at: {first_line(last)}") from last


async def _loaded(tab: Tab) -> None:
    """Wait a little for a page that is on its way."""
    try:
        await tab.page.wait_for_load_state("domcontentloaded", timeout=1000)
    except PlaywrightError:  # the next try says what is wrong
        return


async def _look(browser: Browser, tab: Tab, drawn: float, *, with_elements: bool) -> Look:
    taken: list[bytes] = []

    async def photograph() -> None:
        with anyio.move_on_after(drawn):
            taken.append(await _picture(tab, browser.pictures))

    with as_it_was():
        async with anyio.create_task_group() as group:
            group.start_soon(photograph)
            seen = await read(browser, tab, with_elements=with_elements)
    if not taken:
        raise PlaywrightError("no picture came")
    (data,) = taken
    elements, trouble = seen.elements, ""
    if with_elements:
        elements, trouble = await browser.eyes.complete(tab.id, elements, data)
        for element in elements:
            browser.names.tell(element)
    return _remember(browser, tab, seen._replace(elements=elements), data, trouble)


def _remember(browser: Browser, tab: Tab, seen: Seen, data: bytes, trouble: str = "") -> Look:
    media_type = f"image/{browser.pictures.format}"
    shown = Image(sha256=hashlib.sha256(data).hexdigest(), size=seen.size, media_type=media_type)
    windows = [_window(t, seen.size, active=t is browser.tabs.front) for t in browser.tabs.open]
    windows.sort(key=lambda w: not w.active)
    observation = Observation(
        screen=shown,
        elements=seen.elements,
        windows=tuple(windows),
        applications=(APPLICATION,) if not seen.elements else (),
        window=tab.id if seen.elements or seen.truncated else "",
        truncated="; ".join(filter(None, [seen.truncated, trouble])),
    )
    browser.last = Look(observation, {shown.sha256: data})
    return browser.last


async def _asked(browser: Browser, tab: Tab, *, with_elements: bool) -> Look:
    """Show what the page has put up; it draws nothing meanwhile, so the picture is the one before."""
    if browser.last is None:
        size = Size(
            round(browser.spec.size.width * browser.spec.scale), round(browser.spec.size.height * browser.spec.scale)
        )
        blank = picture_of(Pixels(size, b"\xff" * (size.width * size.height * 4)), browser.pictures)
        _remember(browser, tab, Seen(size, (), ""), blank.data)
    assert browser.last is not None
    before, pictures = browser.last
    data = pictures[before.screen.sha256]
    elements = dialogs.elements_of(tab, before.screen.size) if with_elements else ()
    files = "" if not with_elements else dialogs.question_of(browser)
    return _remember(browser, tab, Seen(before.screen.size, elements, files), data)


async def read(browser: Browser, tab: Tab, *, with_elements: bool = True) -> Seen:
    """Ask the documents of a tab what they show.

    Raises:
        PlaywrightError: one is gone, or navigates just now.
    """
    top, walked = await tab.documents.ask(tab.page.main_frame, "walk", MOST if with_elements else 0)
    tab.title = walked["title"]
    scale = float(walked["ratio"])
    width, height = walked["scroll"][4:]
    size = Size(round(width * scale), round(height * scale))
    if not with_elements:
        return Seen(size, (), "")
    elements = [element async for element in _elements(browser, tab, top, walked)]
    elements += [_fetched(tab, size, number, str(file)) for number, file in enumerate(browser.downloads.files)]
    return Seen(size, tuple(elements), _summed_up(walked))


def _fetched(tab: Tab, size: Size, number: int, said: str) -> Element:
    """Tell of a file that was fetched; pages do not show it."""
    nowhere = Box.at(0, size.height, 0, 0)
    name = f"file {said}"
    return Element(
        id=f"file{number}", role="status", name=name, box=nowhere, states=("offscreen",), window=tab.id, source="dom"
    )


async def _elements(browser: Browser, tab: Tab, top: Document, walked: dict[str, Any]) -> AsyncIterator[Element]:
    waiting: list[tuple[Document, dict[str, Any], Place, str]] = [(top, walked, Place(), "")]
    scale = float(walked["ratio"])
    while waiting:
        document, found, place, parent = waiting.pop(0)
        for told in found["elements"]:
            element = _element(browser, document, told, place, scale)
            element = element.model_copy(update={"window": tab.id, "parent": element.parent or parent})
            yield element
        for number, x, y, *clip in found["frames"]:
            there = Place(place.x + x, place.y + y, _shifted(clip, place))
            inner = await _walked(tab, document, number)
            if inner is not None:
                waiting.append((*inner, there, browser.names.of(document, number)))


async def _walked(tab: Tab, document: Document, number: int) -> tuple[Document, dict[str, Any]] | None:
    """Walk the document in a frame; one that goes away meanwhile is left out."""
    try:
        frame = await _frame(document, number)
        if frame is None:
            return None
        child, walked = await tab.documents.ask(frame, "walk", MOST)
    except PlaywrightError:
        return None
    child.within = Node(document, number)
    return child, walked


async def _frame(document: Document, number: int) -> Frame | None:
    element = (await document.handle(number)).as_element()
    return await element.content_frame() if element is not None else None


def _shifted(clip: list[float], place: Place) -> tuple[float, float, float, float]:
    left, top, right, bottom = clip
    shifted = (left + place.x, top + place.y, right + place.x, bottom + place.y)
    return shifted if place.clip is None else _common(shifted, place.clip)


def _common(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _element(browser: Browser, document: Document, told: list[Any], place: Place, scale: float) -> Element:
    number, parent, role, name, value, left, top, right, bottom, states, actions, drawn = told
    corners = (left + place.x, top + place.y, right + place.x, bottom + place.y)
    if place.clip is not None:
        corners = _common(corners, place.clip)
    return Element(
        id=browser.names.of(document, number),
        role=role,
        name=name,
        value=value,
        box=Box(*(round(corner * scale) for corner in corners)),
        states=tuple(states),
        actions=tuple(actions),
        drawn=drawn,
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


def _window(tab: Tab, size: Size, *, active: bool) -> Window:
    box = Box.at(0, 0, size.width, size.height)
    title = f"{tab.title} - {tab.page.url}" if tab.title else tab.page.url
    return Window(id=tab.id, title=title, app="browser", box=box, active=active)


async def _picture(tab: Tab, options: PictureOptions) -> bytes:
    wanted: dict[str, Any] = {"format": options.format, "optimizeForSpeed": True}
    if options.format != "png":
        wanted["quality"] = options.quality
    taken = await tab.cdp.send("Page.captureScreenshot", wanted)
    return base64.b64decode(taken["data"])
