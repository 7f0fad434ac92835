"""The browser's process: found, started with a profile of its own, or reached where it runs."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import anyio
from playwright.async_api import Browser, BrowserContext, Page, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from deskhand.core.errors import DeviceError
from deskhand.devices.browser.sites import rules
from deskhand.devices.browser.spec import BrowserSpec
from deskhand.devices.linux.desktops.virtual import virtual_desktop

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STARTED = 30_000
"""Milliseconds for the browser to start, on a machine that has other work."""
CLOSED = 10.0
"""Seconds for it to close; the driver ends it with itself after that."""
LOCK = "SingletonLock"


class Running(NamedTuple):
    """A browser that runs, and the tab it came up with, which is ours."""

    context: BrowserContext
    first: Page | None


def find_chromium(search_path: str | None = None) -> str:
    """Find the system's browser.

    Raises:
        DeviceError: there is none; says how to get one.
    """
    for name in NAMES:
        if (found := shutil.which(name, path=search_path)) is not None:
            return found
    raise DeviceError("there is no Chromium here; on Debian: apt-get install chromium")


@asynccontextmanager
async def running(spec: BrowserSpec, environment: Mapping[str, str]) -> AsyncIterator[Running]:
    """Give a browser with what it keeps; leaving the block ends it, or lets go of it where it ran before.

    Raises:
        DeviceError: it cannot be started or reached.
    """
    program = "" if spec.cdp else find_chromium(environment.get("PATH"))
    profile = Path(spec.profile).expanduser() if spec.profile else None
    if profile is not None:
        unlock(profile)
    async with AsyncExitStack() as stack:
        variables = dict(environment)
        if spec.headed:
            desktop = await stack.enter_async_context(virtual_desktop(environment=environment))
            variables = {**variables, **desktop.environment}
        driver = await stack.enter_async_context(async_playwright())
        if spec.cdp:
            theirs = await _reached(driver, spec.cdp)
            stack.push_async_callback(theirs.close)  # which lets go of it, and removes what the driver kept
            yield Running(theirs.contexts[0] if theirs.contexts else await theirs.new_context(), None)
            return
        context = await _started(driver, spec, profile, {**variables, "CHROMIUM": program})
        stack.push_async_callback(_close, context)
        yield Running(context, context.pages[0] if context.pages else None)


async def _close(context: BrowserContext) -> None:
    with anyio.move_on_after(CLOSED, shield=True):
        await context.close()


async def _started(
    driver: Playwright, spec: BrowserSpec, profile: Path | None, environment: Mapping[str, str]
) -> BrowserContext:
    """Start it. Without a profile the driver makes one, and removes it even when we are killed."""
    flags = [*rules(spec), *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    try:
        return await driver.chromium.launch_persistent_context(
            profile or "",
            executable_path=environment["CHROMIUM"],
            headless=not spec.headed,
            viewport={"width": spec.size.width, "height": spec.size.height},
            device_scale_factor=spec.scale,
            locale="en-US",  # the order in which fields of dates are filled depends on it
            args=flags,
            env=dict(environment),
            accept_downloads=True,
            timeout=STARTED,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except PlaywrightError as error:
        raise DeviceError(f"the browser does not start: {first_line(error)}") from error


async def _reached(driver: Playwright, url: str) -> Browser:
    try:
        return await driver.chromium.connect_over_cdp(url, timeout=10_000)
    except PlaywrightError as error:
        raise DeviceError(
            f"no browser answers at {url} ({first_line(error)}); start it with --remote-debugging-port=PORT"
        ) from error


def unlock(profile: Path) -> None:
    """Take away the lock that a browser has left in a profile when it was killed.

    Raises:
        DeviceError: the browser that holds it runs.
    """
    lock = profile / LOCK
    if not lock.is_symlink():
        return
    host, _, pid = str(lock.readlink()).rpartition("-")
    if host == socket.gethostname() and pid.isdigit() and Path(f"/proc/{pid}").exists():
        raise DeviceError(f"another browser (process {pid}) uses the profile {profile}; close it, or use another one")
    for name in (LOCK, "SingletonSocket", "SingletonCookie"):
        (profile / name).unlink(missing_ok=True)


def first_line(error: PlaywrightError) -> str:
    """Give what an error of the driver says first, without its log."""
    return error.message.strip().partition("\n")[0]
