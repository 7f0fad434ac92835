"""Texts of documents that are pointed at by what they say: "the title “Plans”"."""

from __future__ import annotations

from deskhand.core.observation import Element
from deskhand.models.literal.moves import Turn
from deskhand.models.literal.passages import read_passage
from deskhand.perception.quoting import mask


def passage_called(turn: Turn, words: str) -> Element | None:
    """Give the only paragraph that says no more than what is quoted."""
    passage = read_passage(mask(words))
    if passage is None or not passage.text:
        return None
    texts = [e for e in turn.scene.elements if e.role == "paragraph"]
    found = [e for e in texts if passage.text.strip() in (e.value.strip(), e.name.strip())]
    return found[0] if len(found) == 1 else None
