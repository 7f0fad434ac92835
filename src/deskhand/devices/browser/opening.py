"""Pages: opened, gone back to, loaded anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Response
from playwright.async_api import TimeoutError as TooLong

from deskhand.core.action import ActionResult, GoBackward, GoForward, NavigateBack, OpenUrl
from deskhand.devices.browser import dialogs
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import give_up, settle
from deskhand.devices.browser.sites import cannot, refusal
from deskhand.devices.browser.tabs import Asked
from deskhand.devices.browser.verify import FETCHED


async def open_url(browser: Browser, action: OpenUrl) -> ActionResult:
    """Open an address in the front tab."""
    url = address(action.url)
    if trouble := refusal(browser.spec, url):
        return ActionResult(outcome="failed", text=trouble)
    page, patience = browser.tabs.front.page, browser.spec.wait * 1000
    return await _gone(browser, url, lambda: page.goto(url, wait_until="domcontentloaded", timeout=patience))


def address(text: str) -> str:
    """Complete an address as browsers do."""
    text = text.strip()
    if "://" in text or text.startswith(("about:", "data:")):
        return text
    host = text.partition("/")[0].partition(":")[0]
    local = host == "localhost" or host.replace(".", "").isdigit()
    return f"{'http' if local else 'https'}://{text}"


async def reload(browser: Browser) -> ActionResult:
    page, patience = browser.tabs.front.page, browser.spec.wait * 1000
    result = await _gone(browser, page.url, lambda: page.reload(wait_until="domcontentloaded", timeout=patience))
    if result.outcome == "done":
        return result.model_copy(update={"text": f"{page.url} was loaded anew"})
    return result


async def travel(browser: Browser, action: GoBackward | GoForward | NavigateBack) -> ActionResult:
    page, patience = browser.tabs.front.page, browser.spec.wait * 1000
    before = page.url
    go = page.go_forward if isinstance(action, GoForward) else page.go_back
    result = await _gone(browser, "the page", lambda: go(wait_until="domcontentloaded", timeout=patience))
    if result.outcome == "done" and page.url == before:
        return ActionResult(outcome="failed", text="there is no page to go to in that direction")
    return result


async def _gone(browser: Browser, url: str, go: Callable[[], Awaitable[Response | None]]) -> ActionResult:
    """Go somewhere and say where that has led."""
    page, fetched = browser.tabs.front.page, len(browser.downloads.files)
    try:
        response = await browser.tabs.unless_asked(go)
    except Asked:
        return ActionResult(outcome="unverified", text=await dialogs.question_up(browser))
    except TooLong:
        return await _late(browser)
    except PlaywrightError as error:
        await browser.downloads.wait(FETCHED)
        if files := browser.downloads.files[fetched:]:
            return ActionResult(outcome="done", text="; ".join(map(str, files)))
        return ActionResult(outcome="failed", text=cannot(browser.spec, url, first_line(error)))
    await settle(browser)
    status = f", with status {response.status}" if response is not None and response.status >= 400 else ""
    asked = f"; {said}" if (said := dialogs.question_of(browser)) else ""
    return ActionResult(outcome="done", text=f"the page is now {page.url}{status}{asked}")


async def _late(browser: Browser) -> ActionResult:
    """Say how far a page has come whose time is over."""
    tab = browser.tabs.front
    await give_up(browser, tab)
    if tab.refused:
        return ActionResult(outcome="failed", text=tab.refused)
    text = f"{tab.page.url} has come, but not all of it within {browser.spec.wait:g} s"
    return ActionResult(outcome="unverified", text=text)
