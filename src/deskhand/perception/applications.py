"""Which application is meant by a name: its own, its program's, or a word for its kind."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from rapidfuzz import fuzz, process

from deskhand.core.observation import Application, Window
from deskhand.perception.lexicon.vocabulary import vocabulary
from deskhand.perception.naming import fold

_ARTICLE = re.compile(r"^(?:the|a|an|my|your|this|its)\s+", re.IGNORECASE)
_NOUN = re.compile(r"\s+(?:app|application|program|programme|window)$", re.IGNORECASE)
_QUOTES = "“”\"'"
_NEAR = 55.0
"""How alike, out of 100, a name has to be to be worth naming."""
_MOST_NEAR = 4
_SHORTEST_PART = 4
"""How long a part of a name has to be to stand for the whole."""


class Kind(NamedTuple):
    """A kind of application."""

    name: str
    words: tuple[str, ...]
    """What people call it."""
    categories: frozenset[str]
    mime_types: tuple[str, ...]
    """The application for any of these is meant, the first before the others."""
    ids: tuple[str, ...]
    """Applications whose own files do not say that they are of this kind."""
    does: frozenset[str]
    """What one has an application of this kind do."""


def find(applications: Sequence[Application], words: str) -> Application | tuple[Application, ...]:
    """Find the application that words mean, also by what is only said of it.

    Several that fit equally, or some that only look similar, are given as a tuple, the nearest first: none of
    them may be started unasked.
    """
    found = named(applications, words)
    name = bare(words)
    if found or not name:
        return found or ()
    also = [each for each in applications if name in map(fold, each.keywords)]  # what it is called elsewhere, too
    if len(also) == 1:
        return also[0]
    parts = set(name.split())
    several = [each for each in applications if parts <= set(fold(each.name).split())]
    described = [each for each in applications if parts <= _described(each)]
    if not several and len(described) == 1:
        return described[0]
    return tuple(several) or near(applications, name)


def named(applications: Sequence[Application], words: str, windows: Sequence[Window] = ()) -> Application | None:
    """Find the application that words name for certain; of a kind, prefer the default, then one that is open."""
    name = bare(words)
    if not name:
        return None
    kind = kind_of(name)
    as_written = next((each for each in applications if each.name == words.strip()), None)
    return (
        as_written
        or (kind and next(_defaults(kind, applications), None))
        or _called(applications, name)
        or (kind and next(of_kind(kind, applications, windows), None))
        or _generic(applications, name)
        or (None if kind else _partly_called(applications, name))
    )


def kind_of(words: str) -> Kind | None:
    """Give the kind of application that words are for, installed or not."""
    return _by_word().get(bare(words))


def of_kind(kind: Kind, applications: Sequence[Application], windows: Sequence[Window] = ()) -> Iterator[Application]:
    """Give the applications of a kind, the best first: the default for its files, those that are open, then by name."""
    fits = [each for each in applications if kind.categories & set(each.categories)]
    yield from _defaults(kind, applications)
    yield from (each for each in fits if any(belongs(window, each) for window in windows))
    yield from sorted(fits, key=lambda each: each.name.casefold())
    yield from (each for each in applications if fold(each.generic_name) in kind.words)
    yield from (each for known in kind.ids for each in applications if each.id == known)


def belongs(window: Window, application: Application) -> bool:
    """Tell whether a window is one of an application's."""
    identity = application.id.casefold()
    names = {identity, identity.rpartition(".")[2], application.name.casefold(), application.program.casefold()}
    return bool(window.app) and window.app.casefold() in names


def near(applications: Sequence[Application], words: str) -> tuple[Application, ...]:
    """Give the applications that are called alike, the nearest first."""
    names = {number: fold(each.name) for number, each in enumerate(applications)}
    matches = process.extract(bare(words), names, scorer=fuzz.WRatio, score_cutoff=_NEAR, limit=_MOST_NEAR)
    return tuple(applications[number] for _, _, number in matches)


def bare(words: str) -> str:
    """Take off a name what people put around it: quotes, articles, "the ... app"."""
    name = fold(_ARTICLE.sub("", words.strip().strip(_QUOTES).strip()))
    return name if name in _by_word() else _NOUN.sub("", name)


@cache
def kinds() -> Mapping[str, Kind]:
    """Give the kinds of application that are known, by name."""
    data = tomllib.loads((files("deskhand.perception.lexicon") / "kinds.toml").read_text(encoding="utf-8"))
    return {
        name: Kind(
            name,
            (*entry["words"], *vocabulary().applications.get(name, ())),
            frozenset(entry.get("categories", ())),
            tuple(entry.get("mime_types", ())),
            tuple(entry.get("ids", ())),
            frozenset(entry.get("does", ())),
        )
        for name, entry in data.items()
    }


@cache
def _by_word() -> Mapping[str, Kind]:
    return {word: kind for kind in kinds().values() for word in kind.words}


def _defaults(kind: Kind, applications: Sequence[Application]) -> Iterator[Application]:
    """Give what opens its files by default; before that, where it is of another kind, one of this kind that opens them.

    Editors open folders, too, and may be all that the system knows as the default for them.
    """
    by_default = [each for mime in kind.mime_types for each in applications if mime in each.default_for]
    of_it = [each for each in applications if kind.categories & set(each.categories)]
    both = [each for each in by_default if each in of_it]
    yield from both or (each for each in of_it if set(kind.mime_types) & set(each.mime_types))
    yield from by_default


def _called(applications: Sequence[Application], name: str) -> Application | None:
    """Find by a whole name: the application's, its id's or the last part of that, its program's."""
    short = name.removesuffix(".desktop")
    tests: tuple[Callable[[Application], bool], ...] = (
        lambda each: fold(each.name) == name,
        lambda each: each.id.casefold() == short,
        lambda each: each.id.rpartition(".")[2].casefold() == short,
        lambda each: fold(each.name).replace(" ", "") == name.replace(" ", ""),
    )
    found = next((each for test in tests for each in applications if test(each)), None)
    if not found and "/" in name:
        return _called(applications, name.rpartition("/")[2])
    # A program that several start, in other ways each, names none of them.
    started = [each for each in applications if each.program and each.program.casefold() == name]
    return found or (started[0] if len(started) == 1 else None)


def _generic(applications: Sequence[Application], name: str) -> Application | None:
    generic = [each for each in applications if fold(each.generic_name) == name]
    return next((each for each in generic if each.default_for), generic[0] if generic else None)


def _partly_called(applications: Sequence[Application], name: str) -> Application | None:
    """Find the only one whose name has all these words; "gnome calculator" is org.gnome.Calculator."""
    parts = set(_split(name))
    if len(name) < _SHORTEST_PART or name in vocabulary().concepts:
        return None  # "the preferences" are hardly "Terminal Preferences"
    by_name = [each for each in applications if parts <= set(_split(each.name))]
    by_any = [each for each in applications if parts <= set(_split(f"{each.name} {each.id} {each.program}"))]
    found = by_name or by_any
    return found[0] if len(found) == 1 else None


def _described(application: Application) -> set[str]:
    texts = (application.name, application.generic_name, *application.keywords, *map(_spaced, application.categories))
    return {word for text in texts for word in fold(text).split()}


def _split(name: str) -> list[str]:
    """Split a name or an id into words: "org.gnome.TextEditor" has four."""
    return [word for word in re.split(r"[\W_]+", _spaced(name).casefold()) if word]


def _spaced(category: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", category)
