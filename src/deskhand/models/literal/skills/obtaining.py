"""Buying, ordering and booking: by the control for it that what is wanted has, or that the page is there for."""

from __future__ import annotations

import re

from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Instead, Move, Turn
from deskhand.models.literal.records import Record, records, with_words
from deskhand.models.literal.sight import look_again
from deskhand.models.literal.skills.extremes import extreme
from deskhand.models.literal.skills.pointing import after_click, click_on
from deskhand.models.literal.skills.recorded import control_of
from deskhand.perception.ground import find
from deskhand.perception.naming import fold, words
from deskhand.perception.quoting import mask, quote
from deskhand.perception.scene import Scene

_ADDS = ("+", "add", "add to cart", "add to basket", "plus", "increase")
_BUTTONS = frozenset({"button", "link"})


def obtain(turn: Turn) -> Move:
    """Click what gets the thing that is named, or the one that a superlative means."""
    clause = turn.clause
    if turn.tries:
        return after_click(turn, turn.memo.get("what", clause.target))
    found = extreme(turn, clause.target) or _in_record(turn) or _on_page(turn)
    if found is not None:
        return click_on(turn, found)
    return look_again(turn, clause.target) or Ask(f"“{clause.text}”: which control does that?")


def _in_record(turn: Turn) -> Element | None:
    fitting = with_words(records(turn.scene), mask(turn.clause.target).plain)
    return _control(turn, fitting[0]) if len(fitting) == 1 else None


def _control(turn: Turn, record: Record) -> Element | None:
    inside = Scene(e for e in record.elements if e.role in _BUTTONS)
    return find(turn.clause.mode, inside).only or (inside.elements[0] if len(inside.elements) == 1 else None)


def _on_page(turn: Turn) -> Element | None:
    """Give the only control of the page that is called like the verb, where all that is wanted is written on it."""
    written = {word for text in turn.scene.texts() for word in words(fold(text))}
    wanted = re.sub(r"(?i)\b(?:the|an?|some|one|my)\b", "", mask(turn.clause.target).plain)
    if not set(words(wanted)) <= written:
        return None
    return find(turn.clause.mode, turn.scene, _BUTTONS).only


def order_items(turn: Turn) -> Move:
    """Add one of so many things that have some words, or of each that is named, and send the order off."""
    clause = turn.clause
    add = next((sign for sign in _ADDS if any(control_of(record, quote(sign)) for record in records(turn.scene))), "")
    if not add:
        return look_again(turn, "what adds something") or Ask(f"“{clause.text}”: which control adds something?")
    send = "press “order”"
    if clause.what:
        joint = r"\s*,\s*(?:and\s+)?" if "," in clause.value else r"\s+and\s+"
        names = [name.strip() for name in re.split(joint, clause.value) if name.strip()]
        clicks = (f"click {quote(add)} on 1 item with {quote(name)}" for name in names)
        return Instead((*clicks, send), f"{len(names)} things are to be added")
    return Instead((f"click {quote(add)} on {clause.times} items with {quote(clause.value)}", send), "add, then order")
