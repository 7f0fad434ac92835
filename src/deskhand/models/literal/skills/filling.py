"""Forms that are filled in from what is on the page beside them, or from a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Instead, Move, Turn
from deskhand.models.literal.sentences import assigned
from deskhand.models.literal.sight import button_of, editables, look_again
from deskhand.models.literal.skills.committing import only_commit_button
from deskhand.models.literal.skills.reading import belonging_to
from deskhand.perception.quoting import quote
from deskhand.perception.scene import LABELS

_FEWEST = 2
_GAP = 8
"""Pixels that a caption may stand under its field."""
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def from_page(turn: Turn) -> Move:
    """Give each field what stands beside its caption elsewhere on the page."""
    fields = _captioned(turn)
    found = {called: belonging_to(turn.scene, caption) for caption, called in fields}
    missing = [caption for caption, value in found.items() if not value]
    if fields and not missing:
        return Instead(tuple(_fill(called, value) for called, value in found.items()), "each field has its value")
    why = f"there is no value for {missing[0]!r}" if missing else "there are no fields with captions"
    return look_again(turn, "the fields and their values") or Ask(
        f"“{turn.clause.text}”: {why}. What is to be entered?"
    )


def from_sentence(turn: Turn, sentence: str) -> Instead | None:
    """Search by a form: each of its fields takes its part of the sentence; None where that cannot be told."""
    fields = _captioned(turn)
    button = only_commit_button(turn, "search") or button_of(turn, "find", "search", "submit")
    captions = [caption for caption, _ in fields]
    parts = assigned(sentence, captions) if len(fields) >= _FEWEST and button is not None else None
    if parts is None or button is None:
        return None
    entries = (_fill(called, parts[caption]) for caption, called in fields)
    return Instead((*entries, f"click {quote(button.name.strip())}"), "the form takes it in parts")


def _captioned(turn: Turn) -> Sequence[tuple[str, str]]:
    """Give the empty fields as what they are for and how they are called, where each has a caption of its own."""
    fields = [e for e in editables(turn) if not e.value]
    below = [_caption_below(turn, e) for e in fields]
    if all(below) and not (fields and turn.scene.caption(fields[0])):
        # Captions under their fields: the first has none over it.
        named = [(caption, f"{number}{_ENDINGS.get(number, 'th')} field") for number, caption in enumerate(below, 1)]
    else:
        captions = [turn.scene.caption(e).rstrip(": ") for e in fields]
        named = [(caption, quote(caption)) for caption in captions]
    captions = [caption for caption, _ in named]
    return named if all(captions) and len(set(captions)) == len(captions) else ()


def _caption_below(turn: Turn, field: Element) -> str:
    box = field.box
    under = [
        e
        for e in turn.scene.top
        if e.role in LABELS
        and -2 <= e.box.top - box.bottom <= _GAP
        and min(e.box.right, box.right) > max(e.box.left, box.left)
    ]
    return under[0].name.strip().rstrip(": ") if len(under) == 1 else ""


def _fill(called: str, value: str) -> str:
    return f"fill in the {called} with {quote(value)}"
