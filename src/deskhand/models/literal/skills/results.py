"""The n-th of several results of a search, which may go on over several pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from deskhand.core.action import Click, OnElement
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Move, Turn
from deskhand.models.literal.sight import has, look_again
from deskhand.models.literal.skills.seeking import next_page
from deskhand.perception.description import ORDINAL, ordinal
from deskhand.perception.scene import Scene

_RESULT = re.compile(
    rf"^(?:the\s+)?(?:very\s+)?(?P<which>{ORDINAL})\s+(?:(?:search|found|listed|shown)\s+)*(?:results?|hits?|match|finding)"
    r"(?:\s+(?:link|title|page|entry|item))?(?:\s+(?:in|of|on|from|for)\s+.+)?$",
    re.IGNORECASE,
)
_MOST_PAGES = 30
_SAME_COLUMN = 3


def nth_result(turn: Turn, words: str) -> Element | Move | None:
    """Give the result that is counted, going on to further pages; None when no result is spoken of or none shown."""
    said = _RESULT.match(words)
    place = ordinal(said["which"]) if said else 0
    shown = heads(turn.scene) if place > 0 else []
    if place <= 0 or (not shown and not turn.memo.get("passed")):
        return None
    passed, before = turn.count("passed"), turn.memo.get("heads", "")
    mark = " ".join(e.name for e in shown)
    if before and (mark == before or not shown):
        waiting = look_again(turn, "the next page of results")
        return waiting or Ask(f"“{turn.clause.text}”: there are only {passed} results. Which one is meant?")
    if place <= passed + len(shown):
        return shown[place - passed - 1]
    further = next_page([e for e in turn.scene.top if not has(e, "covered")])
    if further is None or turn.count("pages") >= _MOST_PAGES:
        return Ask(f"“{turn.clause.text}”: there are only {passed + len(shown)} results. Which one is meant?")
    memo = {"passed": str(passed + len(shown)), "heads": mark, "pages": str(turn.count("pages") + 1), "looked": "0"}
    return turn.prepare(Click(target=OnElement(id=further.id)), thought="go on to the next page of results", **memo)


def heads(scene: Scene) -> Sequence[Element]:
    """Give what heads each of several results: links under one another, best those with more text between them."""
    links = [
        e for e in scene.top if e.role == "link" and e.name.strip() and not has(e, "covered", "offscreen", "hidden")
    ]
    alone = [e for e in links if not any(o is not e and _beside(o, e) for o in links)]
    columns: list[list[Element]] = []
    for e in sorted(alone, key=lambda e: e.box.top):
        column = next((c for c in columns if abs(c[0].box.left - e.box.left) <= _SAME_COLUMN), None)
        if column is None:
            columns.append([e])
        else:
            column.append(e)
    return max(columns, key=lambda column: (_spaced(column), len(column)), default=[])


def _beside(one: Element, other: Element) -> bool:
    return abs(one.box.center.y - other.box.center.y) * 2 < min(one.box.height, other.box.height)


def _spaced(column: Sequence[Element]) -> bool:
    """Tell whether there is room for a text under each of them."""
    gaps = [b.box.top - a.box.bottom for a, b in pairwise(column)]
    return bool(gaps) and min(gaps) * 2 > max(e.box.height for e in column)
