"""A family's words for actions, read from a table of one line a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

Form = Literal["tool_call", "thought_action", "pyautogui", "objects"]
"""How replies are written: a call of a tool in tags, a thought and an action with labels, code, or JSON objects."""


class Word(NamedTuple):
    """A family's word for an action."""

    name: str
    told: bool
    """Whether models are told of it; else it is only read."""
    ours: str
    """Our name for it, "" for none; `chord`, `hold`, `hold_press`, `sendkeys`, `mouse_down` and `mouse_up` stand for
    one or more of ours."""
    said: Mapping[str, object]
    """What of ours the word itself says; of a word that cannot be followed, `instead`."""
    when: Mapping[str, object]
    """What of theirs must be given for the word to mean this."""
    params: Mapping[str, str]
    """What each parameter is called with us, in the order in which they may be given without names.

    Besides parameters of ours: `at` a place, `words` one in words, `mark` the number of a control, `ends` and `points`
    where a way begins and ends, and all of it, `held` and `chord` keys in any spelling, `sendkeys` keys and texts in
    one line as Windows programs read them, `*keys` keys without names; `up/N`, `down/N` and `right/N` turns of the
    wheel of which N are a notch, `direction` with `notches`, or with `measure/N`, `downward` with `pages/N` pages of N
    notches each, `sideways` a yes or no; `line` a text whose last line break submits it, `submit` whether to, `entered`
    the same, but true unless said, `cleared` whether the old text goes, also true unless said, `secret` the name of
    one; `double`, `won` a yes or no, `search` words for the web, `-` nothing.
    """

    @property
    def key(self) -> str:
        return letters(self.name)


@dataclass(frozen=True)
class Words:
    """All the words of one family, and how they are written."""

    form: Form
    table: str
    """A line a word: its name and what must be given with it, ours and what it says, its parameters and ours. A `~`
    stands before what is only read, a `_` in a value for a space, and `__` for itself."""
    point: str = ""
    """How a point is written in a text; without, it is a list."""
    chord: str = ""
    """What parts the keys of a chord; without, they are a list."""
    tool: str = ""
    """The one function whose argument `action` is the word, where there is one; in objects, the key that names it."""
    tags: str = ""
    """The tag around calls whose arguments stand in tags too; without, they are JSON. In code, the one around it."""
    fenced: bool = True
    """Whether code stands in a fence."""
    thought: str = "thought"
    """In objects, the key of what is meant."""

    @cached_property
    def rows(self) -> tuple[Word, ...]:
        return tuple(_words(self.table))

    @cached_property
    def by_key(self) -> Mapping[str, tuple[Word, ...]]:
        found: dict[str, tuple[Word, ...]] = {}
        for word in self.rows:
            found[word.key] = (*found.get(word.key, ()), word)
        return found

    @cached_property
    def marked(self) -> bool:
        """Whether controls are named by their numbers."""
        return any("mark" in word.params.values() for word in self.rows)

    @cached_property
    def described(self) -> bool:
        """Whether places are said in words."""
        return any("words" in word.params.values() for word in self.rows)

    @cached_property
    def chords(self) -> tuple[Word, ...]:
        """The words for keys that are pressed together."""
        return tuple(word for word in self.rows if word.ours == "chord")


def letters(name: str) -> str:
    """Make names comparable; a module before a name does not count."""
    return re.sub(r"[^a-z]", "", name.rpartition(".")[2].lower())


def _words(rows: str) -> Iterator[Word]:
    for line in filter(None, rows.splitlines()):
        name, ours, params = (part.split() for part in line.split("|"))
        kind = "" if "=" in ours[0] else ours.pop(0)
        said = {key: _value(value) for key, _, value in (one.partition("=") for one in ours)}
        when = {key: _value(value) for key, _, value in (one.partition("=") for one in name[1:])}
        yield Word(name[0].lstrip("~"), name[0][0] != "~", kind, said, when, dict(one.split("=") for one in params))


def _value(text: str) -> object:
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"True": True, "False": False}.get(text, re.sub("_(_?)", lambda found: found[1] or " ", text))
