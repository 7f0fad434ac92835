"""Fields of a form and the parts of a sentence that belong into them: "surreal movies directed by Baxter from 1995"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deskhand.perception.naming import fold, stem, words

_SMALL = re.compile(
    r"(?:by|from|in|of|with|for|on|at|and|or|that|which|who|were|was|are|is|the|a|an|to|as|into|about|called|named|some|"
    r"any|all|please|me|us)",
    re.IGNORECASE,
)
_ALIKE = 4
"""So many letters in common at their start make two words one: directed, director."""
_YEARS = re.compile(r"1[0-9]{3}|20[0-9]{2}|21[0-9]{2}")
_DATED = frozenset({"year", "date", "released", "published", "time"})
_NAMED = frozenset({"name"})
_MAKERS = frozenset(
    {"director", "author", "writer", "artist", "singer", "composer", "maker", "publisher", "creator", "brand"}
)
_PARTICIPLE = re.compile(r"[a-z]+(?:ed|en)|made|sung|set|shot")


def assigned(sentence: str, captions: Sequence[str]) -> Mapping[str, str] | None:
    """Give each field its part of a sentence; None where a part or a field is left over, or it cannot be told."""
    chunks = _chunks(sentence)
    found: dict[str, str] = {}
    left = list(range(len(chunks)))
    for caption in captions:
        place = _place_of(caption, chunks, left)
        if place is not None:
            found[caption] = _value(caption, chunks[place], lead=False)
            left.remove(place)
    missing = [caption for caption in captions if caption not in found]
    if len(missing) == 1 and len(left) == 1:
        found[missing[0]] = _value(missing[0], chunks[left[0]], lead=True)
        missing, left = [], []
    return found if not missing and not left and all(found.values()) else None


class _Chunk(NamedTuple):
    """Words between small words, and the small word before them."""

    lead: str
    words: tuple[str, ...]


def _chunks(sentence: str) -> list[_Chunk]:
    """Part a sentence at its small words."""
    lead, chunks, said = "", [], list[str]()
    for word in [*re.findall(r"[\w'’&.-]*\w", sentence), "and"]:
        if not _SMALL.fullmatch(word):
            said.append(word)
            continue
        if said:
            chunks.append(_Chunk(lead, tuple(said)))
            said = []
        lead = word.lower()
    return chunks


def _place_of(caption: str, chunks: Sequence[_Chunk], left: Sequence[int]) -> int | None:
    wanted = [word for word in words(fold(caption)) if word not in _NAMED]
    within = [i for i in left if len(chunks[i].words) > 1 and any(_alike(chunks[i].words[0], word) for word in wanted)]
    after = [i for i in left if i and any(_alike(chunks[i - 1].words[-1], word) for word in wanted)]
    years = [i for i in left if any(map(_YEARS.fullmatch, chunks[i].words))] if _DATED & set(wanted) else []
    makers = [i for i in left if chunks[i].lead == "by"] if _MAKERS & set(wanted) else []
    for places in (within, after, years, makers):
        if len(places) == 1:
            return places[0]
    return None


def _alike(a: str, b: str) -> bool:
    a, b = a.lower(), b.lower()
    return stem(a) == stem(b) or (min(len(a), len(b)) > _ALIKE and a[:_ALIKE] == b[:_ALIKE])


def _value(caption: str, chunk: _Chunk, *, lead: bool) -> str:
    """Take what only leads to a value off it: the field's own name, and of what begins a sentence the thing itself."""
    own, rest = words(fold(caption)), list(chunk.words)
    year = next(filter(_YEARS.fullmatch, rest), "")
    if year and _DATED & set(own):
        return year
    if len(rest) > 1 and any(_alike(rest[0], word) for word in own):
        rest = rest[1:]
    if len(rest) > 1 and _PARTICIPLE.fullmatch(rest[-1]):
        rest = rest[:-1]  # "movies directed", "King written"
    if lead and len(rest) > 1 and rest[-1].endswith("s") and not rest[-1][0].isupper():
        rest = rest[:-1]
    return " ".join(rest)
