"""What a private desktop costs: to bring up, to keep, to take down."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

import anyio

from benchmarks.core_rows import DESKHAND, seconds_of
from benchmarks.row import Row
from deskhand.cli.demo import tasks
from deskhand.devices.linux.desktops.virtual import AccessibilityBus, Desktop, accessibility_bus, virtual_desktop
from deskhand.devices.linux.windows.listing import window_manager
from deskhand.devices.linux.x11.display import Display

RUNS = 8
SIDE_BY_SIDE = 8
PATIENCE = 5.0
"""Seconds after which what still runs counts as left behind."""
PROC = Path("/proc")


def figures(measure: Callable[[], Awaitable[float]], runs: int = RUNS) -> Iterator[float]:
    return (anyio.run(measure) for _ in range(runs))


async def milliseconds_to_come_up() -> float:
    start = time.perf_counter()
    async with virtual_desktop() as desktop:
        took = time.perf_counter() - start
        check_that_all_answer(desktop)
    return took * 1000


async def seconds_until_several_are_up() -> float:
    async with AsyncExitStack() as stack:
        start = time.perf_counter()
        async with anyio.create_task_group() as group:
            for _ in range(SIDE_BY_SIDE):
                group.start_soon(hold_one, stack)
        return time.perf_counter() - start


async def megabytes_when_up() -> float:
    async with virtual_desktop() as desktop:
        return sum(map(proportional_bytes, processes_of(desktop))) / 1e6


async def milliseconds_to_go_down() -> float:
    async with AsyncExitStack() as stack:
        desktop = await stack.enter_async_context(virtual_desktop())
        processes = processes_of(desktop)
        start = time.perf_counter()
    deadline = start + PATIENCE
    while left := [name for pid in processes if (name := alive(pid))]:
        assert time.perf_counter() < deadline, f"still running: {', '.join(left)}"
        await anyio.sleep(0.001)
    took = time.perf_counter() - start
    assert not desktop.folder.exists(), f"{desktop.folder} was left behind"
    return took * 1000


async def hold_one(stack: AsyncExitStack) -> None:
    await stack.enter_async_context(virtual_desktop())


def seconds_to_a_checked_file() -> Iterator[float]:
    """Carry out the first request of the demo as a user would, and look at what is in the file."""
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        task, _ = tasks(Path(folder))
        yield seconds_of(DESKHAND, "run", "--json", "--run-dir", Path(folder) / "run", task.request)
        written = task.file.read_text(encoding="utf-8")
        assert written.rstrip("\n") == task.content, f"the file holds {written!r}"


def check_that_all_answer(desktop: Desktop) -> None:
    display = Display.open(desktop.display_name)
    try:
        assert window_manager(display), "no window manager answers"
    finally:
        display.close()
    answer = accessibility_bus(desktop.environment["DBUS_SESSION_BUS_ADDRESS"], 1)
    assert isinstance(answer, AccessibilityBus), f"the accessibility bus does not answer: {answer}"


def processes_of(desktop: Desktop) -> list[int]:
    """Give all processes below the one that guards a desktop, and that one."""
    found = [desktop.programs.guardian_pid]
    for pid in found:
        for children in (PROC / str(pid) / "task").glob("*/children"):
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                found += map(int, children.read_text().split())
    return found


def proportional_bytes(pid: int) -> int:
    """Give its memory, with what it shares divided among those who share it."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # a bus forks once to start what it was asked for
        return 0
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def alive(pid: int) -> str:
    """Give the name of a process that still runs, else nothing."""
    try:
        _, name, state = (PROC / str(pid) / "stat").read_text().split(maxsplit=2)
    except FileNotFoundError:
        return ""
    return "" if state.startswith("Z") else name


ROWS = (
    Row("linux-up", 300, "ms", partial(figures, milliseconds_to_come_up), "linux"),
    Row("linux-up-mb", 40, "MB", partial(figures, megabytes_when_up, 2), "linux", trials=1),
    Row("linux-up-8", 2, "s", partial(figures, seconds_until_several_are_up, 1), "linux"),
    Row("linux-down", 100, "ms", partial(figures, milliseconds_to_go_down), "linux"),
    Row("linux-demo1", 6, "s", seconds_to_a_checked_file, "linux"),
)
