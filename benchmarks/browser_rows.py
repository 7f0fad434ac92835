"""What a browser costs: a look at a page of 5,000 elements, a click, a step, an attempt, and ten browsers at a time."""

from __future__ import annotations

import base64
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
from playwright.async_api import Page

import deskhand
from benchmarks.row import Peer, Row
from deskhand.bench.attempt import Case
from deskhand.bench.bench import Bench
from deskhand.bench.miniwob import MiniWob
from deskhand.bench.suites import SUITES
from deskhand.core.action import Click, OnElement
from deskhand.core.errors import DeskhandError
from deskhand.core.event import Record
from deskhand.core.observation import ACTIVE_WINDOW, Element
from deskhand.devices.browser.looking import look, read
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.session import BrowserDevice, rigged
from deskhand.devices.browser.spec import BrowserSpec
from deskhand.perception.options import Perception, PictureOptions
from deskhand.settings import load
from deskhand.testing import ScriptedUser

LOOKS = 15
CLICKS = 15
JPEG = Perception(pictures=PictureOptions(format="jpeg"))
ROWS_OF_PAGE = 1000
ROW = (
    "<div><span>Item {0}</span> <a href=#{0}>Link {0}</a> <button>Press {0}</button>"
    "<input aria-label='Field {0}'></div>"
)
COUNTING = "<script>addEventListener('click',()=>at=performance.timeOrigin+performance.now())</script>"
CALM = "<button style='display:block' onclick='this.title=1'>Button {0}</button>"


def page(row: str, rows: int) -> str:
    """Give the address of a page of its own."""
    body = "".join(row.format(number) for number in range(rows))
    html = f"<!doctype html><title>Bench</title>{COUNTING}{body}".encode()
    return f"data:text/html;base64,{base64.b64encode(html).decode()}"


@asynccontextmanager
async def showing(url: str) -> AsyncIterator[Browser]:
    async with rigged(BrowserSpec(url=url), dict(os.environ), JPEG) as browser:
        yield browser


async def timed(act: Callable[[], Awaitable[object]], times: int = LOOKS) -> list[float]:
    """Do something once, then give the milliseconds that it takes."""
    await act()
    figures = []
    for _ in range(times):
        began = time.perf_counter()
        await act()
        figures.append((time.perf_counter() - began) * 1e3)
    return figures


async def reading() -> list[float]:
    async with showing(page(ROW, ROWS_OF_PAGE)) as browser:
        seen = await read(browser, browser.tabs.front)
        assert len(seen.elements) > 100, len(seen.elements)
        return await timed(lambda: read(browser, browser.tabs.front))


async def looking() -> list[float]:
    async with showing(page(ROW, ROWS_OF_PAGE)) as browser:
        device = BrowserDevice("browser", browser)
        return await timed(device.observe)


async def by_playwright(what: Callable[[Page], Awaitable[object]]) -> list[float]:
    """Time one of the driver's own functions on the same page in the same browser."""
    async with showing(page(ROW, ROWS_OF_PAGE)) as browser:
        front = browser.tabs.front.page
        return await timed(lambda: what(front), 5)


async def snapshot(front: Page) -> object:
    return await front.locator("body").aria_snapshot()


async def snapshot_with_picture(front: Page) -> object:
    return await front.locator("body").aria_snapshot(), await front.screenshot(type="jpeg", quality=80)


async def clicks(click: Callable[[Browser, Element], Awaitable[Any]]) -> list[float]:
    """Give the milliseconds from the call until the page has the event."""
    figures = []
    async with showing(page(CALM, 20)) as browser:
        seen = (await look(browser, ACTIVE_WINDOW)).observation
        for element in [e for e in seen.elements if e.role == "button"][:CLICKS]:
            began = time.time() * 1e3
            await click(browser, element)
            figures.append(await browser.tabs.front.page.evaluate("at") - began)
    return figures


async def our_click(browser: Browser, element: Element) -> None:
    result = await BrowserDevice("browser", browser).perform(Click(target=OnElement(id=element.id)))
    assert result.outcome == "done", result.text


async def their_click(browser: Browser, element: Element) -> None:
    await browser.tabs.front.page.get_by_role("button", name=element.name, exact=True).click()


async def steps() -> list[float]:
    """Give the milliseconds from one step of the built-in model to the next, on a page of 5,000 elements."""
    times: list[float] = []

    def note(record: Record) -> None:
        if record.event.kind == "step.started" and record.scope.agent.startswith("AppAgent"):
            times.append(time.perf_counter() * 1e3)

    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        html = Path(folder) / "page.html"
        html.write_bytes(base64.b64decode(page(ROW, ROWS_OF_PAGE).partition(",")[2]))
        settings = load([f"device=browser:{html.as_uri()}", "yes=true", "pictures.format=jpeg"], {}, html)
        wanted = ", ".join(f"click Press {number}" for number in range(1, 9))
        result = await deskhand.run(
            wanted, settings=settings, user=ScriptedUser(), run_dir=Path(folder) / "run", listeners=[note]
        )
    assert str(result.outcome) == "finished", result
    return [later - earlier for earlier, later in pairwise(times)]


async def failures_of_ten() -> list[float]:
    """Give how many of ten browsers side by side did not do what was asked of them."""
    failed = []

    async def one(number: int) -> None:
        try:
            async with showing(page(CALM, 20)) as browser:
                seen = (await look(browser, ACTIVE_WINDOW)).observation
                await our_click(browser, next(e for e in seen.elements if e.name == f"Button {number}"))
        except (DeskhandError, AssertionError) as error:
            failed.append(f"{number}: {error}")

    async with anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(one, number)
    return [len(failed)]


async def episodes() -> list[float]:
    """Give the milliseconds of an attempt at a task of three steps, from its page to the judge's word."""
    settings = load([f"device={SUITES['miniwob'].device}", "yes=true"], {}, Path())
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        bench = Bench(MiniWob(settings), [Case("enter-text", seed) for seed in range(6)], Path(folder), settings)
        await bench.run()
    attempts = list(bench.attempts.values())
    assert all(attempt.success for attempt in attempts), attempts
    return [attempt.seconds * 1e3 for attempt in attempts[1:]]


def measured(measure: Callable[..., Awaitable[list[float]]], *given: object) -> Callable[[], Iterator[float]]:
    return lambda: iter(anyio.run(measure, *given))


ROWS = (
    Row(
        "browser-observe-5000",
        40,
        "ms",
        measured(reading),
        "browser",
        peers=(Peer("Playwright aria_snapshot", measured(by_playwright, snapshot)),),
    ),
    Row(
        "browser-observe-5000-jpeg",
        60,
        "ms",
        measured(looking),
        "browser",
        peers=(Peer("Playwright aria_snapshot and screenshot", measured(by_playwright, snapshot_with_picture)),),
    ),
    Row(
        "browser-click",
        10,
        "ms",
        measured(clicks, our_click),
        "browser",
        peers=(Peer("Playwright click", measured(clicks, their_click)),),
    ),
    Row("browser-step", 150, "ms", measured(steps), "browser"),
    Row("browser-miniwob-episode", 1000, "ms", measured(episodes), "browser"),
    Row("browser-ten", 0, "failures", measured(failures_of_ten), "browser", trials=1),
)
