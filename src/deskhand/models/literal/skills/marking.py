"""Marking text on a page, as with the mouse."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Done, Fail, Move, Turn
from deskhand.models.literal.sight import ask_which, look_again, pick, said
from deskhand.models.literal.skills.reading import only_passage

_TEXTS = frozenset({"paragraph", "label", "heading"})


def mark(turn: Turn) -> Move:
    """Mark the whole text of a paragraph by three clicks."""
    if turn.tries:
        return (
            Fail(f"it could not be marked: {turn.failed}") if turn.failed else Done(f"marked the {turn.memo['what']}")
        )
    words = turn.clause.target
    found = only_passage(turn, words) or pick(turn, words, _TEXTS)
    if not isinstance(found, Element):
        return look_again(turn, words) or ask_which(turn, words, found)
    what = said(found, turn.scene)[:80]
    return turn.act(Click(target=OnElement(id=found.id), clicks=3), thought=f"mark the {what}", what=what)
