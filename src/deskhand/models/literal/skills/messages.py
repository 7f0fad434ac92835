"""Messages in a list: opened, forwarded, answered, deleted or marked, by the controls they have."""

from __future__ import annotations

from deskhand.core.observation import Element
from deskhand.models.literal.moves import Instead, Move, Turn
from deskhand.models.literal.records import records, with_words
from deskhand.models.literal.skills.recorded import control_of, in_record
from deskhand.perception.quoting import quote

_CALLED = {
    "delete": ("delete", "trash", "remove", "bin", "🗑"),
    "star": ("star", "important", "flag", "favourite", "favorite", "☆", "★", "⭐"),
}


def message(turn: Turn) -> Move:
    """Say by what clicks and entries it is done; a control in the list itself saves opening the message."""
    clause, record = turn.clause, f"the record of {quote(turn.clause.target)}"
    found = in_record(turn, record)
    if found is not None and not isinstance(found, Element):
        return found
    opening = f"click {record}"
    if clause.mode == "forward":
        return _steps(opening, "click “forward”", f"fill in “to” with {quote(clause.to)}", "click “send”")
    if clause.mode == "reply":
        return _steps(opening, "click “reply”", f"write {quote(clause.value)} into the text area", "click “send”")
    for name in _CALLED[clause.mode]:
        if any(control_of(one, name) for one in with_words(records(turn.scene), clause.target)):
            return _steps(f"click “{name}” of {record}")
    return _steps(opening, f"click “{clause.mode}”")


def _steps(*clauses: str) -> Instead:
    return Instead(clauses, f"{len(clauses)} steps do it")
