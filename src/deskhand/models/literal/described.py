"""Values that are described by where they stand: a word of a text, what belongs to a caption, a text on the page."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.models.literal.questions import read_question
from deskhand.perception.description import ORDINAL, ordinal
from deskhand.perception.quoting import MARK, Phrase

_NOUNS = (
    r"(?:values?|texts?|words?|contents?|numbers?|names?|strings?|characters?|letters?|digits?|codes?|lines?|sentences?|"
    r"paragraphs?|phrases?|titles?|headings?|messages?|prices?|amounts?|totals?|scores?|address(?:es)?|dates?)"
)
_STANDS = re.compile(
    rf"^(?:(?:the|this)\s+)?(?:{ORDINAL}\s+)?(?:[\w-]+\s+){{0,2}}?{_NOUNS}\s+"
    r"(?:(?:that\s+(?:is|are|stands)\s+|which\s+(?:is|are|stands)\s+)?(?:shown|given|displayed|written|listed|printed)\s+)?"
    r"(?:of|in|for|from|below|above|here|on|next to|beside|under|inside|within|at|belonging to|that belongs to|"
    r"corresponding to|that corresponds to)\b",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(
    rf"^(?:the|all(?:\s+the)?|both|my)\s+(?:[\w-]+\s+){{0,2}}?(?:{_NOUNS}|sum|average|mean|difference|product|articles?|items?)\s+"
    r"(?:(?:and|or)\s+\w+\s+)?(?:of|that|which|shown|given|in|on|from|for|you|below|above)\b"
)
_SHOWN_ON_PAGE = re.compile(
    r"^(?P<what>the\s+.+?)\s+(?:(?:that|which)\s+)?(?:the|this|my)\s+(?:[\w'’-]+\s+){0,2}?"
    r"(?:page|web ?page|site|web ?site|shop)\s+(?:shows|displays|says|gives|lists|has|tells)$",
    re.IGNORECASE,
)
_STANDS_ON_PAGE = re.compile(
    r"^(?P<what>the\s+.+?)\s+(?:(?:that|which)\s+(?:is|stands)\s+)?(?:shown\s+|given\s+|displayed\s+)?(?:on|from)\s+"
    r"(?:the|this|my)\s+(?:[\w'’-]+\s+){0,2}?(?:page|web ?page|site|web ?site)$",
    re.IGNORECASE,
)
_THING = re.compile(
    r"^(?:an?|the)\s+(?:[\w-]+\s+){0,3}?(?:formula|table|row|column|slide|chart|diagram|picture|image)\b(?!\s*[.!?]?$)"
    r"|^an?\s+(?:[\w-]+\s+){0,3}?(?:formula|table|row|column|slide|chart)$",
)
_ENTRY = re.compile(
    r"^(?:the|this)\s+value\b|^(?:the|this)\s+.*\b(?:below|above|shown here|on the (?:page|screen))$", re.I
)
_PART = re.compile(
    rf"^(?:the\s+|very\s+)*(?P<which>{ORDINAL})\s+(?P<unit>word|letter|character|line|sentence|digit|number)\s+"
    r"(?:(?:shown|written|that stands|which stands)\s+)?(?:of|in|from|on|within|inside)\s+(?P<holder>.+)$",
    re.IGNORECASE,
)
_UNITS = {
    "word": r"[^\s]+",
    "letter": r"[^\W\d_]",
    "character": r"\S",
    "line": r"[^\n]+",
    "sentence": r"[^.!?]+[.!?]?",
    "digit": r"\d",
    "number": r"[-+]?\d+(?:\.\d+)?",
}
_FIELD = r"(?:(?!(?:to|into|in|on|for|with|by|from|at)\b)[A-Za-z][\w'-]*\s*){1,4}?"
_NAMED_VALUE = (
    rf"(?:(?:the|a|an|my|your|this)\b)?\s*(?P<field>{_FIELD})\s*(?:\s(?:is|as|of|to be)|[=:])?\s*"
    rf"(?P<value>{MARK.pattern})"
)
_VALUE_NAMED = (
    rf"(?P<value>{MARK.pattern})\s+(?:as|for)\s+(?:the|a|an|my|your|this)?\s*(?P<field>{_FIELD})(?=\s*(?:,|and\b|$))"
)
_NEXT = re.compile(r"\s*(?:,\s*(?:and\s+)?(?:as\s+|for\s+)?|\s+and\s+|\s+with\s+|\s*&\s*)", re.IGNORECASE)
_EDGES = " \t\n.,;:!?()[]{}\"'“”‘’«»…"


class TextPart(NamedTuple):
    """One of the units that a text is made of: its last word."""

    which: int
    """From 1, or from the end as -1."""
    unit: str
    holder: str
    """Words for what holds the text."""

    def of(self, text: str) -> str | None:
        """Cut it out of a text; None when the text has not so many."""
        units: list[str] = [unit.strip() for unit in re.findall(_UNITS[self.unit], text) if unit.strip(_EDGES)]
        place = self.which - 1 if self.which > 0 else self.which
        if not -len(units) <= place < len(units):
            return None
        return units[place].strip(_EDGES) if self.unit == "word" else units[place]


def text_part(words: str) -> TextPart | None:
    """Read "the 2nd word in the paragraph"; None when it is something else."""
    found = _PART.match(words.strip())
    if found is None:
        return None
    return TextPart(ordinal(found["which"]), found["unit"].lower(), found["holder"])


def stands_somewhere(value: str) -> bool:
    """Tell whether a value is not given, but where it stands: "the value of Total", "the text below"."""
    return (
        counted(value) is not None
        or bool(_STANDS.match(value) and value.lower().startswith(("the ", "this ")))
        or bool(text_part(value) or _ENTRY.match(value))
    )


def on_page(value: str) -> str:
    """Take off a value that a page shows it: "the price that the shop's page shows"; "" when nothing says so."""
    found = _SHOWN_ON_PAGE.match(value) or _STANDS_ON_PAGE.match(value)
    return found["what"] if found else ""


def names_value(words: str) -> bool:
    """Tell whether words say what value is meant, of whatever shows it: "the order number of the page"."""
    return bool(_DESCRIBED.match(words) or on_page(words))


def only_described(value: str) -> bool:
    """Tell whether a value is not there to be typed, but said what it is: "the sum of all amounts"."""
    return bool(_DESCRIBED.match(value) or _THING.match(value))


def counted(value: str) -> str | None:
    """Give the words for what a number is of, where it is a number of things that can be seen; None for all else."""
    question = read_question(value)
    return question.about if question is not None and question.asks == "many" else None


def named_values(phrase: Phrase) -> tuple[tuple[str, str], ...]:
    """Read "the username “a” and the password “b”" as pairs of field and value; none when something else is in it."""
    text, pairs = phrase.text.strip(), []
    while text:
        found = re.match(_NAMED_VALUE, text, re.IGNORECASE) or re.match(_VALUE_NAMED, text, re.IGNORECASE)
        if found is None:
            return ()
        pairs.append((found["field"].strip(), phrase.part(found["value"]).plain))
        rest = text[found.end() :]
        joint = _NEXT.match(rest)
        if rest.strip() and joint is None:
            return ()
        text = rest[joint.end() :] if joint else ""
    return tuple(pairs)
