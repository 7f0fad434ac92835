"""Whether an action is waited for until the screen rests, and how much longer than needed.

`python -m benchmarks.linux_settle_rows` prints what each action took. The truth is what `frames` saw: the last change
of the picture that the action brought about.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import anyio
import anyio.to_thread

from benchmarks.row import Row
from deskhand.core.action import Action, Click, CloseWindow, Hotkey, OnElement, Press
from deskhand.core.observation import Element, OneWindow, Window
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux

QT = Path(__file__).with_name("apps") / "settling_qt.py"
TIMES = 5
AFTERWARDS = 0.8
"""Seconds without a change after which nothing more comes of an action."""
PATIENCE = 60.0
LINES = "".join(f"<p>Line {number} of a page that is long</p>" for number in range(400))
PAGE = f"""<title>Settling</title>
<button onclick="for (let n = 0; n < 200; n++) more.append('Item ' + n + ' ')">Add</button>
<button onclick="more.innerHTML = ''">Empty</button>
<p id=more></p>{LINES}"""


class Wait(NamedTuple):
    """How long an action was waited for."""

    what: str
    seconds: float
    """After the last change that it brought about; negative when it was not waited for to the end."""

    @property
    def early(self) -> bool:
        return self.seconds < 0


class Frames:
    """What `frames` says of a display."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.seen: list[float] = []

    @classmethod
    @asynccontextmanager
    async def of(cls, display: str) -> AsyncIterator[Frames]:
        command = [sys.executable, "-m", "benchmarks.frames", display]
        with subprocess.Popen(  # noqa: ASYNC220 -- nothing else is to be done until it watches
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            frames = cls(process)
            assert process.stdin
            assert process.stdout
            assert process.stdout.readline() == "watching\n"
            async with anyio.create_task_group() as group:
                group.start_soon(frames._read)
                try:
                    yield frames
                finally:
                    process.stdin.close()

    async def _read(self) -> None:
        assert self._process.stdout
        while line := await anyio.to_thread.run_sync(self._process.stdout.readline):
            self.seen.append(float(line.split()[0]))

    async def last(self) -> float:
        """Wait until nothing changes any more; give when something last did."""
        since = time.monotonic()
        with anyio.move_on_after(PATIENCE):
            while (left := max([since, *self.seen[-1:]]) + AFTERWARDS - time.monotonic()) > 0:  # noqa: ASYNC110
                await anyio.sleep(left)
        return self.seen[-1] if self.seen else 0.0


class Stage:
    """A desktop with one application on it."""

    def __init__(self, desktop: Desktop, device: LinuxDevice, frames: Frames) -> None:
        self.desktop = desktop
        self.device = device
        self.frames = frames
        self.window = ""

    async def windows(self) -> tuple[Window, ...]:
        return (await self.device.observe(OneWindow(id=self.window))).observation.windows

    async def start(self, title: str, *command: str) -> None:
        await self.desktop.start(with_options(command, self.desktop.environment))
        ends = time.monotonic() + PATIENCE
        while not (found := [window for window in await self.windows() if title in window.title]):
            assert time.monotonic() < ends, f"no window {title!r} came up"
        self.window = found[0].id
        await self.frames.last()

    async def element(self, name: str, role: str = "") -> Element:
        ends = time.monotonic() + PATIENCE
        while True:
            seen = (await self.device.observe(OneWindow(id=self.window))).observation.elements
            if found := [e for e in seen if e.name == name and role in ("", e.role) and not e.box.empty]:
                return found[-1]
            assert time.monotonic() < ends, f"there is no {role} {name!r}, only {[e.name for e in seen]}"

    async def do(self, action: Action) -> str:
        return (await self.device.perform(action, self.window)).text

    async def waited(self, what: str, action: Action) -> Wait:
        """Do an action whose effect is seen; tell how long it was waited for."""
        began = len(self.frames.seen)
        text = await self.do(action)
        returned = time.monotonic()
        last = await self.frames.last()
        assert len(self.frames.seen) > began, f"nothing came of it: {what}: {text}"
        return Wait(what, returned - last)

    async def close_others(self) -> None:
        for window in await self.windows():
            if window.id != self.window:
                await self.do(CloseWindow(window=window.id))
        await self.frames.last()


async def calculator(stage: Stage) -> AsyncIterator[Wait]:
    await stage.start("galculator", "galculator")
    seven, menu = await stage.element("7"), await stage.element("Help", "menu")
    for _ in range(TIMES):
        yield await stage.waited("gtk: button", Click(target=OnElement(id=seven.id)))
        yield await stage.waited("gtk: menu", Click(target=OnElement(id=menu.id)))
        about = await stage.element("About")
        yield await stage.waited("gtk: dialog", Click(target=OnElement(id=about.id)))
        await stage.close_others()


async def editor(stage: Stage) -> AsyncIterator[Wait]:
    await stage.start("Mousepad", "mousepad")
    for _ in range(TIMES):
        yield await stage.waited("gtk: new window", Hotkey(keys=("ctrl", "shift", "n")))
        await stage.close_others()


async def qt(stage: Stage) -> AsyncIterator[Wait]:
    await stage.start("Settling", "/usr/bin/python3", str(QT))
    tabs = [await stage.element(name) for name in ("Two", "One")]
    menu, slow = await stage.element("File"), await stage.element("Slow")
    for time_ in range(TIMES):
        yield await stage.waited("qt: tab", Click(target=OnElement(id=tabs[time_ % 2].id)))
        yield await stage.waited("qt: menu", Click(target=OnElement(id=menu.id)))
        await stage.do(Press(keys=("Escape",)))
        await stage.frames.last()
        yield await stage.waited("qt: busy for 0.2 s", Click(target=OnElement(id=slow.id)))


async def page(stage: Stage) -> AsyncIterator[Wait]:
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(PAGE)
        file.flush()
        await stage.start("Settling", "chromium", f"file://{file.name}")
        add, empty = await stage.element("Add"), await stage.element("Empty")
        for _ in range(TIMES):
            yield await stage.waited("chromium: script", Click(target=OnElement(id=add.id)))
            await stage.do(Click(target=OnElement(id=empty.id)))
            await stage.frames.last()
            yield await stage.waited("chromium: scrolling", Press(keys=("Page_Down",)))
            await stage.do(Press(keys=("Home",)))
            await stage.frames.last()
            yield await stage.waited("chromium: new tab", Hotkey(keys=("ctrl", "t")))
            await stage.do(Hotkey(keys=("ctrl", "w")))
            await stage.frames.last()


async def writer(stage: Stage) -> AsyncIterator[Wait]:
    await stage.start("LibreOffice Writer", "soffice", "--writer")
    menu = await stage.element("Format", "menu")
    for _ in range(TIMES):
        yield await stage.waited("writer: menu", Click(target=OnElement(id=menu.id)))
        await stage.do(Press(keys=("Escape",)))
        await stage.do(Press(keys=("Escape",)))
        await stage.frames.last()
        yield await stage.waited("writer: dialog", Hotkey(keys=("ctrl", "h")))
        await stage.close_others()
        yield await stage.waited("writer: word", Press(keys=("a", "b", "space")))


async def calc(stage: Stage) -> AsyncIterator[Wait]:
    await stage.start("LibreOffice Calc", "soffice", "--calc")
    for _ in range(TIMES):
        yield await stage.waited("calc: cell", Press(keys=("7", "Return")))
        yield await stage.waited("calc: scrolling", Press(keys=("Page_Down",)))


SCENES: tuple[Callable[[Stage], AsyncIterator[Wait]], ...] = (calculator, editor, qt, page, writer, calc)


async def waits(only: Sequence[str] = ()) -> list[Wait]:
    found: list[Wait] = []
    for scene in SCENES:
        if only and scene.__name__ not in only:
            continue
        async with (
            virtual_desktop() as desktop,
            open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
            Frames.of(desktop.display_name) as frames,
        ):
            async for each in scene(Stage(desktop, device, frames)):
                found.append(each)
    return found


@cache
def all_waits() -> tuple[Wait, ...]:
    return tuple(anyio.run(waits))


def overshoot() -> Iterator[float]:
    yield from (each.seconds * 1000 for each in all_waits() if not each.early)


def early() -> Iterator[float]:
    found = all_waits()
    yield 100 * sum(each.early for each in found) / len(found)


ROWS = (
    Row("linux-settle-overshoot", 80, "ms", overshoot, "linux", trials=1),
    Row("linux-settle-early", 5, "%", early, "linux", trials=1),
)

if __name__ == "__main__":
    by_kind: dict[str, list[int]] = {}
    for wait in anyio.run(waits, sys.argv[1:]):
        by_kind.setdefault(wait.what, []).append(round(wait.seconds * 1000))
    for kind, times in by_kind.items():
        print(
            json.dumps(
                {"what": kind, "early": sum(t < 0 for t in times), "median": statistics.median(times), "ms": times}
            )
        )
