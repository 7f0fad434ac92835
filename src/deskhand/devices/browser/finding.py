"""Finding the place of a target: an element again, wherever it is by now, or a pixel."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import At, Described, OnElement, Target
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import Element
from deskhand.devices.browser.documents import Document, Node
from deskhand.devices.browser.looking import MOST
from deskhand.devices.browser.rig import Browser

NEAR = 60
"""CSS pixels within which one of several equals counts as being in the same place."""
LISTED = 8
TRIES = 4


class Aimed(NamedTuple):
    """A place in CSS pixels of the tab's viewport, and the element there."""

    x: float
    y: float
    node: Node | None = None
    about: dict[str, Any] = {}  # noqa: RUF012  (never changed)
    """What the element is, as the walker tells it."""
    note: str = ""
    """What has to be said about how it was found."""


async def aim(browser: Browser, target: Target) -> Aimed:
    """Find the place of a target; an element is scrolled into view.

    Raises:
        TargetNotFound: it is gone, disabled, or covered.
    """
    match target:
        case At(point=point):
            return await _at(browser, point.x, point.y)
        case OnElement(id=element_id):
            return await _on_element(browser, element_id)
        case Described(text=text):
            raise TargetNotFound(f"{text!r} is a place in words; it has to be grounded first")


async def _at(browser: Browser, x: int, y: int) -> Aimed:
    page = browser.tabs.front.page
    scale, width, height = await page.evaluate("() => [devicePixelRatio, innerWidth, innerHeight]")
    place = (x + 0.5) / scale, (y + 0.5) / scale
    if not (0 <= place[0] < width and 0 <= place[1] < height):
        raise TargetNotFound(f"({x}, {y}) lies outside the page, which is {width * scale:g} x {height * scale:g}")
    document, number = await browser.tabs.front.documents.ask(page.main_frame, "under", *place)
    return Aimed(*place, Node(document, number) if number else None)


async def _on_element(browser: Browser, element_id: str) -> Aimed:
    told = browser.names.told(element_id)
    if told is not None and told.source == "ocr":
        return await _at(browser, *told.box.center)
    node, place, note = await _placed(browser, element_id)
    called = f"{place['role']} {place['name']!r}"
    if "disabled" in place["states"]:
        raise TargetNotFound(f"the {called} is disabled")
    if place["list"]:
        within = browser.names.of(node.document, place["list"])
        raise TargetNotFound(f"the {called} is in a list that is closed; choose it with select_option on {within}")
    if place["over"] or place.get("x") is None:
        raise TargetNotFound(f"the {called} is covered by {place['over'] or 'something'}")
    x, y = await _on_page(node.document, place["x"], place["y"], called)
    return Aimed(x, y, node, place, note)


async def _placed(browser: Browser, element_id: str) -> tuple[Node, dict[str, Any], str]:
    """Find an element's place, and say how it was found where that is not as it was told."""
    node, note = browser.names.node(element_id), ""
    for _ in range(TRIES):
        if node is not None and (place := await _place(node)) is not None:
            return node, place, note
        node, note = await locate(browser, element_id)
    raise TargetNotFound(f"{element_id} is drawn anew all the time; look again, or act on its place")


async def _place(node: Node) -> dict[str, Any] | None:
    try:
        place: dict[str, Any] = await node.ask("place")
    except PlaywrightError:  # its document is gone
        return None
    return None if place.get("gone") else place


async def locate(browser: Browser, element_id: str) -> tuple[Node, str]:
    """Find an element by its id, or what has taken its place; also say so, where it was the latter.

    Raises:
        TargetNotFound: there is none, or it is gone; names what is there now.
    """
    node, told = browser.names.node(element_id), browser.names.told(element_id)
    if node is None and told is None:
        raise TargetNotFound(f"there is no element {element_id!r}; look again{await _instead(browser, '')}")
    try:
        if node is not None and not (await node.ask("about")).get("gone"):
            return node, ""
    except PlaywrightError:  # its document is gone
        browser.tabs.front.documents.drop(node.document) if node else None
        node = None
    if node is not None and told is not None and (again := await _replaced(node.document, told)):
        name = browser.names.of(node.document, again)
        return Node(node.document, again), f"{element_id} was drawn anew and is {name} now; "
    called = f"the {told.role} {told.name!r} ({element_id})" if told else element_id
    where = "is gone from the page" if node else f"was on another page; this is {browser.tabs.front.page.url}"
    raise TargetNotFound(f"{called} {where}; look again{await _instead(browser, told.role if told else '')}")


async def _replaced(document: Document, told: Element) -> int:
    """Find the one element of the same role and name, of several the one in the same place; 0 for none."""
    walked = await document.ask("walk", MOST)
    equals = [each for each in walked["elements"] if (each[2], each[3]) == (told.role, told.name)]
    if len(equals) == 1:
        return int(equals[0][0])
    scale = walked["ratio"]
    x, y = (side / scale for side in told.box.center)
    if document.within is not None:  # boxes of frames are told from the page's corner
        left, top = await _corner(document)
        x, y = x - left, y - top
    apart = sorted((abs((e[5] + e[7]) / 2 - x) + abs((e[6] + e[8]) / 2 - y), e[0]) for e in equals)
    return int(apart[0][1]) if apart and apart[0][0] < NEAR else 0


async def _instead(browser: Browser, role: str) -> str:
    """Name some of what is there now, those of a role where there are any."""
    tab = browser.tabs.front
    try:
        document, walked = await tab.documents.ask(tab.page.main_frame, "walk", MOST)
    except PlaywrightError:  # it navigates; the next look tells
        return ""
    found = [each for each in walked["elements"] if each[10]]
    found = [each for each in found if each[2] == role] or found
    names = [f"{browser.names.of(document, each[0])} {each[2]} {each[3][:40]!r}" for each in found[:LISTED]]
    return f"; there are now {', '.join(names)}" if names else ""


async def _corner(document: Document) -> tuple[float, float]:
    """Give where the viewport of a frame's document lies in that of the page."""
    x = y = 0.0
    while document.within is not None:
        corner = await document.within.ask("frame")
        if corner is None:
            raise TargetNotFound("the frame that it is in is gone; look again")
        x, y, document = x + corner[0], y + corner[1], document.within.document
    return x, y


async def _on_page(document: Document, x: float, y: float, called: str) -> tuple[float, float]:
    """Move a place from a frame's viewport to that of the page, and see that nothing lies over the frame there."""
    while document.within is not None:
        corner = await document.within.ask("frame")
        if corner is None:
            raise TargetNotFound(f"the frame of the {called} is gone; look again")
        x, y = x + corner[0], y + corner[1]
        if over := await document.within.ask("shows", x, y):
            raise TargetNotFound(f"the {called} is covered by {over}")
        document = document.within.document
    return x, y
