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
    LongPress,
    MoveTo,
    NavigateBack,
    NavigateHome,
    OpenApp,
    OpenUrl,
    Press,
    RightClick,
    Scroll,
    SelectOption,
    SetValue,
    Swipe,
    Wait,
    Write,
)
from deskhand.core.errors import Correctable, DeviceLost, TargetNotFound
from deskhand.devices.browser import dialogs, keying, opening, pointing, setting, tabbing
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import arrive
from deskhand.devices.browser.tabs import Asked


async def perform(browser: Browser, action: Action, window: str) -> ActionResult:
    """Do one action and wait until the page rests.

    Raises:
        DeviceLost: the browser is gone.
    """
    own = action.duration if isinstance(action, LongPress) else 0
    try:
        with anyio.move_on_after(2 * browser.spec.wait + own) as time:
            if isinstance(action, Wait):
                time.deadline += action.seconds
            return await _in_its_tab(browser, action, window)
    except Correctable as error:
        return ActionResult(outcome="failed", text=str(error))
    except Asked:
        return ActionResult(outcome="done", text=await dialogs.question_up(browser))
    except PlaywrightError as error:
        connection = browser.tabs.context.browser
        if connection is not None and not connection.is_connected():
            raise DeviceLost(f"the browser is gone: {first_line(error)}") from error
        await browser.tabs.settle()
        return ActionResult(outcome="failed", text=f"{first_line(error)}; look again")
    return ActionResult(outcome="failed", text=f"{browser.tabs.front.page.url} does not answer; reload or close it")


async def _in_its_tab(browser: Browser, action: Action, window: str) -> ActionResult:
    await browser.tabs.settle()
    match action:
        case Wait(seconds=seconds):
            await anyio.sleep(seconds)
            return ActionResult(outcome="done", text=f"{seconds:g} s have passed")
        case CloseWindow():
            return await tabbing.close(browser, action)
        case FocusWindow():
            return await tabbing.focus(browser, action)
        case _:
            await _bring_up(browser, window)
    if not isinstance(action, OpenUrl):  # which need not wait for another page to come
        await arrive(browser, browser.tabs.front)
    if browser.tabs.front.question is not None:
        return await dialogs.answer(browser, browser.tabs.front, action)
    return await _point(browser, action)


async def _bring_up(browser: Browser, window: str) -> None:
    tab = browser.tabs.find(window)
    if window and tab is None:
        known = ", ".join(each.id for each in browser.tabs.open)
        raise TargetNotFound(f"the tab {window!r} is closed; there are {known}")
    # A question comes first, wherever it is asked: the pages of a site wait for it together.
    if tab is not None and tab is not browser.tabs.front and browser.tabs.front.question is None:
        await browser.tabs.bring_up(tab)


async def _point(browser: Browser, action: Action) -> ActionResult:
    match action:
        case Click():
            return await pointing.click(browser, action)
        case DoubleClick(target=target, button=button):
            return await pointing.click(browser, Click(target=target, clicks=2, button=button))
        case RightClick(target=target):
            return await pointing.click(browser, Click(target=target, button="right"))
        case MoveTo():
            return await pointing.move(browser, action)
        case LongPress():
            return await pointing.long_press(browser, action)
        case DragTo():
            return await pointing.drag(browser, action)
        case Scroll():
            return await pointing.scroll(browser, action)
        case Swipe():
            return await pointing.swipe(browser, action)
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
            return await setting.select(browser, action)
        case SetValue():
            return await setting.set_value(browser, action)
        case _:
            return await _go(browser, action)


async def _go(browser: Browser, action: Action) -> ActionResult:
    match action:
        case OpenUrl():
            return await opening.open_url(browser, action)
        case GoBackward() | GoForward() | NavigateBack():
            return await opening.travel(browser, action)
        case NavigateHome():
            return await opening.open_url(browser, OpenUrl(url=browser.spec.url or "about:blank"))
        case OpenApp(app_name=name) if name.casefold() in ("browser", "chromium"):
            return await tabbing.new_tab(browser)
        case OpenApp(app_name=name):
            text = f"a browser cannot start {name!r}; open_app(browser) gives a new tab, open_url another page"
            return ActionResult(outcome="failed", text=text)
        case _:
            return ActionResult(outcome="failed", text=f"a browser cannot {action.kind}")
