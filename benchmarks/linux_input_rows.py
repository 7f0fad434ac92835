"""How soon what is clicked or written arrives, in real applications that say so themselves."""

from __future__ import annotations

import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial

import anyio
import anyio.to_thread

from benchmarks.fields import KITS, Field, Open, Program, begin, program
from benchmarks.peers import figures_of, need
from benchmarks.row import Peer, Row
from deskhand.core.action import Write
from deskhand.core.geometry import Point
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.x11.display import Display

CLICKS = 30
STEP = 20
"""Pixels between two clicks, so that they are no double click."""
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
    async with _one_field() as (desktop, opened):
        display = Display.open(desktop.display_name)
        pointer = Pointer(display)
        figures = []
        for number in range(CLICKS):
            place = Point(opened.element.box.left + STEP * (number + 1), opened.element.box.center.y)
            started = time.monotonic()
            await pointer.click(place)
            figures.append((await opened.field.pressed() - started) * 1000)
        display.close()
    return figures


def milliseconds_with(program: str) -> Iterator[float]:
    """The same with another program, in a process of its own."""
    yield from anyio.run(_clicked_with, program)


async def _clicked_with(program: str) -> list[float]:
    async with _one_field() as (desktop, opened):
        place = opened.element.box.left + STEP, opened.element.box.center.y
        began = await _told(program, desktop, "click", *map(str, place), str(CLICKS))
        return [(await opened.field.pressed() - each) * 1000 for each in began]


async def _told(program: str, desktop: Desktop, *words: str) -> list[float]:
    """Have another program do something; give when its calls began."""
    python = need(program if program == "xdotool" else "pyautogui")
    # pyautogui does not do without a file of this kind, though an empty one will do.
    environment = {**desktop.environment, "XAUTHORITY": "/dev/null"}
    run = partial(figures_of, "peers_input.py", program, *words, python=python, environment=environment)
    return await anyio.to_thread.run_sync(run)


@asynccontextmanager
async def _one_field() -> AsyncIterator[tuple[Desktop, Open[Program]]]:
    async with (
        virtual_desktop() as desktop,
        open_linux(spec_of(desktop), desktop.environment) as device,
        program("gtk3", desktop, device) as opened,
    ):
        yield desktop, opened


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
    await begin(opened, device, text)
    started = time.monotonic()
    result = await device.perform(Write(message=text, target=opened.target))
    held = await opened.field.held(LATE)
    assert held.complete, f"{opened.kit}: {result.text}; it holds {held.text!r}"
    assert result.outcome == "done", f"{opened.kit}: {result}"
    return (held.at - started) * 1000


def typed_with(program: str, text: str) -> Iterator[float]:
    """The same with another program; nothing when a text arrived wrong anywhere, which ends it."""
    yield from anyio.run(_typed_with, program, text)


async def _typed_with(program: str, text: str) -> list[float]:
    figures = []
    async with virtual_desktop() as desktop, open_linux(spec_of(desktop), desktop.environment) as device:
        for open_field in KITS.values():
            async with open_field(desktop, device) as opened:
                await opened.field.begin(text)
                (began,) = await _told(program, desktop, "type", text)
                held = await opened.field.held(LATE)
            if not held.complete:
                return []
            figures.append((held.at - began) * 1000)
    return [max(figures)]


def spec_of(desktop: Desktop) -> str:
    return f"linux:display={desktop.display_name}"


PROGRAMS = ("pyautogui", "xdotool")


def _writing(name: str, goal: float, text: str) -> Row:
    peers = tuple(Peer(program, partial(typed_with, program, text), "typing") for program in PROGRAMS)
    return Row(name, goal, "ms", partial(milliseconds_until_complete, text), "linux", trials=1, peers=peers)


ROWS = (
    Row(
        "linux-click",
        2,
        "ms",
        milliseconds_to_a_handler,
        "linux",
        peers=tuple(Peer(program, partial(milliseconds_with, program)) for program in PROGRAMS),
    ),
    _writing("linux-type-ascii", 50, ASCII),
    _writing("linux-type-mixed", 60, MIXED),
)
