"""What speaking to models costs on our side: to compose a request, to read replies, and how requests grow."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.fuzz import MODES, READERS
from benchmarks.row import Row
from deskhand.core.action import ActionResult, At, Click, OnElement, Write
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Box, Point, Size, smart_resize
from deskhand.core.message import (
    BlackboardEntry,
    BlackboardPart,
    BudgetPart,
    ElementsPart,
    HistoryPart,
    ModelRequest,
    NotesPart,
    Part,
    PastStep,
    PicturePart,
    PlanPart,
    RequestPart,
    SubtaskPart,
    WindowsPart,
)
from deskhand.core.observation import Element, Image, Window
from deskhand.core.ports import Dialect
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.plan import PlanReply

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "action_parse.jsonl"
SCREEN = Size(1920, 1080)
ROLES = ("button", "textbox", "checkbox", "menuitem", "label", "listitem")
RUNS = 20
EARLY, LATE = 5, 50
ELEMENTS = 300
FEW = 60
"""Elements of a small window, where the past weighs most."""


def dialects() -> tuple[Dialect, ...]:
    return (JsonReply(), NativeReply(), PlanReply(), MarksReply())


def elements(count: int) -> tuple[Element, ...]:
    return tuple(
        Element(
            id=f"e{n}",
            role=ROLES[n % len(ROLES)],
            name=f"What control {n} is called",
            value="some text" if n % 6 == 1 else "",
            box=Box.at(n % 20 * 90, n // 20 * 50, 80, 40),
            states=("focused",) if n == 7 else (),
            actions=("press",),
            parent="e0" if n else "",
        )
        for n in range(count)
    )


def step(number: int) -> PastStep:
    """Make an ordinary step: a click and what came of it, or a text that was entered."""
    element = OnElement(id=f"e{number}")
    text = (
        f"The button 'What control {number} is called' was pressed; the window 'Order form' shows something else now."
    )
    action = (
        Click(target=At(point=Point(9 * number, 500))) if number % 2 else Write(message="some text", target=element)
    )
    return PastStep(
        step=number,
        thought=f"The form is open, so the next thing is to fill in field {number} as the subtask says.",
        actions=(action,),
        results=(ActionResult(outcome="done", text=text),),
    )


def parts(taken: int, shown: tuple[Element, ...]) -> tuple[Part, ...]:
    """Give what an agent is told after so many steps of a task."""
    windows = tuple(
        Window(id=f"0xa0000{n}", title=f"Window {n}", app="form", box=Box(0, 0, 900, 700)) for n in range(4)
    )
    return (
        RequestPart(text="Fill in the order form from the list, save it, and say the number that it was given."),
        SubtaskPart(text="Fill in the order form and save it.", application="form", message=("Mind the units.",)),
        BlackboardPart(entries=tuple(BlackboardEntry(key=f"k{n}", value="a value") for n in range(3))),
        HistoryPart(steps=tuple(step(n) for n in range(1, taken + 1))),
        PlanPart(steps=tuple(f"What comes as number {n} of the plan" for n in range(5))),
        NotesPart(),
        BudgetPart(step=taken + 1, steps=60),
        WindowsPart(windows=windows),
        ElementsPart(elements=shown),
        PicturePart(image=Image(sha256="0" * 64, size=SCREEN)),
    )


def milliseconds_to_compose() -> Iterator[float]:
    """Give the times of the slowest dialect: 300 elements, twenty steps done."""
    told = parts(20, elements(ELEMENTS))
    yield from max((milliseconds(dialect, told) for dialect in dialects()), key=statistics.median)


def milliseconds(dialect: Dialect, told: tuple[Part, ...]) -> list[float]:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        dialect.compose("app", told)
        times.append(1000 * (time.perf_counter() - start))
    return times


def milliseconds_to_parse() -> Iterator[float]:
    """Read all open replies of the case file."""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    replies = [(READERS[MODES[case["mode"]]], case["raw"]) for case in cases]
    for _ in range(RUNS):
        start = time.perf_counter()
        for read, reply in replies:
            with suppress(UnreadableReply):
                read(reply)
        yield 1000 * (time.perf_counter() - start)


def growth() -> Iterator[float]:
    """Give how many times as large a late request is as an early one, in the dialect and window where it is most."""
    yield max(
        tokens(dialect.compose("app", parts(LATE - 1, shown))) / tokens(dialect.compose("app", parts(EARLY - 1, shown)))
        for dialect in dialects()
        for shown in (elements(ELEMENTS), elements(FEW))
    )


def tokens(request: ModelRequest) -> int:
    """Estimate as services count: four signs of text to a token, a token to each square of 28 pixels of a picture."""
    signs = len(request.system) + sum(len(turn.text) for turn in request.turns)
    return signs // 4 + squares([image.size for turn in request.turns for image in turn.pictures])


def squares(sizes: Sequence[Size]) -> int:
    shown = [smart_resize(*size) for size in sizes]
    return sum(size.width * size.height // (28 * 28) for size in shown)


ROWS = (
    Row("models-compose-parse", 5, "ms", milliseconds_to_compose, "models"),
    Row("models-parse-100", 20, "ms", milliseconds_to_parse, "models"),
    Row("models-growth", 1.2, "times", growth, "models", trials=1),
)
