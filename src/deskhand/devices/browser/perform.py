"""Doing one action in a browser."""

from __future__ import annotations

import anyio
from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import (
    Action,
    ActionResult,
    Click,
    CloseWindow,
    DoubleClick,
    DragTo,
    FocusWindow,
    GoBackward,
    GoForward,
    Hotkey,
    KeyDown,
    KeyUp,
    MoveTo,
    OpenUrl,
    Press,
    RightClick,
    Scroll,
    SelectOption,
    SetValue,
    Wait,
    Write,
)
from deskhand.core.errors import Correctable, DeviceLost
from deskhand.devices.browser import dialogs, keying, opening, pointing
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.rig import Browser


async def perform(browser: Browser, action: Action, window: str) -> ActionResult:
    """Do one action and wait until the page rests.

    Raises:
        DeviceLost: the browser is gone.
    """
    await browser.tabs.settle()
    try:
        if window and (tab := browser.tabs.find(window)) is not None and tab is not browser.tabs.front:
            await browser.tabs.bring_up(tab)
        front = browser.tabs.front
        if front.dialog is not None and not isinstance(action, Wait):
            return await dialogs.answer(browser, front, action)
        return await _perform(browser, action)
    except Correctable as error:
        return ActionResult(outcome="failed", text=str(error))
    except PlaywrightError as error:
        if browser.tabs.context.browser is not None and not browser.tabs.context.browser.is_connected():
            raise DeviceLost(f"the browser is gone: {first_line(error)}") from error
        return ActionResult(outcome="failed", text=first_line(error))


async def _perform(browser: Browser, action: Action) -> ActionResult:
    match action:
        case Click():
            return await pointing.click(browser, action)
        case DoubleClick(target=target, button=button):
            return await pointing.click(browser, Click(target=target, clicks=2, button=button))
        case RightClick(target=target):
            return await pointing.click(browser, Click(target=target, button="right"))
        case MoveTo():
            return await pointing.move(browser, action)
        case DragTo():
            return await pointing.drag(browser, action)
        case Scroll():
            return await pointing.scroll(browser, action)
        case _:
            return await _key(browser, action)


async def _key(browser: Browser, action: Action) -> ActionResult:
    match action:
        case Write():
            return await keying.write(browser, action)
        case Press():
            return await keying.press(browser, action)
        case Hotkey():
            return await keying.hotkey(browser, action)
        case KeyDown() | KeyUp():
            return await keying.hold(browser, action)
        case SelectOption():
            return await keying.select(browser, action)
        case SetValue():
            return await keying.set_value(browser, action)
        case _:
            return await _perform_elsewhere(browser, action)


async def _perform_elsewhere(browser: Browser, action: Action) -> ActionResult:
    match action:
        case OpenUrl():
            return await opening.open_url(browser, action)
        case GoBackward() | GoForward():
            return await opening.travel(browser, action)
        case FocusWindow():
            return await opening.focus_tab(browser, action)
        case CloseWindow():
            return await opening.close_tab(browser, action)
        case Wait(seconds=seconds):
            await anyio.sleep(seconds)
            return ActionResult(outcome="done", text=f"{seconds:g} s have passed")
        case _:
            return ActionResult(outcome="failed", text=f"a browser cannot {action.kind}")
