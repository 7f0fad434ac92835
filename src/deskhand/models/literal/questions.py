"""Questions about what can be seen, read: how many there are of something, how many sides it has, what it is."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from deskhand.perception.looks import read_looks

_NUMBER = r"(?:the\s+)?(?:(?:total|exact|right|correct|whole|overall)\s+)*(?:number|count|amount|total)\s+of"
_SIDES = re.compile(
    rf"^(?:how\s+many|{_NUMBER})\s+(?:sides|corners|edges|vertices|angles)\s+(?:(?:are|there\s+are|does)\s+)?"
    r"(?:(?:of|in|on|for)\s+)?(?P<of>(?:the|this|that|a)\s+.+?)(?:\s+(?:has|have|had|got|shows))?$",
    re.IGNORECASE,
)
_MANY = re.compile(
    rf"^(?:how\s+many\s+(?P<things>.+?)\s+(?:there\s+are|are\s+(?:there|shown)|you\s+(?:can\s+)?(?:see|count))|"
    rf"{_NUMBER}\s+(?P<of>.+))$",
    re.IGNORECASE,
)


class Question(NamedTuple):
    """What is asked of the things that words describe by their looks."""

    asks: Literal["many", "sides", "what"]
    about: str


def read_question(words: str) -> Question | None:
    """Read a question; a mere description asks what the thing is."""
    text = words.strip(" ?.")
    if sides := _SIDES.match(text):
        return Question("sides", sides["of"]) if read_looks(sides["of"]) else None
    many = _MANY.match(text)
    about = (many["things"] or many["of"]) if many else text
    return Question("many" if many else "what", about) if read_looks(about) is not None else None
