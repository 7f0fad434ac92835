"""The browser's process: found, started with a profile of its own, or reached where it runs."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from playwright.async_api import BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from deskhand.core.errors import DeviceError
from deskhand.devices.browser.spec import BrowserSpec

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--password-store=basic",
    "--use-mock-keychain",
)


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
async def browsing(spec: BrowserSpec, environment: Mapping[str, str]) -> AsyncIterator[BrowserContext]:
    """Give a browser with what it keeps; leaving the block ends it, or only our tabs where it ran before.

    Raises:
        DeviceError: it cannot be started or reached.
    """
    async with AsyncExitStack() as stack:
        driver = await stack.enter_async_context(async_playwright())
        if spec.cdp:
            yield await _reached(driver, spec.cdp)
            return
        profile = spec.profile or stack.enter_context(
            tempfile.TemporaryDirectory(prefix="deskhand-browser-", ignore_cleanup_errors=True)
        )
        context = await _started(driver, spec, Path(profile).expanduser(), environment)
        stack.push_async_callback(context.close)
        yield context


async def _started(
    driver: Playwright, spec: BrowserSpec, profile: Path, environment: Mapping[str, str]
) -> BrowserContext:
    flags = [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    try:
        return await driver.chromium.launch_persistent_context(
            profile,
            executable_path=find_chromium(environment.get("PATH")),
            headless=not spec.headed,
            viewport={"width": spec.size.width, "height": spec.size.height},
            device_scale_factor=spec.scale,
            args=flags,
            env=dict(environment),
            accept_downloads=True,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except PlaywrightError as error:
        raise DeviceError(f"the browser does not start: {first_line(error)}") from error


async def _reached(driver: Playwright, url: str) -> BrowserContext:
    try:
        browser = await driver.chromium.connect_over_cdp(url, timeout=10_000)
    except PlaywrightError as error:
        raise DeviceError(
            f"no browser answers at {url} ({first_line(error)}); start it with --remote-debugging-port=PORT"
        ) from error
    return browser.contexts[0] if browser.contexts else await browser.new_context()


def first_line(error: PlaywrightError) -> str:
    """Give what an error of the driver says first, without its log."""
    return error.message.strip().partition("\n")[0]
