"""What comes of actions on controls: how many are done, how many only said to be, and how fast one is proved."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache, partial

import anyio

from benchmarks.doing import DEEDS, Report, bench, carry_out
from benchmarks.peers import figures_of, need
from benchmarks.row import Peer, Row
from deskhand.core.action import Click, OnElement

BUTTONS = (7, 33, 64, 90, 118)


@cache
def reports() -> tuple[Report, ...]:
    """Carry out all deeds once, for both rows that count."""
    return tuple(report for name in DEEDS for report in anyio.run(carry_out, name))


def missed() -> Iterator[float]:
    deeds = [report for report in reports() if not report.deed.trap]
    assert len(deeds) == 50, f"there are {len(deeds)} deeds"
    yield sum(report.missed for report in deeds)


def false() -> Iterator[float]:
    yield sum(report.false for report in reports())


async def clicks_by_name() -> list[float]:
    """Give the milliseconds from the call to the proof, for buttons found by name in the last look."""
    figures = []
    async with bench("buttons") as there:
        for number in BUTTONS:
            button = await there.find("button", f"Button {number}")
            assert button, f"there is no button {number}"
            start = time.perf_counter()
            result = await there.device.perform(Click(target=OnElement(id=button.id)), there.window)
            figures.append((time.perf_counter() - start) * 1000)
            assert result.outcome == "done", result.text
            assert await there.says(f"pressed=Button {number}"), f"button {number} was not pressed"
    return figures


def milliseconds_to_proof() -> Iterator[float]:
    yield from anyio.run(clicks_by_name)


async def clicks_beside() -> list[float]:
    """Have pyatspi click the same buttons of such a page."""
    need("python3-pyatspi")
    async with bench("buttons") as there:
        windows = (await there.look()).windows
        pid = next(each.pid for each in windows if each.id == there.window)
        names = [f"Button {number}" for number in BUTTONS]
        return figures_of("peers_click.py", str(pid), str(there.log), *names, environment=there.environment)


PYATSPI = Peer("python3-pyatspi", partial(anyio.run, clicks_beside), "with the page's log as proof")

ROWS = (
    Row("linux-namedclick", 100, "ms", milliseconds_to_proof, "linux", peers=(PYATSPI,)),
    Row("linux-actions-missed", 5, "actions", missed, "linux", trials=1),
    Row("linux-actions-false", 0, "actions", false, "linux", trials=1),
)
