"""Requests in other languages, brought clause by clause into the plain English that the rules read.

A language is a data file of `words`: how clauses, places and sums are said, what joins clauses, what keys are called.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from deskhand.models.literal.arithmetic import read_sum
from deskhand.models.literal.keys import read_keys
from deskhand.perception.applications import kinds
from deskhand.perception.lexicon.phrases import Letters, Numbers, Phrases, expanded
from deskhand.perception.lexicon.vocabulary import vocabulary
from deskhand.perception.quoting import MARK, Phrase, mask, quote

OTHERS = ("zh", "de")
"""The languages that have a data file, next to English, which is what the rules are written for."""
Reads = Callable[[str], bool]
"""Tells whether the rules read a text in English."""
_NAME = r"[^,;。\n]+?"
_TEXT = r"[^。\n]+?"
_MOST_JOINTS = 6
"""How many joints a clause may have in its own words."""
_STEP_SIGN = re.compile(r"\s*(?:>|→|»|▸|➔|➜|->|=>)\s*")
_READS = re.compile(r"(?:read|what is) (?P<name>[^\s“”]+)$|tell me what (?P<said>[^\s“”]+) says$")
_LATIN_WORD = r"[A-Za-z]+\s"
_WORSE = 1000
_PAIRED = {ord("，"): ", ", ord("、"): ", ", ord("；"): ", ", ord("："): ": ", ord("＝"): "="}


class Said(NamedTuple):
    """A piece of a request in the user's words, and in plain English; the same when it cannot be read."""

    text: str
    plain: str
    read: bool


class _Span(NamedTuple):
    start: int
    end: int


