"""Fields that want one of what they suggest: the text is written, and the suggestion that has it is taken."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskhand.core.action import Click, OnElement, Wait, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Act, Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import ask_which, has, look_again, pick, said
from deskhand.models.literal.trips import ENDS
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import fold
from deskhand.perception.quoting import quote
from deskhand.perception.scene import FIELDS

_OFFERS = frozenset({"option", "listitem", "menuitem", "row", "cell", "link", "button", "label"})
_LATE = 4


def fill_in(turn: Turn) -> Move:
    """Write a text and take the suggestion for it; where nothing is suggested the text stays as it is."""
    field = turn.scene.get(turn.memo.get("id", "")) or _field(turn)
    if not isinstance(field, Element):
        return field
    what, wanted = said(field, turn.scene), turn.clause.value
    if turn.failed:
        return Fail(f"nothing was entered into the {what}: {turn.failed}")
    if turn.memo.get("taken"):
        return Done(f"the {what} holds {field.value!r}") if field.value else _late(turn) or Fail(f"the {what} is empty")
    if not turn.tries:
        entry = Write(message=wanted, target=OnElement(id=field.id), replace=True)
        before = " ".join(e.id for e in turn.scene.elements)
        return turn.act(entry, thought=f"write {wanted!r} and see what is suggested", id=field.id, before=before)
    offers = [
        e
        for e in turn.scene.elements
        if e.id not in turn.memo["before"].split() and e.role in _OFFERS and not has(e, "covered", "offscreen")
    ]
    fitting = _fitting(offers, wanted)
    if len(fitting) > 1:
        names = ", ".join(repr(e.name) for e in fitting[:5])
        return Ask(f"“{turn.clause.text}”: several suggestions fit: {names}. Which one is meant?")
    if fitting:
        taking = Click(target=OnElement(id=fitting[0].id))
        return turn.act(taking, thought=f"take {fitting[0].name!r}", taken="1", late="0")
    return _late(turn) or Done(f"wrote {wanted!r} into the {what}; nothing was suggested")


def _fitting(offers: Sequence[Element], wanted: str) -> list[Element]:
    """Give the suggestions that are called so, else those that begin with the words, else those that have them."""
    plain = re.escape(fold(wanted))
    for form in (rf"{plain}", rf"{plain}(?!\w).*", rf".*(?<!\w){plain}(?!\w).*"):
        found = [e for e in offers if re.fullmatch(form, fold(e.name))]
        if found:
            # A row and the text in it say the same.
            return list({fold(e.name): e for e in reversed(found)}.values())
    return []


def _late(turn: Turn) -> Act | None:
    if turn.count("late") >= _LATE:
        return None
    return turn.again(Wait(seconds=0.2), "looking for suggestions", late=str(turn.count("late") + 1))


def _field(turn: Turn) -> Element | Move:
    words = turn.clause.target
    for name in ENDS.get(words.lower(), ()):
        found = find(quote(name), turn.scene, FIELDS)
        if found.only is not None:
            return found.only
    named = pick(turn, words, FIELDS)
    if isinstance(named, Element):
        return named
    return look_again(turn, words) or ask_which(turn, words, named if named.best else Choice(()))
