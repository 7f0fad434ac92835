"""How soon what is clicked or written arrives, in real applications that say so themselves."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial

import anyio

from benchmarks.fields import KITS, Field, Open, program
from benchmarks.row import Row
from deskhand.core.action import Write
from deskhand.core.geometry import Point
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.virtual import Desktop, virtual_desktop

CLICKS = 30
TYPED = 20
"""How often each text is written into each field; it has to be right every time."""
LATE = 5.0
"""Seconds after which a text that is not complete is wrong."""
ASCII = "The quick brown fox jumps over the lazy dog? <Yes> & 'no'; {[(0-9)]} " * 15
ASCII = ASCII[:1000]
MIXED = ("naïve façade – 你好 – 😀 Ж かな ไทย 한국어 αβγ € שלום مرحبا " * 5)[:200]


def milliseconds_to_a_handler() -> Iterator[float]:
    """Click at a point; from the call until the application's handler runs."""
    yield from anyio.run(_clicked)


async def _clicked() -> list[float]:
    figures = []
    async with (
        virtual_desktop() as desktop,
        open_linux(spec_of(desktop), desktop.environment) as device,
        program("gtk3", desktop, device) as opened,
    ):
        display = Display.open(desktop.display_name)
        pointer = Pointer(display)
        for number in range(CLICKS):
            place = Point(opened.element.box.left + 20 * (number + 1), opened.element.box.center.y)
            started = time.monotonic()
            await pointer.click(place)
            figures.append(await opened.field.pressed() - started)
        display.close()
    return [figure * 1000 for figure in figures]


def milliseconds_until_complete(text: str) -> Iterator[float]:
    """Write a text into each kind of field; the figures of the slowest, if every text arrived exactly everywhere.

    From the call until the application holds the whole text, what finding and watching the screen costs included.
    """
    of_each = anyio.run(_written, text)
    yield from max(of_each.values(), key=statistics.median)


async def _written(text: str) -> dict[str, list[float]]:
    found = {}
    async with virtual_desktop() as desktop, open_linux(spec_of(desktop), desktop.environment) as device:
        for kit, open_field in KITS.items():
            async with open_field(desktop, device) as opened:
                found[kit] = [await _one(opened, text, device) for _ in range(TYPED)]
    return found


async def _one(opened: Open[Field], text: str, device: LinuxDevice) -> float:
    await opened.field.begin(text)
    started = time.monotonic()
    result = await device.perform(Write(message=text, target=opened.target))
    held = await opened.field.held(LATE)
    assert held.complete, f"{opened.kit}: {result.text}; it holds {held.text!r}"
    assert result.outcome == "done", f"{opened.kit}: {result}"
    return (held.at - started) * 1000


def spec_of(desktop: Desktop) -> str:
    return f"linux:display={desktop.display_name}"


ROWS = (
    Row("linux-click", 2, "ms", milliseconds_to_a_handler, "linux"),
    Row("linux-type-ascii", 50, "ms", partial(milliseconds_until_complete, ASCII), "linux", trials=1),
    Row("linux-type-mixed", 60, "ms", partial(milliseconds_until_complete, MIXED), "linux", trials=1),
)
