"""The keyboard in a page."""

from __future__ import annotations

import re

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from deskhand.core.action import ActionResult, Hotkey, KeyDown, KeyUp, Press, Write
from deskhand.core.errors import TargetNotFound
from deskhand.core.keys import chord, split_chord
from deskhand.devices.browser import tabbing
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.finding import Aimed, aim
from deskhand.devices.browser.handing import hand_over
from deskhand.devices.browser.keys import OWN, chord_of, key_of
from deskhand.devices.browser.pointing import noted
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.tabs import Asked
from deskhand.devices.browser.verify import verified

TYPED = 400
"""Characters up to which text is entered key by key; more is put in at once, as by pasting."""
_UNTYPED = re.compile(r"([\n\t\r])")
"""Characters whose keys would do something else than enter them."""
_ONE_LINE = ("textbox", "combobox", "spinbutton", "password")


async def press(browser: Browser, action: Press) -> ActionResult:
    chords = [chord(split_chord(name) or (name,)) for name in action.keys]
    if len(chords) == 1 and (own := OWN.get(chord_of(chords[0]))):
        return await tabbing.take(browser, own)
    strokes = [_stroke(names) for names in chords]
    page = browser.tabs.front.page

    async def go() -> None:
        for _ in range(action.presses):
            for stroke in strokes:
                await _strike(page, stroke)

    return await verified(browser, go, await focused(browser))


async def hotkey(browser: Browser, action: Hotkey) -> ActionResult:
    if own := OWN.get(chord_of(action.keys)):
        return await tabbing.take(browser, own)
    stroke = _stroke(chord(action.keys))
    page = browser.tabs.front.page
    return await verified(browser, lambda: _strike(page, stroke), await focused(browser))


def _stroke(names: tuple[str, ...]) -> str:
    return "+".join(map(key_of, names))


async def _strike(page: Page, stroke: str) -> None:
    if len(stroke) == 1 and not stroke.isascii():  # no key of its keyboard
        await page.keyboard.insert_text(stroke)
        return
    try:
        await page.keyboard.press(stroke)
    except PlaywrightError as error:
        if "Unknown key" in error.message:
            raise TargetNotFound(f"pages have no key {stroke!r}") from error
        raise


async def hold(browser: Browser, action: KeyDown | KeyUp) -> ActionResult:
    keyboard, name = browser.tabs.front.page.keyboard, key_of(action.key)
    down = isinstance(action, KeyDown)
    await verified(browser, lambda: keyboard.down(name) if down else keyboard.up(name))
    return ActionResult(outcome="done", text=f"{action.key} is {'held' if down else 'released'}")


async def write(browser: Browser, action: Write) -> ActionResult:
    """Enter text where the focus is or into an element, and read it back."""
    aimed = await _entered(browser, action)
    if aimed.about.get("type") == "file":
        assert aimed.node is not None
        return await hand_over(browser, aimed.node, action.message)
    node = await focused(browser)
    if node is None:
        raise TargetNotFound("nothing on the page takes text now; name a text field, or click into one")
    before = await node.ask("about")
    one_line = before["role"] in _ONE_LINE and "multiline" not in before["states"]
    if one_line and "\n" in action.message:
        raise TargetNotFound(f"the {before['role']} {before['name']!r} takes one line; write it without line breaks")
    page = browser.tabs.front.page

    async def enter() -> None:
        if action.replace and before["length"]:
            await page.keyboard.press("Control+a")
            await page.keyboard.press("Delete")
        await _type(page, action.message)

    result = await verified(browser, enter, node)
    return noted(aimed, await _read_back(browser, node, before, action, result))


async def _entered(browser: Browser, action: Write) -> Aimed:
    """Put the focus where the text is to go."""
    if action.target is None:
        return Aimed(*browser.pointer)
    aimed = await aim(browser, action.target)
    if aimed.about.get("type") == "file":
        return aimed
    if "readonly" in aimed.about.get("states", ()):
        raise TargetNotFound(f"the {aimed.about['role']} {aimed.about['name']!r} is read-only")
    if "focused" not in aimed.about.get("states", ()):
        browser.pointer = aimed.x, aimed.y
        await browser.tabs.unless_asked(browser.tabs.front.page.mouse.click, aimed.x, aimed.y)
    return aimed


async def _type(page: Page, text: str) -> None:
    """Enter text key by key, as pages that complete or check it meanwhile expect."""
    for part in _UNTYPED.split(text[:TYPED]):
        if _UNTYPED.fullmatch(part):
            await page.keyboard.insert_text(part)
        elif part:
            await page.keyboard.type(part)
    if rest := text[TYPED:]:
        await page.keyboard.insert_text(rest)


async def _read_back(
    browser: Browser, node: Node, before: dict[str, object], action: Write, result: ActionResult
) -> ActionResult:
    if result.outcome == "failed":
        return result
    try:
        now = await browser.tabs.unless_asked(node.ask, "about")
    except (PlaywrightError, Asked):  # what was entered made the page another
        return result
    if now.get("gone"):
        return result
    return _judged(now, before, action, result)


def _judged(now: dict[str, object], before: dict[str, object], action: Write, result: ActionResult) -> ActionResult:
    called, text = f"the {now['role']} {now['name']!r}", action.message
    length, value = now["length"], str(now["value"])
    if now["role"] == "password":
        came = length == len(text) if action.replace else length != before["length"]
        said = f"{called} holds {length} characters now"
        return ActionResult(outcome="done" if came else "failed", text=said)
    plain, wanted = value.replace("\r\n", "\n"), text.replace("\r\n", "\n")
    arrived = plain.rstrip("\n") == wanted.rstrip("\n") if action.replace else wanted in plain
    if arrived:
        more = f"; {result.text}" if "is shown" in result.text else ""
        return ActionResult(outcome="done", text=f"{len(text)} characters entered into {called} and read back{more}")
    if value == before["value"]:
        return ActionResult(outcome="failed", text=f"{called} did not take it; it holds {value[:200]!r}")
    return ActionResult(outcome="failed", text=f"{called} holds {value[:200]!r} instead")


async def focused(browser: Browser) -> Node | None:
    """Give what has the keyboard."""
    tab = browser.tabs.front
    await tab.documents.ask(tab.page.main_frame, "changes")  # a page that was not looked at yet is known now
    for document in tab.documents.known():
        try:
            number = await document.ask("active")
        except PlaywrightError:  # it is gone
            tab.documents.drop(document)
            continue
        if number:
            return Node(document, number)
    return None
