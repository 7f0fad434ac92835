"""A thousand steps on one desktop: what grows, and which steps are slow. `python -m benchmarks.soak [STEPS] [mixed]`.

With `mixed` a Qt window, a page and a terminal, whose text is read off its picture, are looked at between the steps.
It ends with 1 when memory grows by more than 5 %, or a step was slow and its result does not say why.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anyio
import xcffib.res

from benchmarks.linux_settle_rows import Frames, Stage
from deskhand.core.action import Action, ArrangeWindow, Click, CloseWindow, Hotkey, OnElement, Press, Scroll, Write
from deskhand.core.geometry import Size
from deskhand.core.observation import Observation, OneWindow
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.x11.display import Display

ROUND = 10
"""The actions of a round."""
WARM = 0.2
"""The part of the steps after which what is held counts as full."""
SLOW = 3.0
"""Times the median of its kind of step that a step may take."""
GROWTH = 0.05
BESIDE = (
    ("SpeedCrunch", ("speedcrunch",)),
    ("soaked", ("chromium", "--no-first-run", "data:text/html,<title>soaked</title>" + "<button>B</button>" * 200)),
    ("xterm", ("xterm", "-T", "xterm")),
)
"""What is looked at with `mixed`: the title and the command of each."""
EXPLAINED = 0.5
"""The part of what a step took beyond the median that the reasons in its result must come to."""


class Held(NamedTuple):
    """What this process holds at one moment."""

    kilobytes: int
    files: int
    x_resources: int
    threads: int
    beside: dict[str, int]
    """Kilobytes that the parts of the desktop hold, such as its X server."""


def held(display: Display, parts: Mapping[str, int]) -> Held:
    beside = {name: of_status(pid, "VmRSS") for name, pid in parts.items()}
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    return Held(of_status("self", "VmRSS"), files, resources(display), of_status("self", "Threads"), beside)


def of_status(process: int | str, key: str) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{key}:"))


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


def action_for(number: int, look: Observation, window: str, beside: Sequence[str]) -> Action:
    """Give one of a round of actions; the text is emptied now and then, so that nothing but us could grow.

    Raises:
        ValueError: the look is not whole; says why, as far as it says so itself.
    """
    menu = next((each for each in look.elements if each.name == "Edit"), None)
    if menu is None:
        told = look.truncated or "without saying that it is not whole"
        raise ValueError(f"step {number}: no menu among {len(look.elements)} elements of {look.window}, {told}")
    others = [each.id for each in look.windows if each.id not in (window, *beside)]
    last: Action = CloseWindow(window=others[0]) if others else Press(keys=("Escape",))  # it may come later
    round_: tuple[Action, ...] = (
        Write(message=f"line {number}\n"),
        Press(keys=("Home",)),
        Click(target=OnElement(id=menu.id)),
        Press(keys=("Escape",)),
        Scroll(clicks=-2),
        ArrangeWindow(window=window, how="resize", size=Size(700 + number % 7 * 10, 500)),
        Hotkey(keys=("ctrl", "a")),
        Press(keys=("Delete",)),
        Hotkey(keys=("ctrl", "shift", "n")),
        last,
    )
    return round_[number % ROUND]


async def soak(steps: int, *, mixed: bool = False) -> dict[str, object]:
    async with (
        virtual_desktop() as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
        Frames.of(desktop.display_name) as frames,
    ):
        stage = Stage(desktop, device, frames)
        beside = []
        for title, command in BESIDE if mixed else ():
            await stage.start(title, *command)
            beside.append(stage.window)
        await stage.start("Mousepad", "mousepad")
        display = Display.open(desktop.display_name)
        times: dict[str, list[float]] = {}
        slow: list[str] = []
        unexplained: list[str] = []
        warm = held(display, desktop.pids)
        for number in range(steps):
            if number == int(steps * WARM):
                warm = held(display, desktop.pids)
            start = time.monotonic()
            seen = (await device.observe(OneWindow(id=stage.window))).observation
            action = action_for(number, seen, stage.window, beside)
            result = await device.perform(action, stage.window)
            took = time.monotonic() - start
            known = times.setdefault(f"{number % ROUND} {action.kind}", [])
            usual = statistics.median(known or [took])
            if len(known) > 4 and took > SLOW * usual:
                told = f"step {number}: {action.kind} {took:.2f} s, not {usual:.2f}: {result.outcome}, {result.text}"
                is_explained = waited(result.waited) >= EXPLAINED * (took - usual)
                (slow if is_explained else unexplained).append(f"{told}; waited {result.waited}")
            known.append(took)
            for window in beside if number % ROUND == 0 else ():
                await device.observe(OneWindow(id=window))
        end = held(display, desktop.pids)
        display.close()
    medians = {kind: round(statistics.median(each) * 1000) for kind, each in times.items()}
    grown = [name for name, kilobytes in everything(end).items() if kilobytes > (1 + GROWTH) * everything(warm)[name]]
    figures = {"steps": steps, "warm": warm._asdict(), "end": end._asdict(), "ms": medians}
    return {**figures, "grown": grown, "slow": slow, "unexplained": unexplained}


def everything(held: Held) -> dict[str, int]:
    """Give the kilobytes of this process and of the parts of the desktop."""
    return {"self": held.kilobytes, **held.beside}


def waited(text: str) -> float:
    """Add up the seconds of a result's reasons."""
    return sum(map(float, re.findall(r"(\d+\.\d) s ", text)))


if __name__ == "__main__":
    found = anyio.run(partial(soak, mixed="mixed" in sys.argv), int((sys.argv[1:] or ["1000"])[0]))
    print(json.dumps(found, indent=1, ensure_ascii=False))
    sys.exit(1 if found["grown"] or found["unexplained"] else 0)
