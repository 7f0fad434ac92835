"""What is entered for somebody: the address of the one whose page it is, found by leafing through the pages."""

from __future__ import annotations

from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Move, Turn
from deskhand.models.literal.sight import look_again
from deskhand.models.literal.skills.pointing import after_click, click_on
from deskhand.models.literal.skills.seeking import look_inside
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import fold, words
from deskhand.perception.quoting import mask, quote

_ADDED = frozenset({"number", "value", "field", "entry", "line", "link", "name", "of", "the"})
_NEAR = 60
"""Pixels that an entry may stand under its caption."""


def entry(turn: Turn) -> Move:
    """Click what stands for a caption, where the page is about whoever is named."""
    clause, who = turn.clause, mask(turn.clause.target).plain
    if turn.tries:
        return after_click(turn, turn.memo.get("what", clause.value))
    whose = next((e for e in turn.scene.top if fold(e.name) == fold(who)), None)
    if whose is None:
        further = look_inside(turn, quote(who), Choice(()))
        waiting = further or look_again(turn, who)
        return waiting or Ask(f"“{clause.text}”: {who!r} does not come up here. Who is meant?")
    captions = [e for e in turn.scene.top if e.box.top >= whose.box.top and _is_caption(e, clause.value)]
    entries = [e for caption in captions if (e := _beside(turn, caption)) is not None]
    if len(entries) == 1:
        return click_on(turn, entries[0])
    named = find(clause.value, turn.scene, frozenset({"button", "link"})).only
    if named is not None:
        return click_on(turn, named)
    return look_again(turn, clause.value) or Ask(f"“{clause.text}”: no {clause.value!r} shows. Which entry is meant?")


def _is_caption(element: Element, words_: str) -> bool:
    caption, wanted = set(words(fold(element.name))), set(words(fold(words_)))
    return bool(caption) and "press" not in element.actions and caption <= wanted and wanted - caption <= _ADDED


def _beside(turn: Turn, caption: Element) -> Element | None:
    """Give what can be clicked right of a caption, else under it."""
    box = caption.box
    pressed = [e for e in turn.scene.top if "press" in e.actions and e.id != caption.id]
    right = [
        e for e in pressed if e.box.right > box.right and min(e.box.bottom, box.bottom) - max(e.box.top, box.top) > 3
    ]
    below = [e for e in pressed if 0 <= e.box.top - box.bottom < _NEAR and e.box.left < box.right]
    return min(right or below, key=lambda e: (e.box.top, e.box.left), default=None)
