"""Parts of documents as people speak of them: "the first line of the report", "the title “A”", "the headings"."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.models.literal.rules import NUMBERS, number
from deskhand.perception.description import ORDINAL, ordinal
from deskhand.perception.quoting import MARK, Phrase

_NUMBER = r"\d+|" + "|".join(NUMBERS)
_NOUN = (
    r"(?:to-?do list|shopping list|word document|document|report|letter|text|file|notes?|list|bill|draft|memo|essay|"
    r"article|story|poem|sheet|spreadsheet|workbook|table|presentation|page|editor)"
)
_DOCUMENT = re.compile(
    rf"^(?:(?:the|my|this|that|our|its|a)\s+)?(?:(?:open|whole|entire|current|full|complete)\s+)*{_NOUN}"
    r"(?:\s+(?:(?:that|which)\s+(?:is|are)\s+)?open)?(?:\s+in\s+(?:the\s+)?editor)?$",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"(?:everything|it(?: all)?|all(?: of (?:it|the text)| (?:the )?(?:text|letters|words))?|(?:the )?whole thing)$",
    re.IGNORECASE,
)
_OF = re.compile(r"^(?P<what>.+?)\s+(?:of|in|on|from)\s+(?P<holder>.+)$", re.IGNORECASE | re.DOTALL)
_UNIT = r"(?:title|line|heading|headline|paragraph|sentence|text|words?|phrase)"
_QUOTED = re.compile(rf"^(?:(?:the|a)\s+)?(?:{_UNIT}\s+)?(?P<text>{MARK.pattern})$", re.IGNORECASE)
_COUNTED = re.compile(rf"^(?:the\s+)?(?:very\s+)?(?P<which>{ORDINAL})\s+(?P<unit>line|paragraph)$", re.IGNORECASE)
_TITLE = re.compile(r"^(?:the|its)\s+(?:title|headline|top line)$", re.IGNORECASE)
_HEADINGS = re.compile(
    r"^(?:(?:the|all|two|three|four|five|both|its|of)\s+)*(?:(?:column|table)\s+)?"
    r"(?:headings|headers|header row|heading row|header|column titles|titles|first row|top row)"
    r"(?:\s+(?:in|of|on)\s+(?:the\s+)?(?:first|top)\s+row)?$",
    re.IGNORECASE,
)


class Passage(NamedTuple):
    """What is meant: a text as it stands, a counted line or paragraph, or the headings of a table."""

    text: str = ""
    which: int = 0
    """From 1, or from the end as -1."""
    unit: str = ""
    headings: bool = False


def is_document(words: str) -> bool:
    """Tell whether words mean nothing but what is open: "the to-do list that is open"."""
    return bool(_DOCUMENT.match(words.strip()))


def is_whole(words: str) -> bool:
    """Tell whether words mean all the text there is."""
    return is_document(words) or bool(_EVERYTHING.match(words.strip()))


def read_passage(phrase: Phrase) -> Passage | None:
    """Read what part of a document is meant; None when it is none that can be found."""
    text = phrase.text.strip()
    if _HEADINGS.match(text):
        return Passage(headings=True)
    holder = _OF.match(text)
    if holder and is_document(phrase.part(holder["holder"]).plain):
        text = holder["what"]
    if quoted := _QUOTED.match(text):
        return Passage(text=phrase.part(quoted["text"]).plain)
    if counted := _COUNTED.match(text):
        return Passage(which=ordinal(counted["which"]), unit=counted["unit"].lower())
    if _HEADINGS.match(text):
        return Passage(headings=True)
    return Passage(which=1, unit="line") if _TITLE.match(text) else None


def read_table(text: str) -> tuple[int, int] | None:
    """Read "4 columns and 3 rows" as rows and columns; also "3 by 4", rows first."""
    named = {
        found["unit"].lower(): int(number(found["n"]))
        for found in re.finditer(rf"(?P<n>{_NUMBER})\s+(?P<unit>row|column)s?\b", text, re.IGNORECASE)
    }
    if len(named) == 2:
        return named["row"], named["column"]
    plain = re.fullmatch(r"(?P<rows>\d+)\s*(?:by|x|×)\s*(?P<columns>\d+)(?:\s+cells)?", text.strip(), re.IGNORECASE)
    return (int(plain["rows"]), int(plain["columns"])) if plain else None
