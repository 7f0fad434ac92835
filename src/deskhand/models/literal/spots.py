"""Words for a spot: the middle of a thing, half way between two, a pair of coordinates."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.perception.looks import read_looks

_PAIR = re.compile(
    r"^(?:the\s+|a\s+)?(?:grid\s+|plot\s+)?(?:coordinates?|points?|position|location|place|cell|spot|intersection|dot)?\s*"
    r"(?:(?:at|of|with)\s+)?(?:(?:the\s+)?coordinates?\s+)?\(\s*(?P<x>[-−]?\d+)\s*[,;]\s*(?P<y>[-−]?\d+)\s*\)"
    r"(?:\s+(?:on|in|of)\s+the\s+(?:grid|graph|plot|chart|axes|plane|coordinate system))?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"^(?:the\s+|a\s+)?(?:(?:shortest|exact|very)\s+)*(?:mid-?\s?point|middle|half-?\s?way\s+point|cent(?:er|re)|"
    r"(?:point|spot|place)\s+(?:half-?\s?way|midway|in the middle))\s+(?:between|of)\s+(?:the\s+|these\s+|those\s+)?"
    r"(?:two|both)\s+(?P<of>.+)$",
    re.IGNORECASE,
)
_MIDDLE = re.compile(
    r"^(?:the\s+)?(?:(?:exact|very|precise)\s+)?(?:cent(?:er|re)|middle)(?:\s+point)?\s+of\s+(?P<of>.+)$", re.IGNORECASE
)


class Spot(NamedTuple):
    """A spot in words: the middle of what looks as described, of one thing or between two; or coordinates."""

    of: str = ""
    things: int = 1
    pair: tuple[int, int] | None = None


def read_spot(words: str) -> Spot | None:
    """Read words for a spot; None when they are for a thing."""
    text = " ".join(words.strip(" .").split())
    if pair := _PAIR.match(text):
        x, y = (int(pair[axis].replace("−", "-")) for axis in "xy")
        return Spot(pair=(x, y))
    for pattern, things in ((_BETWEEN, 2), (_MIDDLE, 1)):
        found = pattern.match(text)
        if found and read_looks(found["of"]) is not None:
            return Spot(found["of"], things)
    return None
