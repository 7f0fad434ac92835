"""The rules by which clauses are read, and the small language they are written in."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

NUMBERS = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"once": 1, "twice": 2, "thrice": 3, "a": 1, "an": 1, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}
_GAP = r"(?:\s*[,:])?\s+"
_END = r"[\s.!?,;:]*$"
_NUMBER = r"[-+]?\d+(?:[.,]\d+)?|" + "|".join(NUMBERS)
_WORDS = r"\S.*?"
_SLOT = re.compile(r"<(?P<name>\w+)(?::(?P<words>[^>]*))?>")


class Rule(NamedTuple):
    """One way to say one kind of clause."""

    kind: str
    needs: str
    mode: str
    say: str

    @property
    def starts(self) -> frozenset[str]:
        """The words that a clause of this rule may start with."""
        first = self.say.split()[0]
        slot = _SLOT.fullmatch(first)
        return frozenset(word.split("_")[0] for word in (slot["words"] if slot else first).split("|"))

    def match(self, text: str) -> dict[str, str] | None:
        """Give what the slots take, or None when the clause is not said so."""
        found = _compiled(self.say).match(text)
        if found is None:
            return None
        return {name: part.strip(" ,;:") for name, part in found.groupdict().items() if part is not None}


class Command(NamedTuple):
    """A command that most applications have."""

    name: str
    keys: str = ""
    menu: tuple[str, ...] = ()
    opens: bool = False
    """It brings up a window or dialog of its name, which may be open already."""


@cache
def rules_starting_with(word: str) -> tuple[Rule, ...]:
    """Give the rules for clauses that start with a word, in their order."""
    return tuple(_rules().get(word, ()))


@cache
def commands() -> Mapping[str, Command]:
    """Give the commands, by the words they are said with."""
    found: dict[str, Command] = {}
    for name, entry in _data("commands").items():
        command = Command(name, entry.get("keys", ""), tuple(entry.get("menu", ())), entry.get("opens", False))
        found.update(dict.fromkeys(entry["say"], command))
    return found


@cache
def command_named(name: str) -> Command:
    """Give the command of a name that `commands` has."""
    return next(command for command in commands().values() if command.name == name)


def number(word: str) -> float:
    """Read a number in digits or as a word that `<n>` takes."""
    small = word.strip().lower()
    return float(NUMBERS[small]) if small in NUMBERS else float(small.replace(",", "."))


@cache
def _rules() -> Mapping[str, list[Rule]]:
    data = _data("rules")
    by_start: dict[str, list[Rule]] = defaultdict(list)
    # What documents are asked for is said in words of its own, and comes before what would fit anything.
    for entry in (*_data("office")["rule"], *data["rule"]):
        for say in entry["say"]:
            rule = Rule(entry["kind"], entry.get("needs", ""), entry.get("mode", ""), _expanded(say, data["macros"]))
            for word in rule.starts:
                by_start[word].append(rule)
    return by_start


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((files("deskhand.models.literal.words") / f"{name}.toml").read_text(encoding="utf-8"))


def _expanded(say: str, macros: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: macros[m.group(1)], say)


@lru_cache(1024)
def _compiled(say: str) -> re.Pattern[str]:
    return re.compile("".join(_pieces(say)) + _END, re.IGNORECASE | re.DOTALL)


def _pieces(say: str) -> Iterator[str]:
    for place, token in enumerate(say.split()):
        optional = token.endswith("?") and len(token) > 1
        piece = ("" if place == 0 else _GAP) + _piece(token.removesuffix("?") if optional else token)
        yield f"(?:{piece})?" if optional else piece


def _piece(token: str) -> str:
    slot = _SLOT.fullmatch(token)
    if slot is None:
        return f"(?:{_alternatives(token)})"
    if slot["words"]:
        return f"(?P<{slot['name']}>{_alternatives(slot['words'])})"
    return f"(?P<{slot['name']}>{_NUMBER if slot['name'] == 'n' else _WORDS})"


def _alternatives(words: str) -> str:
    longest_first = sorted(words.split("|"), key=lambda word: -len(word))
    return "|".join(re.escape(word).replace("_", r"\s+") for word in longest_first)
