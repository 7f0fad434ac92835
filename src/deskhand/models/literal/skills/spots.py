"""Clicks at spots that have no name, and lines and circles drawn by hand."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

from deskhand.core.action import At, Click, DragTo, OnElement
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import ask_which, look_again, pick, said
from deskhand.models.literal.skills.pointing import after_click
from deskhand.models.literal.spots import read_spot
from deskhand.perception.looks import looking_so, read_looks
from deskhand.perception.quoting import mask
from deskhand.perception.scene import LABELS, Scene

_IN_LINE = 4
"""Pixels by which the numbers along an axis may be out of line."""
_REACH = 0.4
"""How far from a pair of coordinates something drawn may stand to be what is at them, in parts of a unit."""
_MARK = 16
"""Pixels across the largest mark that a click leaves, and how far beside the spot it is looked for."""
_LENGTH = 40
"""Pixels from what a line goes through to its ends."""
_RADIUS = 25
_CORNERS = 24
_EDGE = 4


def click(turn: Turn) -> Move:
    """Click the middle of something, or what stands at a pair of coordinates."""
    if turn.tries:
        return _corrected(turn) or after_click(turn, turn.memo.get("what", "spot"))
    words = mask(turn.clause.target).plain
    spot = read_spot(words)
    if spot is None:
        return Fail(f"“{turn.clause.text}” names no spot")
    if spot.pair is not None:
        return _at_pair(turn, spot.pair)
    looks = read_looks(spot.of)
    found = looking_so(looks._replace(how_many="all"), turn.scene) if looks else ()
    if len(found) != spot.things:
        why = f"there are {len(found)} of {spot.of} here"
        return look_again(turn, spot.of) or Ask(f"“{turn.clause.text}”: {why}. Where exactly?")
    x = sum(e.box.left + e.box.right for e in found) / (2 * len(found))
    y = sum(e.box.top + e.box.bottom for e in found) / (2 * len(found))
    return _click_at(turn, x, y, words)


def _click_at(turn: Turn, x: float, y: float, what: str) -> Move:
    drawn = " ".join(e.id for e in turn.scene.top if e.drawn)
    action = Click(target=At(point=Point(round(x), round(y))))
    return turn.act(action, thought=f"click {what}", what=what, drawn=drawn, spot=f"{x} {y}")


def _corrected(turn: Turn) -> Move | None:
    """Click once more where the mark that a click has left is beside the spot, as much to the other side."""
    before = turn.memo.get("drawn", "").split()
    marks = [e for e in turn.scene.top if e.drawn.endswith(("circle", "square")) and e.id not in before]
    marks = [e for e in marks if max(e.box.width, e.box.height) <= _MARK]
    if turn.tries > 1 or turn.failed or len(marks) != 1 or "spot" not in turn.memo:
        return None
    x, y = map(float, turn.memo["spot"].split())
    aside = _middle(marks[0], True) - x, _middle(marks[0], False) - y
    if not 1 <= max(map(abs, aside)) <= _MARK:
        return None
    return _click_at(turn, x - aside[0], y - aside[1], turn.memo["what"])


def _at_pair(turn: Turn, pair: tuple[int, int]) -> Move:
    across, down = _axis(turn.scene, level=True), _axis(turn.scene, level=False)
    if across is None or down is None:
        return look_again(turn, "the axes") or Ask(f"“{turn.clause.text}”: no axes with numbers are to be seen here.")
    x, y = (origin + unit * number for (origin, unit), number in zip((across, down), pair, strict=True))
    reach = _REACH * min(abs(across[1]), abs(down[1]))
    drawn = [e for e in turn.scene.top if e.drawn and max(e.box.width, e.box.height) <= 2 * reach]
    near = min(drawn, key=lambda e: math.dist(e.box.center, (x, y)), default=None)
    what = f"the spot at {pair}"
    if near is not None and math.dist(near.box.center, (x, y)) <= reach:
        return turn.act(Click(target=OnElement(id=near.id)), thought=f"click the {said(near, turn.scene)}", what=what)
    return _click_at(turn, x, y, what)


def _axis(scene: Scene, *, level: bool) -> tuple[float, float] | None:
    """Give where 0 is and how long a unit is along the axis that the most numbers stand at; None without one."""
    lines: dict[int, list[Element]] = defaultdict(list)
    numbers = [e for e in scene.top if e.role in LABELS and re.fullmatch(r"[-−]?\d+", e.name.strip())]
    for one in numbers:
        for other in numbers:
            if abs(_middle(one, not level) - _middle(other, not level)) <= _IN_LINE:
                lines[round(_middle(one, not level))].append(other)
    best: Sequence[Element] = max(lines.values(), key=len, default=[])
    ends = sorted(best, key=lambda e: _middle(e, level))
    values = [int(e.name.strip().replace("−", "-")) for e in ends]
    if len(set(values)) < 2 or values not in (sorted(values), sorted(values, reverse=True)):
        return None
    unit = (_middle(ends[-1], level) - _middle(ends[0], level)) / (values[-1] - values[0])
    return _middle(ends[0], level) - unit * values[0], unit


def _middle(element: Element, level: bool) -> float:
    box = element.box
    return (box.left + box.right) / 2 if level else (box.top + box.bottom) / 2


def draw(turn: Turn) -> Move:
    """Draw a line through something, or a circle around it, by dragging."""
    if turn.tries:
        done = turn.done or turn.changed
        return (
            Done(f"drew a {turn.clause.what}") if done else Fail(f"nothing was drawn: {turn.failed or turn.evidence}")
        )
    found = pick(turn, turn.clause.target)
    if not isinstance(found, Element):
        return look_again(turn, turn.clause.target) or ask_which(turn, turn.clause.target, found)
    sheet = turn.scene.get(found.parent)
    if sheet is None:
        return Ask(f"“{turn.clause.text}”: where can be drawn here?")
    way = _circle(found.box, sheet.box) if turn.clause.what == "circle" else _line(turn, found.box, sheet.box)
    if way is None:
        return Ask(f"“{turn.clause.text}”: there is no room for that. What is meant?")
    action = DragTo(start=At(point=way[0]), path=tuple(way[1:-1]), target=At(point=way[-1]))
    return turn.act(action, thought=f"draw a {turn.clause.what} at the {said(found, turn.scene)}")


def _line(turn: Turn, dot: Box, sheet: Box) -> list[Point]:
    x, y = dot.center
    if turn.clause.mode == "vertical":
        return [Point(x, max(sheet.top + _EDGE, y - _LENGTH)), Point(x, min(sheet.bottom - _EDGE, y + _LENGTH))]
    return [Point(max(sheet.left + _EDGE, x - _LENGTH), y), Point(min(sheet.right - _EDGE, x + _LENGTH), y)]


def _circle(dot: Box, sheet: Box) -> list[Point] | None:
    x, y = (dot.left + dot.right) / 2, (dot.top + dot.bottom) / 2
    room = min(x - sheet.left, sheet.right - x, y - sheet.top, sheet.bottom - y) - _EDGE
    radius = min(_RADIUS, room)
    if radius <= max(dot.width, dot.height):
        return None
    turns = [2 * math.pi * corner / _CORNERS for corner in range(_CORNERS + 1)]
    return [Point(round(x + radius * math.cos(turn)), round(y + radius * math.sin(turn))) for turn in turns]
