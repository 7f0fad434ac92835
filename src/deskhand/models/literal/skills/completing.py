"""Fields that suggest what may be entered: the suggestion that begins and ends as was said is taken."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement, Press, Wait, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import editables, pick, said

_OFFERS = frozenset({"option", "listitem", "menuitem", "row", "cell", "link", "button", "label"})
_LATE = 8


def complete(turn: Turn) -> Move:
    """Write how it begins, and take a suggestion that is as was said."""
    clause = turn.clause
    field = turn.scene.get(turn.memo.get("id", "")) or _field(turn)
    if field is None:
        return Ask(f"“{clause.text}”: there is no field, or several. Which one is meant?")
    if turn.failed:
        return Fail(f"nothing was entered: {turn.failed}")
    begins, ends = clause.value, clause.to.strip("“”\"'")
    if turn.memo.get("taken"):
        if _fits(field.value, begins, ends):
            return Done(f"entered {field.value!r} into the {said(field, turn.scene)}", field.value)
        return _later(turn, "the suggestion") or Fail(f"the field shows {field.value!r}")
    if not turn.tries:
        keys = (
            Click(target=OnElement(id=field.id)),
            Write(message=begins, target=OnElement(id=field.id), replace=True),
        )
        before = " ".join(e.id for e in turn.scene.elements)
        return turn.act(*keys, thought=f"write {begins!r} and see what is suggested", id=field.id, before=before)
    offers = [e for e in turn.scene.elements if e.id not in turn.memo["before"].split() and e.role in _OFFERS]
    fitting = [e for e in offers if _fits(e.name, begins, ends)]
    if not fitting:
        further = Press(keys=("down",))
        waiting = _later(turn, "a suggestion")
        if waiting is None and not turn.memo.get("asked_for"):
            return turn.prepare(further, thought="ask for suggestions by the arrow", asked_for="1", late="0")
        return waiting or Ask(f"“{clause.text}”: nothing that is suggested fits. What is to be entered?")
    return turn.act(
        Click(target=OnElement(id=fitting[-1].id)), thought=f"take {fitting[-1].name!r}", taken="1", late="0"
    )


def _fits(text: str, begins: str, ends: str) -> bool:
    return text.strip().startswith(begins) and text.strip().endswith(ends) and bool(text.strip())


def _later(turn: Turn, words: str) -> Move | None:
    late = turn.count("late")
    return turn.again(Wait(seconds=0.2), f"looking for {words}", late=str(late + 1)) if late < _LATE else None


def _field(turn: Turn) -> Element | None:
    if turn.clause.target:
        found = pick(turn, turn.clause.target)
        return found if isinstance(found, Element) else None
    fields = [e for e in editables(turn) if "multiline" not in e.states]
    return fields[0] if len(fields) == 1 else None