class Language:
    """One language: takes requests apart and says each clause in plain English."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self.name = name
        self.messages: Mapping[str, str] = data.get("messages", {})
        words = data["words"]
        macros: Mapping[str, str] = data.get("macros", {})
        self._letters = Letters(words.get("variants", ()))
        self._numbers = Numbers(words.get("digits", {}), words.get("multipliers", {}))
        self._signs = _said(words["letters"])
        self._joint, self._end = _said(words["joint"]), _said(words["end"])
        self._opening, self._closing = _said(rf"\s*(?:{words['opening']})"), _said(rf"(?:{words['closing']})\s*$")
        self._thanks = _said(rf"(?:{words.get('thanks', '(?!)')})[\s.!。！?？]*$")
        self._references: Mapping[str, str] = _by_word(data.get("references", {}))
        self._keys: Mapping[str, str] = _by_word(data.get("keys", {}))
        self._signs_of_sums: Mapping[str, str] = _by_word(data.get("signs", {}))
        self.text_follows = _said(words.get("text_follows", r"(?!)"))
        """What stands before a colon, when a text stands below it."""
        self._key_noun = _said(words.get("key_noun", r"(?!)"))
        self._and = _said(words["and"])
        self._answers: Mapping[str, str] = _by_word(data.get("answers", {}))
        self._nouns: Mapping[str, str] = _by_word(data.get("nouns", {}))
        slots = self._slots()
        self._clauses, self._places, self._sums = (
            Phrases(expanded(data.get(section, ()), macros), self._letters, slots)
            for section in ("clause", "place", "sum")
        )
        fillers: Mapping[Callable[[Phrase], str | None], str] = {
            self._number: "n m",
            self._ordinal: "nth",
            self._chords: "keys",
            self._sum: "sum",
            self._term: "a b",
            self.clause: "do",
            self._text: "value old",
            self._path: "path",
            self._list: "list",
            self._noun: "what way",
            lambda phrase: phrase.text.translate(_PAIRED): "pairs",
            lambda phrase: phrase.text: "name app",
        }
        self._fillers = {name: filler for filler, names in fillers.items() for name in names.split()}

    def _slots(self) -> Mapping[str, str]:
        nouns = sorted(self._nouns, key=lambda word: -len(word))
        slots = {"": _NAME, "app": self._letters.fold(_application_words())} | dict.fromkeys(
            ("n", "m", "nth"), self._numbers.pattern
        )
        slots["what"] = "|".join(map(re.escape, nouns)) or r"(?!)"
        return slots | dict.fromkeys(("do", "value", "old", "keys", "list", "pairs"), _TEXT)

    def speaks(self, phrase: Phrase) -> bool:
        """Tell whether a text, apart from what is quoted, has signs of this language."""
        return bool(self._signs.search(self._letters.fold(phrase.text)))

    def begins(self, phrase: Phrase) -> bool:
        """Tell whether a text is in this language, instead of only naming things in it: "click 确定"."""
        text = self._letters.fold(phrase.text).strip()
        return self.speaks(phrase) and bool(self._signs.match(text) or not re.match(_LATIN_WORD, text))

    def pieces(self, phrase: Phrase, reads: Reads) -> Iterator[Said]:
        """Take a request apart, so that as little as possible stays unread, in as many clauses as there are."""
        thanks = self._thanks.search(self._letters.fold(phrase.text))
        whole = _Span(0, thanks.start() if thanks else len(phrase.text))
        for sentence in _between(self._end, self._letters.fold(phrase.text), whole):
            yield from self._sentence(phrase, sentence, reads)

    def clause(self, phrase: Phrase) -> str | None:
        """Say one clause in plain English, its quotes still masked; None when no way of the language fits."""
        return self._clauses.plain(phrase.text, lambda slot, text: self._fill(slot, phrase.part(text)))

    def answer(self, phrase: Phrase) -> str:
        """Say in plain English which one is meant, or that none is."""
        said = self._letters.fold(phrase.text).strip(" .,!。，！")
        return self._answers.get(said) or phrase.part(self.place(phrase) or phrase.text).spelled

    def _sentence(self, phrase: Phrase, sentence: _Span, reads: Reads) -> Iterator[Said]:
        tokens = [
            token
            for token in _between(self._joint, self._letters.fold(phrase.text), sentence)
            if phrase.text[slice(*token)].strip(" ,，、")
        ]
        # From the end: the fewest unread pieces that what is left can have, then the most pieces.
        best: list[tuple[int, tuple[Said, ...]]] = [(0, ())]
        for first in range(len(tokens) - 1, -1, -1):
            ways = []
            for last in range(first, min(first + _MOST_JOINTS, len(tokens))):
                said = self._read(phrase.part(phrase.text[tokens[first].start : tokens[last].end].strip()), reads)
                if said.read or first == last:
                    cost, rest = best[len(tokens) - last - 1]
                    ways.append((cost + _cost(said), (said, *rest)))
            best.append(min(ways, key=lambda way: way[0]))
        yield from best[-1][1]

    def _read(self, phrase: Phrase, reads: Reads) -> Said:
        english = phrase.spelled
        if re.match(_LATIN_WORD, english) and reads(english):
            return Said(english, english, True)  # "click 确定", and what has been put into plain English before
        loose: Said | None = None
        for way in self._bare(phrase):
            plain = self.clause(way)
            if plain is None or not reads(way.part(plain).spelled):
                continue
            said = Said(phrase.spelled, way.part(plain).spelled, True)
            if not self._closing.search(self._letters.fold(mask(said.plain).text)):
                return said
            loose = loose or said  # "计算器吗": the particle was taken for a part of the name
        if loose is not None:
            return loose
        return Said(english, english, reads(english))

    def _bare(self, phrase: Phrase) -> Iterator[Phrase]:
        """Take politeness and words for the order off the start, as many as there are or fewer, then off the end."""
        texts = [phrase.text]
        while (found := self._opening.match(self._letters.fold(texts[-1]))) and found.end():
            texts.append(texts[-1][found.end() :])
        for text in reversed(texts):
            yield phrase.part(text)
            ended = self._closing.search(self._letters.fold(text))
            if ended and text[: ended.start()].strip():
                yield phrase.part(text[: ended.start()])

    def _fill(self, slot: str, phrase: Phrase) -> str | None:
        return self._fillers.get(slot, self.place)(phrase) if phrase.text else None

    def place(self, phrase: Phrase) -> str | None:
        """Say where something is in plain English; what a thing is called stays as it is."""
        if phrase.quoted is not None:
            return phrase.text
        found = self._places.plain(phrase.text, lambda slot, text: self._fill(slot, phrase.part(text)))
        return _kind_apart(phrase.text.strip()) if found is None else found

    def _text(self, phrase: Phrase) -> str | None:
        """Quote what is to be a text, unless it stands for a value that was read before."""
        if phrase.quoted is not None:
            return phrase.text
        known = self._references.get(self._letters.fold(phrase.text))
        if known is not None or "{{" in phrase.text:
            return known or phrase.text
        return None if MARK.search(phrase.text) else quote(phrase.text)

    def _noun(self, phrase: Phrase) -> str | None:
        return self._nouns.get(self._letters.fold(phrase.text).lower())

    def _number(self, phrase: Phrase) -> str | None:
        return self._numbers.read(self._letters.fold(phrase.text))

    def _ordinal(self, phrase: Phrase) -> str | None:
        number = self._number(phrase)
        return number and number + {"1": "st", "2": "nd", "3": "rd"}.get(number, "th")

    def _chords(self, phrase: Phrase) -> str | None:
        folded = self._letters.fold(phrase.text).strip()
        whole = self._key_noun.sub("", phrase.plain.strip() if phrase.quoted is not None else folded).strip()
        together = self._chord(re.sub(r"[,、]", "+", whole))
        if len(read_keys(together) or ()) == 1:
            return together
        chords = [self._chord(chord) for chord in re.split(r"\s*[,、]\s*", whole)]
        joined = ", ".join(chord for chord in chords if chord)
        return joined if all(chords) and read_keys(joined) is not None else None

    def _chord(self, said: str) -> str:
        parts = [
            self._key_noun.sub("", part).strip() for part in re.split(r"(?<=.)\s*\+\s*(?=.)", self._and.sub("+", said))
        ]
        return "+".join(self._keys.get(part.lower(), part) for part in parts)

    def _sum(self, phrase: Phrase) -> str | None:
        said = self._term(phrase)
        return said if said and read_sum(said) is not None else None

    def _term(self, phrase: Phrase) -> str | None:
        found = self._sums.plain(phrase.text, lambda slot, text: self._fill(slot, phrase.part(text)))
        if found is not None:
            return found
        words = "|".join(sorted(map(re.escape, self._signs_of_sums), key=lambda word: -len(word))) or r"(?!)"
        folded = self._letters.fold(phrase.plain)
        signed = re.sub(words, lambda word: self._signs_of_sums[word.group()], folded)
        return re.sub(self._numbers.pattern, lambda word: self._numbers.read(word.group()) or word.group(), signed)

    def _path(self, phrase: Phrase) -> str | None:
        steps = _STEP_SIGN.split(phrase.text)
        return " > ".join(self.place(phrase.part(step)) or step for step in steps) if len(steps) > 1 else None

    def _list(self, phrase: Phrase) -> str | None:
        """Give several quoted things, or nothing."""
        marks = MARK.findall(phrase.text)
        between = self._and.sub("", re.sub(r"[\s,、]", "", self._letters.fold(MARK.sub("", phrase.text))))
        return ", ".join(marks) if len(marks) > 1 and not between else None


@cache
def languages() -> tuple[Language, ...]:
    """Read the data files once."""
    found = []
    for name in OTHERS:
        text = (files("deskhand.models.literal.words") / f"{name}.toml").read_text(encoding="utf-8")
        found.append(Language(name, tomllib.loads(text)))
    return tuple(found)


def in_english(text: str, reads: Reads) -> tuple[Said, ...]:
    """Take a request in another language apart into clauses in plain English; nothing when it is in none of them."""
    phrase = mask(text)
    for language in languages():
        if language.speaks(phrase):
            pieces = tuple(_referring(language.pieces(phrase, reads)))
            changed = any(piece.read and piece.plain != piece.text for piece in pieces)
            if changed or (len(pieces) > 1 and all(piece.read for piece in pieces)):
                return pieces
    return ()


def _referring(pieces: Iterable[Said]) -> Iterator[Said]:
    """Take the name of a value that was read before, where it stands for a text, for the value itself."""
    names: list[str] = []
    for piece in pieces:
        plain = piece.plain
        for name in names:
            if f"“{name}”" in plain and f"“{name}”" not in piece.text:
                plain = plain.replace(f"“{name}”", f"the {name}")
        read = _READS.match(piece.plain) if piece.read else None
        names += [read["name"] or read["said"]] if read else []
        yield piece._replace(plain=plain)


def plain_answer(text: str) -> str:
    """Say an answer to a question in plain English, where it is in another language."""
    phrase = mask(text)
    return next((each.answer(phrase) for each in languages() if each.speaks(phrase)), text)


@cache
def _messages(language: str) -> Mapping[str, str]:
    text = (files("deskhand.models.literal.words") / f"{language}.toml").read_text(encoding="utf-8")
    messages: Mapping[str, str] = tomllib.loads(text)["messages"]
    return messages


def message(request: str, key: str, /, **parts: object) -> str:
    """Say something to the user in the language of the request, which is English when it is no other."""
    phrase = mask(request)
    known = next((each.messages for each in languages() if each.begins(phrase)), None) or _messages("en")
    return known[key].format(**parts)


def _cost(said: Said) -> int:
    """Rate a piece: many that are read are best; one that is English as it stands is hardly a clause of its own."""
    if not said.read:
        return _WORSE
    return 1 if said.plain == said.text else -1


def _between(joint: re.Pattern[str], text: str, within: _Span) -> list[_Span]:
    spans, place = [], within.start
    for found in joint.finditer(text, within.start, within.end):
        spans.append(_Span(place, found.start()))
        place = found.end()
    return [*spans, _Span(place, within.end)]


def _said(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _by_word(said: Mapping[str, list[str]]) -> dict[str, str]:
    return {word.lower(): plain for plain, words in said.items() for word in words}


@cache
def _kinds() -> re.Pattern[str]:
    words = sorted((word for word in vocabulary().roles if not word.isascii()), key=lambda word: -len(word))
    return re.compile(rf"(?<=[A-Za-z0-9])(?=(?:{'|'.join(map(re.escape, words))})$)")


def _kind_apart(name: str) -> str:
    """Part "Name输入框", which is written as one word, into what a control is called and of what kind it is."""
    return _kinds().sub(" ", name)


def _application_words() -> str:
    words = sorted((word for kind in kinds().values() for word in kind.words), key=lambda word: -len(word))
    return "|".join((*(re.escape(word).replace(r"\ ", r"\s+") for word in words), r"[A-Za-z][A-Za-z0-9_.+-]*"))
