"""What a page puts up and waits for: alert, confirm, prompt, the question before it is left, a choice of files."""

from __future__ import annotations

from pathlib import Path

import anyio
from playwright.async_api import Dialog, FileChooser
from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import Action, ActionResult, Click, Hotkey, OnElement, Press, Write
from deskhand.core.geometry import Box, Size
from deskhand.core.keys import chord
from deskhand.core.observation import Element
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import POLL, settle
from deskhand.devices.browser.tabs import Tab

BOX, TEXT, OK, CANCEL = "dialog", "dialog-text", "dialog-ok", "dialog-cancel"
ANSWERED = 5.0
"""Seconds for a page to go on after an answer."""


def question_of(browser: Browser) -> str:
    """Say what the front tab asks; "" for nothing."""
    match browser.tabs.front.question:
        case Dialog() as dialog:
            said = "says" if dialog.type == "alert" else "asks"
            return f"the page {said}: {_asked(dialog)!r}"
        case FileChooser():
            return "the page asks for a file; write its path into the field of the dialog and press Open"
        case None:
            return ""


async def question_up(browser: Browser) -> str:
    """Say what is asked, once the tab that asks is known: a pop-up may ask before it has come."""
    with anyio.move_on_after(ANSWERED):
        while browser.tabs.front.question is None and browser.tabs.asked.is_set():
            await browser.tabs.settle()
            await anyio.sleep(POLL)
    return question_of(browser)


def _asked(question: Dialog | FileChooser) -> str:
    if isinstance(question, FileChooser):
        return "Choose files to upload, one path a line" if question.is_multiple() else "Choose a file to upload"
    leaving = "Leave this page? What was entered may be lost."
    return question.message or (leaving if question.type == "beforeunload" else "")


def _buttons(question: Dialog | FileChooser) -> dict[str, str]:
    if isinstance(question, FileChooser):
        return {OK: "Open", CANCEL: "Cancel"}
    if question.type == "alert":
        return {OK: "OK"}
    return {OK: "Leave" if question.type == "beforeunload" else "OK", CANCEL: "Cancel"}


def _text(tab: Tab) -> str | None:
    """Give what stands in the field of what is up; None when it has no field."""
    if isinstance(tab.question, Dialog) and tab.question.type != "prompt":
        return None
    return tab.answer or (tab.question.default_value if isinstance(tab.question, Dialog) else "")


def elements_of(tab: Tab, size: Size) -> tuple[Element, ...]:
    """Show what is up as elements; it is not in the picture, as a page does not draw it."""
    question = tab.question
    assert question is not None
    width, top = size.width // 2, size.height // 4
    box = Box.at(width // 2, top, width, 120)
    asked = _asked(question)
    inside: list[Element] = []
    if (text := _text(tab)) is not None:
        name = asked if isinstance(question, Dialog) else "File name"
        field = Box.at(box.left + 10, box.top + 40, width - 20, 24)
        inside.append(Element(id=TEXT, role="textbox", name=name, value=text, box=field,
                              states=("focused", "editable"), actions=("set_text",)))  # fmt: skip
    for at, (key, name) in enumerate(_buttons(question).items()):
        place = Box.at(box.left + 10 + at * 100, box.bottom - 34, 90, 24)
        inside.append(Element(id=key, role="button", name=name, box=place, actions=("press",)))
    whole = Element(id=BOX, role="dialog", name=asked, box=box, states=("modal", "active"))
    ours = {"window": tab.id, "source": "dom"}
    return (whole.model_copy(update=ours), *(each.model_copy(update={**ours, "parent": BOX}) for each in inside))


async def answer(browser: Browser, tab: Tab, action: Action) -> ActionResult:
    """Act on what is up; anything else waits until it is answered."""
    assert tab.question is not None
    match action:
        case Click(target=OnElement(id="dialog-ok")):
            return await _close(browser, tab, accept=True)
        case Click(target=OnElement(id="dialog-cancel")):
            return await _close(browser, tab, accept=False)
        case Press(keys=keys) | Hotkey(keys=keys) if chord(keys) == ("Return",):
            return await _close(browser, tab, accept=True)
        case Press(keys=keys) | Hotkey(keys=keys) if chord(keys) == ("Escape",):
            return await _close(browser, tab, accept=False)
        case Write() if _text(tab) is not None:
            tab.answer = action.message if action.replace or not tab.answer else tab.answer + action.message
            return ActionResult(outcome="done", text=f"{tab.answer!r} stands in the question's field")
        case _:
            buttons = " or ".join(f"{name} ({key})" for key, name in _buttons(tab.question).items())
            text = f"{question_of(browser)}; press {buttons} first, or close the tab"
            return ActionResult(outcome="failed", text=text)


async def _close(browser: Browser, tab: Tab, *, accept: bool) -> ActionResult:
    question, typed = tab.question, _text(tab)
    if isinstance(question, FileChooser):
        return await _choose(browser, tab, question, typed if accept else None)
    assert question is not None
    asked, leaving = _asked(question), question.type == "beforeunload"
    browser.tabs.answered(tab)
    try:
        with anyio.move_on_after(ANSWERED):
            await (question.accept(typed) if accept else question.dismiss())
    except PlaywrightError:  # the page took it away
        return ActionResult(outcome="unverified", text="the question was gone already")
    await settle(browser)
    said = f"{'agreed to' if accept else 'refused'} {asked!r}" + (f" with {typed!r}" if typed and accept else "")
    if more := question_of(browser):
        return ActionResult(outcome="done", text=f"{said}; now {more}")
    where = f"; the page is now {browser.tabs.front.page.url}" if leaving and accept else ""
    return ActionResult(outcome="done", text=said + where)


async def _choose(browser: Browser, tab: Tab, chooser: FileChooser, typed: str | None) -> ActionResult:
    """Hand over the files that were named, or none."""
    if typed is None:
        browser.tabs.answered(tab)
        return ActionResult(outcome="done", text="no file was chosen")
    paths, trouble = files_of(typed, several=chooser.is_multiple())
    if trouble:
        return ActionResult(outcome="failed", text=trouble)
    browser.tabs.answered(tab)
    await chooser.set_files(paths)
    await settle(browser)
    return ActionResult(outcome="done", text=f"chose {', '.join(path.name for path in paths)}")


def files_of(typed: str, *, several: bool) -> tuple[list[Path], str]:
    """Read paths, one a line; also say what is wrong with them, "" for nothing."""
    paths = [Path(line.strip()).expanduser() for line in typed.splitlines() if line.strip()]
    if not paths:
        return [], "write the path of a file first"
    if missing := [str(path) for path in paths if not path.is_file()]:
        return [], f"there is no file {', '.join(missing)}"
    if len(paths) > 1 and not several:
        return [], f"only one file can be chosen here, not {len(paths)}"
    return [path.absolute() for path in paths], ""
