"""Numbers that are told apart by what they are: each is marked odd or even, positive or negative, beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from deskhand.core.action import Click, OnElement
from deskhand.core.observation import Element
from deskhand.models.literal.classes import read_classes
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import has, look_again
from deskhand.perception.naming import fold

_IS: Mapping[str, Callable[[int], bool]] = {
    "odd": lambda number: number % 2 == 1,
    "even": lambda number: number % 2 == 0,
    "positive": lambda number: number > 0,
    "negative": lambda number: number < 0,
    "zero": lambda number: number == 0,
}
_MARKS = frozenset({"button", "radio", "checkbox", "link", "option", "switch", "label"})
_INTEGER = re.compile(r"^[-−+]?\d{1,9}$")


def classify(turn: Turn) -> Move:
    """Press, beside each number, what it is called by."""
    classes = read_classes(turn.clause.value)
    if turn.tries:
        if turn.failed:
            return Fail(f"they could not all be marked: {turn.failed}")
        return (
            Done(f"marked {turn.memo['marked']}") if turn.done or turn.changed else Fail("marking them changed nothing")
        )
    marks = [e for e in turn.scene.top if e.role in _MARKS and fold(e.name) in classes and not has(e, "disabled")]
    numbers = _nearest([e for e in turn.scene.top if _INTEGER.match(e.name.strip())], marks)
    if not numbers:
        waiting = look_again(turn, f"numbers to be marked {turn.clause.value}")
        return waiting or Ask(f"“{turn.clause.text}”: no number here stands beside such marks. Which are meant?")
    chosen, said = [], []
    for e in numbers:
        number = int(e.name.strip().replace("−", "-"))
        fitting = [mark for mark in _beside(e, marks) if _IS[fold(mark.name)](number)]
        if len(fitting) != 1:
            return Ask(f"“{turn.clause.text}”: {len(fitting)} marks beside {number} fit. Which one is meant?")
        chosen.append(fitting[0])
        said.append(f"{number} {fold(fitting[0].name)}")
    clicks = tuple(Click(target=OnElement(id=mark.id)) for mark in chosen if not has(mark, "checked"))
    return turn.act(*clicks, thought=f"mark {', '.join(said)}", marked=", ".join(said))


def _nearest(numbers: Sequence[Element], marks: Sequence[Element]) -> list[Element]:
    """Give, of the numbers that share their marks, the one that stands next to them."""
    best: dict[tuple[str, ...], Element] = {}
    for e in numbers:
        beside = _beside(e, marks)
        key = tuple(mark.id for mark in beside)
        if beside and (key not in best or _gap(e, beside) < _gap(best[key], beside)):
            best[key] = e
    return list(best.values())


def _gap(number: Element, marks: Sequence[Element]) -> int:
    box = number.box
    return min(max(mark.box.left - box.right, box.left - mark.box.right, 0) for mark in marks)


def _beside(number: Element, marks: Sequence[Element]) -> list[Element]:
    """Give the marks in the row of a number."""
    box = number.box
    return [
        mark
        for mark in marks
        if mark.id != number.id
        and min(mark.box.bottom, box.bottom) - max(mark.box.top, box.top) > min(mark.box.height, box.height) / 2
    ]
