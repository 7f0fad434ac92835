"""Making a thing larger or smaller by its lower right corner."""

from __future__ import annotations

from deskhand.core.action import At, DragTo
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Done, Fail, Move, Turn
from deskhand.models.literal.sight import ask_which, look_again, pick, said

_CORNER = 4
"""Pixels from a thing's corner to where it is taken hold of."""
_BY = 20
_SMALLER = frozenset({"smaller", "shorter", "lower", "narrower", "less", "thinner"})
_SIDES = {"taller": "height", "higher": "height", "shorter": "height", "lower": "height"}
_SIDES |= {"wider": "width", "broader": "width", "narrower": "width", "thinner": "width"}


def resize(turn: Turn) -> Move:
    """Drag the corner of what is named; what has come of it is measured."""
    clause = turn.clause
    found = turn.scene.get(turn.memo.get("thing", "")) or pick(turn, clause.target)
    if not isinstance(found, Element):
        return look_again(turn, clause.target) or ask_which(turn, clause.target, found)
    side = clause.what if clause.what in ("height", "width") else _SIDES.get(clause.mode, "size")
    what = said(found, turn.scene)
    if turn.tries:
        before = tuple(map(int, turn.memo["size"].split()))
        grown = found.box.width - before[0], found.box.height - before[1]
        told = {"width": grown[:1], "height": grown[1:]}.get(side, grown)
        if all((change < 0) == (clause.mode in _SMALLER) and change for change in told):
            return Done(f"the {what} is {found.box.width} x {found.box.height} pixels now")
        return Fail(f"the {what} did not change its size; {turn.failed or 'it may not be one that can be resized'}")
    by = -min(_BY, found.box.width // 3, found.box.height // 3) if clause.mode in _SMALLER else _BY
    corner = Point(found.box.right - _CORNER, found.box.bottom - _CORNER)
    to = Point(corner.x + (by if side != "height" else 0), corner.y + (by if side != "width" else 0))
    action = DragTo(start=At(point=corner), target=At(point=to))
    size = f"{found.box.width} {found.box.height}"
    return turn.act(action, thought=f"make the {what} {clause.mode}", size=size, thing=found.id)
