"""The built-in model, asked to do something on a page."""

from __future__ import annotations

from pathlib import Path

from deskhand.core.action import OpenUrl
from deskhand.core.ports import Device
from deskhand.journal.memory import MemoryJournal
from deskhand.settings import load
from deskhand.testing import ScriptedUser
from deskhand.wiring import Wiring
from deskhand.workplace import Carried, workplace_on


async def asked_of(browser: Device, address: str, request: str, folder: Path) -> Carried:
    """Open a page and carry a request out on it; all that is asked for is allowed."""
    await browser.perform(OpenUrl(url=address), "")
    wiring = Wiring(load(["device=browser", "yes=true"], {}, folder), ScriptedUser(), ())
    return await workplace_on(browser, wiring, MemoryJournal()).carry_out(request, folder)
