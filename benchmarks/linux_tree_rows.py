"""What it costs to read the elements of a window: all of it, again after an action, and of what is frozen.

Read is through `Accessibility.read` and `survey`, the part of `observe` that the picture is not: from asking the bus
which application a window belongs to until the elements are there. The connection to the bus is there before.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from itertools import cycle

import anyio

from benchmarks.peers import figures_of, need
from benchmarks.reading import CALC, CALCULATOR, EDITOR, LONG_PAGE, PAGE, WIDGETS, WRITER, Program, Shown, showing
from benchmarks.row import Peer, Row
from deskhand.core.message import ElementsPart
from deskhand.devices.linux.accessibility.reader import Reading
from deskhand.devices.linux.accessibility.walk import MOST_CELLS
from deskhand.devices.linux.waiting import until
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.render import render_parts
from deskhand.models.spending import estimate

RUNS = 9
PEER_RUNS = 3
Read = Callable[[Shown], Reading]


def figures(program: Program, measure: Callable[[Shown], Awaitable[list[float]]]) -> list[float]:
    """Measure what is shown of a program on a desktop of its own."""

    async def run() -> list[float]:
        async with showing(program) as shown:
            return await measure(shown)

    return anyio.run(run)


def milliseconds(shown: Shown, read: Read = Shown.read) -> float:
    start = time.perf_counter()
    reading = read(shown)
    took = (time.perf_counter() - start) * 1000
    shown.complete(reading)
    return took


async def anew(shown: Shown, read: Read = Shown.read) -> list[float]:
    """Read again and again without knowing anything from before."""
    took = []
    for _ in range(RUNS):
        shown.tree.connect()
        took.append(milliseconds(shown, read))
    return took


async def wholly(shown: Shown) -> list[float]:
    return await anew(shown, Shown.survey)


def bare(shown: Shown) -> float:
    """Give what a sheet costs when none of its cells are read; they are from now on."""
    shown.read()
    took = min(milliseconds(shown) for _ in range(RUNS))
    shown.tree.most_cells = MOST_CELLS
    return took


async def first_cells(shown: Shown) -> list[float]:
    """Read cells for the first time in the life of the application."""
    rest = bare(shown)
    return [milliseconds(shown) - rest]


async def warm_cells(shown: Shown) -> list[float]:
    rest = bare(shown)
    shown.read()
    took = [milliseconds(shown) - rest for _ in range(RUNS)]
    cells = [each for each in shown.read().elements if each.role == "cell" and each.value.startswith("Cell ")]
    assert len(cells) > 800, f"only {len(cells)} cells with their texts"
    return took


async def again(shown: Shown, controls: str, effect: Callable[[Reading], object]) -> list[float]:
    """Use one of some controls, wait until that shows, and read all once more."""
    took = []
    # GTK 3 takes no second press of a button within a quarter of a second.
    for _, control in zip(range(RUNS), cycle(controls.split(","))):
        element = shown.element(control)
        before = effect(shown.read())
        assert shown.tree.press(element.id), f"{control!r} cannot be pressed"
        assert await until(lambda: effect(shown.read()) != before, 5), f"{control!r} does nothing"  # noqa: B023
        took.append(milliseconds(shown))
    return took


def states_of(name: str, reading: Reading) -> object:
    return [each.states for each in reading.elements if each.name == name]


def values_of(reading: Reading) -> object:
    return [each.value for each in reading.elements]


@asynccontextmanager
async def halted(shown: Shown) -> AsyncIterator[None]:
    os.kill(shown.window.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(shown.window.pid, signal.SIGCONT)


async def frozen(shown: Shown) -> list[float]:
    """Read an application that was read before and has stopped to answer; gives seconds."""
    async with halted(shown):
        start = time.perf_counter()
        reading = shown.read()
        took = time.perf_counter() - start
    assert "galculator does not answer" in reading.truncated, f"nobody is named: {reading.truncated!r}"
    return [took]


async def tokens(shown: Shown) -> list[float]:
    """Count what the list of all elements costs a model, by the rule that spending goes by when nobody counts."""
    reading = shown.read()
    shown.complete(reading)
    part = ElementsPart(elements=reading.elements, truncated=reading.truncated)
    text = JsonReply().compose("app", (part,)).turns[0].text
    listed = render_parts((part,))
    assert listed in text, "the dialect writes elements otherwise"
    assert "more" not in listed.splitlines()[-2], "the list is cut"
    return [estimate(len(listed), 0)]


async def frozen_for_gi(shown: Shown) -> list[float]:
    async with halted(shown):
        return figures_of(
            "peers_gi.py", "frozen", str(shown.window.pid), "1", "7", environment=shown.desktop.environment
        )


def gi(program: Program, what: str) -> Peer:
    async def measure(shown: Shown) -> list[float]:
        arguments = (what, str(shown.window.pid), str(PEER_RUNS), program.landmark)
        return figures_of("peers_gi.py", *arguments, environment=shown.desktop.environment)

    return Peer("python3-gi", partial(_peer, program, measure), "Atspi walk, 3000 children a node at most")


def cua(program: Program) -> Peer:
    async def measure(shown: Shown) -> list[float]:
        arguments = (str(shown.window.pid), shown.window.id, str(PEER_RUNS), program.landmark)
        python = need("cua-driver")
        return figures_of("peers_cua.py", *arguments, python=python, environment=shown.desktop.environment)

    return Peer("cua-driver", partial(_peer, program, measure))


def _peer(program: Program, measure: Callable[[Shown], Awaitable[list[float]]]) -> Iterable[float]:
    need("python3-gi", "gir1.2-atspi-2.0")
    return figures(program, measure)


def tree_row(
    name: str, goal: float, program: Program, measure: Callable[[Shown], Awaitable[list[float]]], gi_what: str
) -> Row:
    peers = (gi(program, gi_what), cua(program))
    return Row(f"linux-tree-{name}", goal, "ms", partial(figures, program, measure), "linux", trials=2, peers=peers)


def again_row(name: str, goal: float, program: Program, controls: str, effect: Callable[[Reading], object]) -> Row:
    measure = partial(again, controls=controls, effect=effect)
    return Row(f"linux-again-{name}", goal, "ms", partial(figures, program, measure), "linux", trials=2)


ROWS = (
    tree_row("gtk-small", 10, CALCULATOR, anew, "all"),
    tree_row("editor", 70, EDITOR, wholly, "all"),
    tree_row("writer", 80, WRITER, anew, "shown"),
    tree_row("calc", 120, CALC, anew, "shown"),
    tree_row("chromium-full", 90, PAGE, wholly, "all"),
    tree_row("chromium-visible", 120, LONG_PAGE, anew, "shown"),
    tree_row("qt", 100, WIDGETS, anew, "shown"),
    Row("linux-cells-calc-warm", 200, "ms", partial(figures, CALC, warm_cells), "linux", trials=2),
    Row("linux-cells-calc-first", 450, "ms", partial(figures, CALC, first_cells), "linux"),
    again_row("gtk", 10, CALCULATOR, "1,2,3,4,5,6,7,8,9", values_of),
    again_row("writer", 60, WRITER, "Bold", partial(states_of, "Bold")),
    again_row("chromium", 100, LONG_PAGE, "Label 3", partial(states_of, "Label 3")),
    again_row("qt", 90, WIDGETS, "Check 0.3", partial(states_of, "Check 0.3")),
    Row("linux-tokens-editor", 1100, "tokens", partial(figures, EDITOR, tokens), "linux", trials=1),
    Row("linux-tokens-page", 1100, "tokens", partial(figures, PAGE, tokens), "linux", trials=1),
    Row(
        "linux-frozen",
        2.1,
        "s",
        partial(figures, CALCULATOR, frozen),
        "linux",
        trials=1,
        peers=(Peer("python3-gi", partial(_peer, CALCULATOR, frozen_for_gi), "Atspi walk"),),
    ),
)
