"""Ways of saying something in a language, and what each is in plain English: the forms of the data files, read.

A way is a regular expression in which `<name>` is a slot and `{name}` a macro; its plain form is a text with the same
slots. Both are matched on a folded text: full-width signs are their narrow ones, and variants of a letter, such as
traditional ones, the letter that the data file names first. What a slot takes is cut from the text as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

SLOT = re.compile(r"(?<!\?P)<(\w+)>")
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_END = r"[\s.,;:!?。、]*"
Fill = Callable[[str, str], str | None]
"""Gives what goes into the plain form for a slot's name and its text; None when the text is none for that slot."""


class Way(NamedTuple):
    """One way to say something."""

    pattern: re.Pattern[str]
    plain: str


class Letters:
    """Folds the letters of a language one by one, so that places in a text stay what they are."""

    def __init__(self, variants: Iterable[str] = ()) -> None:
        same = {ord(other): ord(group[0]) for group in variants for other in group[1:]}
        self._table = _WIDE | same

    def fold(self, text: str) -> str:
        return text.translate(self._table)


class Phrases:
    """The ways of one section of a data file, tried in their order."""

    def __init__(self, entries: Sequence[Mapping[str, Any]], letters: Letters, slots: Mapping[str, str]) -> None:
        """Read ways; `slots` are patterns of slots by their names, "" of all others."""
        self._letters, self._entries, self._slots = letters, entries, slots

    @cached_property
    def _ways(self) -> tuple[Way, ...]:
        return tuple(
            Way(_compiled(say, self._slots), entry["plain"]) for entry in self._entries for say in entry["say"]
        )

    def plain(self, text: str, fill: Fill) -> str | None:
        """Give the plain form of a text by the first way that fits and whose slots can be filled."""
        folded = self._letters.fold(text)
        for way in self._ways:
            found = way.pattern.fullmatch(folded)
            if found is None:
                continue
            said = {name: fill(name, text[slice(*found.span(name))].strip()) for name in found.groupdict()}
            filled = {name: part for name, part in said.items() if part is not None}
            if len(filled) == len(said):
                return _put_in(way.plain, filled)
        return None


class Numbers:
    """Number words: digits by value, and what multiplies the digit before it."""

    def __init__(self, digits: Mapping[str, int], multipliers: Mapping[str, int]) -> None:
        self._digits, self._multipliers = digits, multipliers
        words = sorted((*digits, *multipliers), key=lambda word: -len(word))
        one = "|".join(map(re.escape, words)) or r"(?!)"
        self.pattern = rf"[-+]?\d+(?:\.\d+)?|(?:{one})+"
        self._word = re.compile(one, re.IGNORECASE)

    def read(self, said: str) -> str | None:
        """Write a number in figures; None when it is none."""
        if re.fullmatch(r"[-+]?\d+(?:\.\d+)?", said):
            return said
        words = self._word.findall(said.lower())
        if not words or "".join(words) != said.lower():
            return None
        total, digit = 0, 0
        for word in words:
            if word in self._multipliers:
                total, digit = total + (digit or 1) * self._multipliers[word], 0
            else:
                digit = digit * 10 + self._digits[word]
        return str(total + digit)


def _put_in(plain: str, parts: Mapping[str, str]) -> str:
    return SLOT.sub(lambda slot: parts[slot[1]], plain)


@lru_cache(2048)
def _pattern(say: str) -> str:
    return _GROUP.sub("(?:", say).replace(" ", r"\s+")


def _compiled(say: str, slots: Mapping[str, str]) -> re.Pattern[str]:
    body = SLOT.sub(lambda slot: rf"\s*(?P<{slot[1]}>{slots.get(slot[1], slots[''])})\s*", _pattern(say))
    return re.compile(rf"\s*(?:{body}){_END}", re.IGNORECASE)


def expanded(entries: Iterable[Mapping[str, Any]], macros: Mapping[str, str]) -> list[dict[str, Any]]:
    """Put macros, which may hold others, in the place of their names."""

    def of(say: str) -> str:
        larger = re.sub(r"\{([a-z_]+)\}", lambda macro: f"({macros[macro[1]]})", say)
        return larger if larger == say else of(larger)

    return [{**entry, "say": [of(say) for say in entry["say"]]} for entry in entries]
