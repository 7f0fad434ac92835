"""What it costs to list windows, and to take one whole step without a model: look, act, wait, read back."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import anyio

from benchmarks.linux_settle_rows import Frames, Stage
from benchmarks.peers import need
from benchmarks.row import Peer, Row
from deskhand.core.action import Action, Click, OnElement, Write
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, OneWindow, Window
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.windows.managing import frame_of
from deskhand.devices.linux.x11.display import Display

WINDOWS = 6
RUNS = 40
STEPS = 15
OPENED = 20.0
"""Seconds within which the windows come up."""


async def listing_by_all() -> dict[str, list[float]]:
    """List six windows with titles, processes, boxes, order and the active one, by us and by others, beside each other.

    What others got wrong has no figures.
    """
    async with virtual_desktop() as desktop:
        for number in range(WINDOWS):
            await desktop.start(["/usr/bin/xterm", "-T", f"window {number}"])
        display = Display.open(desktop.display_name)
        try:
            assert await until(lambda: all_up(display), OPENED), "the windows do not come up"
            windows = list_windows(display)
            found = {"ours": [milliseconds_to_list(display) for _ in range(RUNS)]}
            with wearing(desktop.environment):
                found["wmctrl"] = by_wmctrl(windows, display)
                found["xdotool"] = by_xdotool(windows)
        finally:
            display.close()
    return found


def all_up(display: Display) -> bool:
    windows = list_windows(display)
    return len(windows) == WINDOWS and any(window.active for window in windows)


@contextmanager
def wearing(environment: Mapping[str, str]) -> Iterator[None]:
    """Let programs that are started here see another desktop."""
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def milliseconds_to_list(display: Display) -> float:
    start = time.perf_counter()
    list_windows(display)
    return (time.perf_counter() - start) * 1000


def by_wmctrl(windows: tuple[Window, ...], display: Display) -> list[float]:
    need("wmctrl")
    figures, text = timed("wmctrl", "-l", "-p", "-G")
    told = {int(line.split()[0], 16): tuple(map(int, line.split()[3:7])) for line in text.splitlines() if line.strip()}
    right = all(told.get(int(w.id, 16)) in (box_of(w.box), box_of(frame_of(display, w))) for w in windows)
    return figures if right else []


def by_xdotool(windows: tuple[Window, ...]) -> list[float]:
    """Ask for the same with one call of xdotool: it gives no titles, processes or order with the boxes."""
    need("xdotool")
    figures, text = timed("xdotool", "search", "--onlyvisible", "--name", "window", "getwindowgeometry", "%@")
    boxes = re.findall(r"Window (\d+)\s+Position: (-?\d+),(-?\d+).*\s+Geometry: (\d+)x(\d+)", text)
    told = {int(number): tuple(map(int, box)) for number, *box in boxes}
    return figures if all(told.get(int(w.id, 16)) == box_of(w.box) for w in windows) else []


def box_of(box: Box) -> tuple[int, int, int, int]:
    return box.left, box.top, box.width, box.height


def timed(*command: str) -> tuple[list[float], str]:
    figures, text = [], ""
    for _ in range(RUNS // 2):
        start = time.perf_counter()
        text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=10).stdout
        figures.append((time.perf_counter() - start) * 1000)
    return figures, text


@cache
def listing() -> dict[str, list[float]]:
    return anyio.run(listing_by_all)


async def steps(title: str, program: str) -> list[float]:
    """Take whole steps; the time in which the application itself was still painting is taken off."""
    async with (
        virtual_desktop() as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
        Frames.of(desktop.display_name) as frames,
    ):
        stage = Stage(desktop, device, frames)
        await stage.start(title, program)
        figures = []
        for number in range(STEPS):
            start = time.monotonic()
            seen = (await device.observe(OneWindow(id=stage.window))).observation.elements
            looked = time.monotonic()
            result = await device.perform(action_for(seen, number), stage.window)
            end = time.monotonic()
            assert result.outcome == "done", result.text
            await frames.last()
            painted = [at for at in frames.seen if looked < at < end]
            painting = painted[-1] - painted[0] if painted else 0.0
            figures.append((end - start - painting) * 1000)
        return figures[3:]


def action_for(seen: tuple[Element, ...], number: int) -> Action:
    """Press a digit where there are digits, and clear a display that is nearly full; else write a word."""
    name = "AC" if number % 10 == 9 else str(7 + number % 2)
    button = next((each for each in seen if each.role == "button" and each.name == name), None)
    return Click(target=OnElement(id=button.id)) if button else Write(message=f"word {number} ")


ROWS = (
    Row(
        "linux-window",
        2,
        "ms",
        lambda: listing()["ours"],
        "linux",
        trials=1,
        peers=(
            Peer("wmctrl", lambda: listing()["wmctrl"], "-lpG"),
            Peer("xdotool", lambda: listing()["xdotool"], "search getwindowgeometry"),
        ),
    ),
    Row("linux-step-galculator", 100, "ms", lambda: anyio.run(steps, "galculator", "galculator"), "linux", trials=1),
    Row("linux-step-mousepad", 100, "ms", lambda: anyio.run(steps, "Mousepad", "mousepad"), "linux", trials=1),
)
