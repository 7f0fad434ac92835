"""Superlatives, as they are said of one of several: "the cheapest ticket", "the card with the greatest number"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from deskhand.models.literal.arithmetic import read_number

_MONEY = ("cheapest", "least expensive", "most expensive", "priciest", "dearest", "costliest")
_TIME = ("shortest", "longest", "briefest", "quickest", "fastest", "slowest")
_LEAST: tuple[str, ...] = (
    "cheapest",
    "least expensive",
    "lowest",
    "smallest",
    "least",
    "shortest",
    "fewest",
    "minimum",
    "minimal",
)
_LEAST += ("briefest", "quickest", "fastest", "youngest", "lightest", "tiniest")
_MOST: tuple[str, ...] = (
    "most expensive",
    "priciest",
    "dearest",
    "costliest",
    "greatest",
    "largest",
    "highest",
    "biggest",
    "longest",
)
_MOST += ("maximum", "maximal", "most", "slowest", "oldest", "heaviest")
_WORDS = "|".join(word.replace(" ", r"\s+") for word in sorted({*_LEAST, *_MOST}, key=len, reverse=True))
_WITH = re.compile(
    rf"^(?:the\s+)?(?P<kind>[\w -]*?)\s*(?:\b(?:with|having|of|that has|which has|for|at)\s+)?the\s+(?P<how>{_WORDS})"
    r"(?:\s+(?P<measure>[\w -]+))?$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"^(?:the\s+)?(?P<how>(?!(?:most|least)\s+(?!expensive)){_WORDS})(?:\s+(?P<kind>[\w -]+))?$", re.IGNORECASE
)
_MEASURES = {
    "money": ("cost", "price", "fare", "amount", "fee", "total"),
    "time": ("duration", "time", "length", "travel time", "flight time"),
    "number": ("number", "value", "digit", "figure", "score", ""),
}
_CURRENCY = re.compile(r"[$€£¥]\s*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s*(?:[€£¥]|USD|EUR|GBP|dollars?|euros?)")
_DURATION = re.compile(
    r"(?:(\d+)\s*(?:d|days?)\b)?\s*(?:(\d+)\s*(?:h|hrs?|hours?)\b)?\s*(?:(\d+)\s*(?:m|mins?|minutes?)\b)?",
    re.IGNORECASE,
)


class Superlative(NamedTuple):
    """Which one of several is meant, by what is measured of each."""

    kind: str
    measure: str
    """"money", "time", "number", or what the value is called."""
    most: bool


def read_superlative(words: str) -> Superlative | None:
    """Read a superlative; None when words are none."""
    text = words.strip().rstrip(".")
    found = _WITH.match(text) or _FIRST.match(text)
    if found is None:
        return None
    how = " ".join(found["how"].lower().split())
    said = (found.groupdict().get("measure") or "").strip().lower()
    by_name = next((name for name, known in _MEASURES.items() if said and said in known), said)
    implied = "money" if how in _MONEY else "time" if how in _TIME else ""
    return Superlative((found["kind"] or "").strip(), by_name or implied or "number", how in _MOST)


def measured(texts: Sequence[str], measure: str) -> Fraction | None:
    """Give what is measured of something by its texts; None when they do not say it, or more than once."""
    if measure == "money":
        found = {a or b for text in texts for a, b in _CURRENCY.findall(text)}
        return read_number(found.pop()) if len(found) == 1 else None
    if measure == "time":
        spans = {span for text in texts if (span := _span(text)) is not None}
        return spans.pop() if len(spans) == 1 else None
    if measure == "number":
        numbers = {number for text in texts if (number := read_number(text)) is not None}
        return numbers.pop() if len(numbers) == 1 else None
    return _captioned(texts, measure)


def _span(text: str) -> Fraction | None:
    """Read "2h 5m" in minutes."""
    found = _DURATION.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return Fraction(days * 24 * 60 + hours * 60 + minutes)


def _captioned(texts: Sequence[str], measure: str) -> Fraction | None:
    """Read "Rating: 4.5", in one text or in two."""
    for place, text in enumerate(texts):
        head, _, tail = text.partition(":")
        if head.strip().lower() != measure:
            continue
        value = tail.strip() or (texts[place + 1].strip() if place + 1 < len(texts) else "")
        return read_number(re.sub(r"[$€£¥%]", "", value))
    return None
