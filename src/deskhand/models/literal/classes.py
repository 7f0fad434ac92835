"""What numbers may be told apart by, in words: "odd or even"."""

from __future__ import annotations

import re

CLASSES = frozenset({"odd", "even", "positive", "negative", "zero"})


def read_classes(text: str) -> tuple[str, ...]:
    """Read "odd or even" as classes; none unless all words for them are known and there are two or more."""
    parts = re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+|\s*/\s*", text.strip().lower())
    named = tuple(re.sub(r"^(?:an?\s+)|\s+(?:numbers?|ones?)$", "", part) for part in parts)
    return named if len(named) > 1 and set(named) <= CLASSES else ()
