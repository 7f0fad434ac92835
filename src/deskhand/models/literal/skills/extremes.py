"""One of several by what is measured of each, and all of them in the order of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from deskhand.core.action import At, Click
from deskhand.core.observation import Element
from deskhand.models.literal.arithmetic import read_number
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.records import records
from deskhand.models.literal.sight import has, look_again
from deskhand.models.literal.superlatives import Superlative, measured, read_superlative
from deskhand.perception.quoting import mask

_PRESSED = frozenset({"button", "link", "option", "listitem", "cell", "img", "radio"})
_CONTROLS = frozenset({"button", "link", "checkbox", "radio"})
_FEWEST = 2


def extreme(turn: Turn, words: str) -> Element | None:
    """Give the one that a superlative means; None when words are none, or it cannot be told."""
    wanted = read_superlative(mask(words).plain)
    if wanted is None:
        return None
    found = list(_measured(turn, wanted))
    if len(found) < _FEWEST:
        return None
    best = max(value for value, _ in found) if wanted.most else min(value for value, _ in found)
    tops = [element for value, element in found if value == best]
    return tops[0] if len(tops) == 1 else None


def _measured(turn: Turn, wanted: Superlative) -> Iterator[tuple[Fraction, Element]]:
    """Give each with its measure: controls that are numbers, else records; none where one of them has no measure."""
    if wanted.measure == "number":
        numbers = [(number, e) for e in _pressed(turn) if (number := read_number(e.name)) is not None]
        if len(numbers) >= _FEWEST:
            yield from numbers
            return
    pairs = []
    for record in records(turn.scene):
        value = measured([e.name for e in record.elements], wanted.measure)
        controls = [e for e in record.elements if e.role in _CONTROLS and not has(e, "disabled")]
        if not controls:
            continue  # what only stands behind the last one
        if value is None or len(controls) != 1:
            return
        pairs.append((value, controls[0]))
    yield from pairs


def _pressed(turn: Turn) -> Iterator[Element]:
    for e in turn.scene.top:
        if e.role in _PRESSED and "press" in e.actions and not has(e, "disabled", "offscreen"):
            yield e


def click_in_order(turn: Turn) -> Move:
    """Click all numbers that are shown, the smallest or the greatest first; where they were, as clicked ones may go."""
    if turn.tries:
        if turn.failed:
            return Fail(f"clicking the numbers failed: {turn.failed}")
        return Done(f"clicked {turn.memo['what']}")
    asked = turn.asked_at
    shown = [
        (number, e)
        for e in turn.scene.top
        if (number := read_number(e.name)) is not None
        and (asked is None or (e.box.top >= asked.bottom and e.box.left < asked.right))
    ]
    values = [number for number, _ in shown]
    if len(values) < _FEWEST or len(set(values)) != len(values):
        return look_again(turn, "the numbers") or Ask(f"“{turn.clause.text}”: which numbers are meant?")
    shown.sort(key=lambda pair: pair[0], reverse=turn.clause.mode == "falling")
    what = ", ".join(e.name.strip() for _, e in shown)
    clicks = tuple(Click(target=At(point=e.box.center)) for _, e in shown)
    return turn.act(*clicks, thought=f"click {what}", what=what)
