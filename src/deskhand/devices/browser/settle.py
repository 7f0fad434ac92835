"""Waiting until a page rests: no request on its way that it waits for, and nothing in its documents changes."""

from __future__ import annotations

import anyio
from playwright.async_api import Error as PlaywrightError

from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.tabs import Tab

QUIET = 0.06
"""Seconds without a change after which a page is at rest."""
LONGEST = 5.0
"""Seconds after which it is taken as it is: some pages never rest."""
POLL = 0.015


async def settle(browser: Browser, longest: float = LONGEST) -> None:
    """Wait until the front tab rests, a dialog is up, or time is over."""
    with anyio.move_on_after(longest):
        quiet_since, last = anyio.current_time(), ""
        while anyio.current_time() - quiet_since < QUIET:
            await browser.tabs.settle()
            tab = browser.tabs.front
            if tab.dialog is not None:
                return
            now = await _fingerprint(tab)
            if now != last or tab.loading:
                quiet_since, last = anyio.current_time(), now
            await anyio.sleep(POLL)


async def _fingerprint(tab: Tab) -> str:
    """Say what a change would change."""
    counts = []
    for frame, document in list(tab.documents.items()):
        if tab.dialog is not None:
            break
        try:
            counts.append(str(await document.ask("changes")))
        except PlaywrightError:  # it navigates
            counts.append(f"gone {frame.url}")
    return f"{tab.page.url} {' '.join(counts)}"
