"""The words of interfaces in several languages, read from the data files beside this module."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

LANGUAGES = ("en", "de", "zh", "fr", "es")


class Vocabulary(NamedTuple):
    """What labels mean and what kinds of control are called."""

    concepts: Mapping[str, frozenset[str]]
    """The concepts of a label in small letters."""
    labels: Mapping[str, tuple[str, ...]]
    """All labels of a concept, in every language, the usual one in English first."""
    roles: Mapping[str, frozenset[str]]
    """The kinds of control that a word such as "checkbox" stands for."""
    differing: frozenset[str]
    """Words that turn a label's sense round."""
    fillers: frozenset[str]
    """Words that add nothing to what a control is called."""
    instructions: tuple[str, ...]
    """Patterns of what stands in instructions before a place and behind it, in languages other than English."""
    applications: Mapping[str, tuple[str, ...]]
    """What a kind of application is called in languages other than English, by the kind's name."""


@cache
def vocabulary() -> Vocabulary:
    """Read all languages once."""
    concepts: dict[str, set[str]] = defaultdict(set)
    roles: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, list[str]] = defaultdict(list)
    applications: dict[str, list[str]] = defaultdict(list)
    instructions: list[str] = []
    differing: set[str] = set()
    fillers: set[str] = set()
    for language in LANGUAGES:
        data = tomllib.loads((files("deskhand.perception.lexicon") / f"{language}.toml").read_text(encoding="utf-8"))
        for concept, names in data["labels"].items():
            labels[concept].extend(names)
            _add(concepts, names, concept)
        for role, names in data["roles"].items():
            _add(roles, names, role)
        for kind, names in data.get("applications", {}).items():
            applications[kind].extend(names)
        instructions.extend(data.get("instructions", {}).values())
        differing.update(data["differing"]["words"])
        fillers.update(data["fillers"]["words"])
    fillers.update(word for name in roles for word in name.split())
    every = {concept: tuple(dict.fromkeys(names)) for concept, names in labels.items()}
    called = {kind: tuple(names) for kind, names in applications.items()}
    senses = frozenset(differing), frozenset(fillers)
    return Vocabulary(_frozen(concepts), every, _frozen(roles), *senses, tuple(instructions), called)


def _add(index: dict[str, set[str]], names: Iterable[str], entry: str) -> None:
    for name in names:
        index[name.casefold()].add(entry)


def _frozen(index: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(entries) for key, entries in index.items()}
