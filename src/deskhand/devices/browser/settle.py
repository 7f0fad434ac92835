"""Waiting until a page rests: no request on its way that it waits for, and nothing in its documents changes."""

from __future__ import annotations

import anyio
from playwright.async_api import Error as PlaywrightError

from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.tabs import Asked, Tab

QUIET = 0.05
"""Seconds without a change after which a page is at rest."""
LONGEST = 5.0
"""Seconds after which it is taken as it is: some pages never rest."""
STREAM = 2.0
"""Seconds after which a request that is still open counts as one that is never answered."""
POLL = 0.015
COMING = "loading"
"""What a document says of itself while it is read."""
MOST = 8
"""Documents of a page that are asked: more are advertisements, which never rest."""


async def arrive(browser: Browser, tab: Tab) -> bool:
    """Wait for the page that a tab is on its way to; give one up that does not come in time, and tell so."""
    while tab.coming is not None and not browser.tabs.asked.is_set() and not tab.gone.is_set():
        if anyio.current_time() - tab.coming.since > browser.spec.wait:
            await give_up(browser, tab)
            return False
        await anyio.sleep(POLL)
    return True


async def give_up(browser: Browser, tab: Tab) -> None:
    """Stay on the page that is shown, and take note that the one on its way has not come."""
    if tab.coming is not None:
        url = tab.coming.request.url
        tab.refused = (
            f"{url} has not come within {browser.spec.wait:g} s and was given up; the page before is still there"
        )
        tab.coming = None
        await tab.cdp.send("Page.stopLoading")


async def settle(browser: Browser, longest: float = LONGEST) -> None:
    """Wait until the front tab rests, a question is up, or time is over."""
    await browser.tabs.settle()
    if not await arrive(browser, browser.tabs.front):
        return  # to the page before, which has rested
    with anyio.move_on_after(longest):
        quiet_since, last = anyio.current_time(), ""
        while anyio.current_time() - quiet_since < QUIET:
            await browser.tabs.settle()
            tab = browser.tabs.front
            try:
                now = await browser.tabs.unless_asked(_fingerprint, tab)
            except Asked:
                return
            if now != last or COMING in now or _waits(tab) or browser.tabs.expects(STREAM):
                quiet_since, last = anyio.current_time(), now
            await anyio.sleep(POLL)


def _waits(tab: Tab) -> bool:
    now = anyio.current_time()
    return any(now - began < STREAM for began in tab.loading.values())


async def _fingerprint(tab: Tab) -> str:
    """Say what a change would change."""
    counts = [tab.id, tab.page.url]
    if not tab.documents.known() and not await _met(tab):  # a tab that was not looked at yet
        counts.append(COMING)
    for document in tab.documents.known()[:MOST]:
        try:
            counts.append(str(await document.ask("changes")))
        except PlaywrightError:  # it navigates
            tab.documents.drop(document)
            counts.append("gone")
    return " ".join(counts)


async def _met(tab: Tab) -> bool:
    try:
        await tab.documents.ask(tab.page.main_frame, "changes")
    except PlaywrightError:  # it navigates
        return False
    return True
