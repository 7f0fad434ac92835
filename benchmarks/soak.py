"""A thousand steps on one desktop: what grows, and which steps are slow. `python -m benchmarks.soak [STEPS]`."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

import anyio
import xcffib.res

from benchmarks.linux_settle_rows import Frames, Stage
from deskhand.core.action import Action, ArrangeWindow, Click, Hotkey, OnElement, Press, Scroll, Write
from deskhand.core.geometry import Size
from deskhand.core.observation import Element, OneWindow
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.virtual import virtual_desktop

WARM = 0.2
"""The part of the steps after which what is held counts as full."""
SLOW = 3.0
"""Times the median of its kind of step that a step may take."""


class Held(NamedTuple):
    """What this process holds at one moment."""

    kilobytes: int
    files: int
    x_resources: int
    threads: int


def held(display: Display) -> Held:
    status = Path("/proc/self/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    threads = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Threads:"))
    return Held(resident, len(os.listdir("/proc/self/fd")), resources(display), threads)  # noqa: PTH208


def resources(display: Display) -> int:
    """Count what the clients of the X server that belong to this process have made there."""
    extension = display.extension("X-Resource", xcffib.res.key)
    extension.QueryVersion(1, 2).reply()
    total = 0
    for client in extension.QueryClients().reply().clients:
        spec = xcffib.res.ClientIdSpec.synthetic(client.resource_base, xcffib.res.ClientIdMask.LocalClientPID)  # type: ignore[no-untyped-call]  # xcffib has no annotations
        ids = extension.QueryClientIds(1, [spec]).reply().ids
        if os.getpid() in [int(value) for each in ids for value in each.value]:
            kinds = extension.QueryClientResources(client.resource_base).reply().types
            total += sum(kind.count for kind in kinds)
    return total


def action_for(number: int, seen: tuple[Element, ...], window: str) -> Action:
    """Give one of a round of actions; the text is emptied now and then, so that nothing but us could grow."""
    menu = next(each for each in seen if each.name == "Edit")
    round_: tuple[Action, ...] = (
        Write(message=f"line {number}\n"),
        Press(keys=("Home",)),
        Click(target=OnElement(id=menu.id)),
        Press(keys=("Escape",)),
        Scroll(clicks=-2),
        ArrangeWindow(window=window, how="resize", size=Size(700 + number % 7 * 10, 500)),
        Hotkey(keys=("ctrl", "a")),
        Press(keys=("Delete",)),
    )
    return round_[number % len(round_)]


async def soak(steps: int) -> dict[str, object]:
    async with (
        virtual_desktop() as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
        Frames.of(desktop.display_name) as frames,
    ):
        stage = Stage(desktop, device, frames)
        await stage.start("Mousepad", "mousepad")
        display = Display.open(desktop.display_name)
        times: dict[str, list[float]] = {}
        slow: list[str] = []
        warm = held(display)
        for number in range(steps):
            if number == int(steps * WARM):
                warm = held(display)
            start = time.monotonic()
            seen = (await device.observe(OneWindow(id=stage.window))).observation.elements
            action = action_for(number, seen, stage.window)
            result = await device.perform(action, stage.window)
            took = time.monotonic() - start
            known = times.setdefault(f"{number % 8} {action.kind}", [])
            if len(known) > 4 and took > SLOW * statistics.median(known):
                slow.append(f"step {number}: {action.kind} {took:.2f} s: {result.outcome}, {result.text}")
            known.append(took)
        end = held(display)
        display.close()
    medians = {kind: round(statistics.median(each) * 1000) for kind, each in times.items()}
    return {"steps": steps, "warm": warm._asdict(), "end": end._asdict(), "ms": medians, "slow": slow}


if __name__ == "__main__":
    print(json.dumps(anyio.run(soak, int((sys.argv[1:] or ["1000"])[0])), indent=1, ensure_ascii=False))
