"""Words for a control of one of several records: "the star of the message by Anna", "Like on all posts by @bob"."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.models.literal.rules import NUMBERS, number
from deskhand.perception.quoting import MARK, Phrase, mask, quote

_NOUN = (
    r"(?:record|post|tweet|row|entry|entries|item|card|e-?mail|mail|message|letter|user|person|people|contact|comment|"
    r"result|product|order|ticket|customer|member|student|employee|account|thread|conversation|review|note|article)s?"
)
_LINK = (
    r"(?:(?:that is|which is|which are|that are)\s+)?(?:(?:written|sent|posted|made|published|created)\s+)?"
    r"(?:by|from|of|for|with|named|called|titled|containing|about|"
    r"(?:that|which) (?:says?|contains?|has|have|mentions?))"
)
_COUNT = "|".join(("all", "every", "each", "both", "any", r"\d+", *NUMBERS))
_OWNED = re.compile(
    r"^(?P<what>\S.*?)\s+(?:in|on|of|for|from|at|under|beside|next to|belonging to)\s+"
    rf"(?:(?P<count>{_COUNT})\s+)?(?:of\s+)?(?:the\s+|an?\s+|my\s+)?(?P<noun>{_NOUN})\s+"
    rf"(?:{_LINK}\s+)?(?:the user\s+)?(?P<who>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_WHOLE = re.compile(
    rf"^(?:the\s+|an?\s+|my\s+)?(?P<noun>{_NOUN})\s+{_LINK}\s+(?:the user\s+)?(?P<who>\S.*)$", re.IGNORECASE | re.DOTALL
)
_FOR = re.compile(
    rf"^\s*(?:for|on|in|of|at)\s+(?:the\s+)?(?P<noun>{_NOUN})\s+(?:{_LINK}\s+)?(?P<who>{MARK.pattern}|@?\w[\w@.'-]*)\s*,\s*"
    r"(?P<do>.+?)(?P<rest>(?:\s*,?\s+and\s+|\s*,\s*then\s+|\.\s).*)?[\s.]*$",
    re.IGNORECASE | re.DOTALL,
)
_KIND_BEHIND = re.compile(r"\s+(?:button|icon|link|sign|symbol|control|option)s?$", re.IGNORECASE)
ALL = -1


class Owned(NamedTuple):
    """A control of records, or a record as a whole where `what` is empty."""

    what: str
    who: str
    """What is to be read in the record."""
    times: int = 1
    """Of how many records; `ALL` of all there are."""


def owned(words: str) -> Owned | None:
    """Read whose control is meant; None when words speak of no record."""
    phrase = mask(words.strip())
    found = _OWNED.match(phrase.text)
    if found:
        who = phrase.part(found["who"]).plain.strip()
        what = phrase.part(_KIND_BEHIND.sub("", re.sub(r"(?i)^the\s+", "", found["what"]))).spelled
        return Owned(what, who, _times(found["count"] or ""))
    whole = _WHOLE.match(phrase.text)
    return Owned("", phrase.part(whole["who"]).plain.strip()) if whole else None


def _times(said: str) -> int:
    word = said.lower()
    if word in ("all", "every", "each", "both"):
        return ALL
    return max(1, int(number(word))) if word and word != "any" else 1


def said_of(phrase: Phrase) -> Phrase:
    """Put whose control is meant behind what is to be done: "for the user @bob, click Like"."""
    found = _FOR.match(phrase.text)
    if found is None:
        return phrase
    who = phrase.part(found["who"])
    spelled = who.text if who.quoted is not None else quote(who.text)
    text = f"{found['do']} of the record of {spelled}{found['rest'] or ''}"
    return mask(phrase.part(text).spelled)
