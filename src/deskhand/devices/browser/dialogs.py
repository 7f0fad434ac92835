"""What a page puts up and waits for: alert, confirm, prompt, and the question before it is left."""

from __future__ import annotations

import anyio
from playwright.async_api import Dialog
from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import Action, ActionResult, Click, Hotkey, OnElement, Press, Write
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import settle
from deskhand.devices.browser.tabs import Tab

BOX, TEXT, OK, CANCEL = "dialog", "dialog-text", "dialog-ok", "dialog-cancel"


def elements_of(tab: Tab, size: Size) -> tuple[Element, ...]:
    """Show what is up as elements; it is not in the picture, as a page does not draw it."""
    dialog = tab.dialog
    assert dialog is not None
    width, top = size.width // 2, size.height // 4
    box = Box.at(width // 2, top, width, 120)
    window = tab.id
    asked = dialog.message or {"beforeunload": "Leave this page? What was entered may be lost."}.get(dialog.type, "")
    parts = [
        Element(id=BOX, role="dialog", name=asked, box=box, states=("modal", "active"), window=window, source="dom")
    ]
    if dialog.type == "prompt":
        field = Box.at(box.left + 10, box.top + 40, width - 20, 24)
        states = ("focused", "editable")
        text = Element(id=TEXT, role="textbox", name=asked, value=tab.answer or dialog.default_value, box=field,
                       states=states, actions=("set_text",), parent=BOX, window=window, source="dom")  # fmt: skip
        parts.append(text)
    names = {OK: "Leave" if dialog.type == "beforeunload" else "OK", CANCEL: "Cancel"}
    for at, (key, name) in enumerate(names.items()):
        if key == CANCEL and dialog.type == "alert":
            continue
        button = Box.at(box.left + 10 + at * 100, box.bottom - 34, 90, 24)
        parts.append(
            Element(
                id=key,
                role="button",
                name=name,
                box=button,
                actions=("press",),
                parent=BOX,
                window=window,
                source="dom",
            )
        )
    return tuple(parts)


async def answer(browser: Browser, tab: Tab, action: Action) -> ActionResult:
    """Act on what is up; anything else waits until it is answered."""
    dialog = tab.dialog
    assert dialog is not None
    match action:
        case Click(target=OnElement(id="dialog-ok")) | Press(keys=("enter" | "return" | "Return" | "Enter",)):
            return await _close(browser, tab, dialog, accept=True)
        case Click(target=OnElement(id="dialog-cancel")) | Press(keys=("escape" | "esc" | "Escape",)):
            return await _close(browser, tab, dialog, accept=False)
        case Hotkey(keys=("enter",)):
            return await _close(browser, tab, dialog, accept=True)
        case Write() if dialog.type == "prompt":
            tab.answer = action.message if action.replace or not tab.answer else tab.answer + action.message
            return ActionResult(outcome="done", text=f"{tab.answer!r} stands in the question's field")
        case _:
            text = f"the page asks {dialog.message!r}; press OK or Cancel ({OK}, {CANCEL}) first"
            return ActionResult(outcome="failed", text=text)


async def _close(browser: Browser, tab: Tab, dialog: Dialog, *, accept: bool) -> ActionResult:
    typed, tab.answer, tab.dialog, tab.asked = tab.answer, "", None, anyio.Event()
    try:
        if accept:
            await dialog.accept(typed or dialog.default_value)
        else:
            await dialog.dismiss()
    except PlaywrightError:  # the page took it away
        return ActionResult(outcome="unverified", text="the question was gone already")
    await settle(browser)
    return ActionResult(outcome="done", text=f"{'agreed to' if accept else 'refused'} {dialog.message!r}")
