"""Which application is meant: by its name, by a word for its kind, or by what is to be done."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from deskhand.core.observation import Application, Window
from deskhand.perception.naming import fold, likeness

_NOUN = re.compile(r"\s+(?:app|application|program|programme|window)$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|my|your|this|its)\s+", re.IGNORECASE)
_NEAR = 60.0
_MOST_NAMED = 4


class Kind(NamedTuple):
    """A kind of application."""

    name: str
    words: tuple[str, ...]
    categories: frozenset[str]
    mime_types: tuple[str, ...]
    does: frozenset[str]


class Meant(NamedTuple):
    """An application that was meant: what ASSIGN takes, and what a person calls it."""

    id: str
    name: str
    kind: str = ""
    """The kind it was called by, when it was not named."""


class Desktop:
    """What can be worked with: running windows, installed applications, registered agents."""

    def __init__(
        self, applications: Sequence[Application] = (), windows: Sequence[Window] = (), agents: Sequence[str] = ()
    ) -> None:
        self.applications = tuple(applications)
        self.windows = tuple(w for w in windows if w.title or w.app)
        self.agents = tuple(agents)

    def meant(self, words: str) -> Meant | None:
        """Find the application that words name exactly; None when they name none."""
        name = _bare(words)
        if not name:
            return None
        as_written = next((a for a in self.applications if a.name == words.strip()), None)
        if as_written:
            return self._meant(as_written)
        default = self.of_kind(_kind_words()[name], only_default=True) if name in _kind_words() else None
        return default or self._named(name) or self._of_kind(name) or self._window(name)

    def is_kind(self, words: str) -> bool:
        """Tell whether words are one for a kind of application, installed or not."""
        return _bare(words) in _kind_words()

    def for_clause(self, kind: str) -> tuple[str, Meant | None]:
        """Give the kind of application that a kind of clause implies, and the one to use; "" when it implies none."""
        return next(((k.name, self.of_kind(k.name)) for k in kinds().values() if kind in k.does), ("", None))

    def of_kind(self, kind: str, *, only_default: bool = False) -> Meant | None:
        """Find the application of a kind: the default for its files, else one that is open, else the first by name."""
        known = kinds()[kind]
        default = (a for a in self.applications if any(mime in a.default_for for mime in known.mime_types))
        found = next(default if only_default else self._candidates(known), None)
        return self._meant(found, kind) if found else None

    def others_of_kind(self, kind: str, than: str) -> Meant | None:
        """Find another application of a kind when one cannot be used."""
        found = next((a for a in self._candidates(kinds()[kind]) if a.id != than), None) if kind in kinds() else None
        return self._meant(found, kind) if found else None

    def fits(self, meant: Meant, *names: str) -> bool:
        """Tell whether an application, or the window's, is of one of the kinds."""
        window = next((w for w in self.windows if w.id == meant.id), None)
        app = next((a for a in self.applications if a.id == meant.id or (window and _belongs(window, a))), None)
        return meant.kind in names or bool(
            app and any(kinds()[name].categories & set(app.categories) for name in names)
        )

    @property
    def front(self) -> Meant | None:
        """The window that has the keyboard, else the topmost."""
        shown = [w for w in self.windows if not w.minimized]
        window = next((w for w in shown if w.active), shown[0] if shown else None)
        return Meant(window.dialog_of or window.id, window.title or window.app) if window else None

    def near(self, words: str) -> tuple[str, ...]:
        """Name applications that are called alike."""
        name = _bare(words)
        ranked = {a.name: max(likeness(name, a.name), likeness(name, a.id)) for a in self.applications}
        best = sorted((n for n, like in ranked.items() if like >= _NEAR), key=lambda n: -ranked[n])
        return tuple(best[:_MOST_NAMED])

    def _named(self, name: str) -> Meant | None:
        if name in (agent.casefold() for agent in self.agents):
            agent = next(a for a in self.agents if a.casefold() == name)
            return Meant(agent, agent)
        for test in (
            lambda a: fold(a.name) == name,
            lambda a: a.id.casefold() == name or a.id.rpartition(".")[2].casefold() == name,
            lambda a: fold(a.name).replace(" ", "") == name.replace(" ", ""),
        ):
            found = next((a for a in self.applications if test(a)), None)
            if found:
                return self._meant(found)
        part = [a for a in self.applications if set(name.split()) <= _words(a)]
        return self._meant(part[0]) if len(part) == 1 and len(name) > 3 and name not in _kind_words() else None

    def _of_kind(self, name: str) -> Meant | None:
        kind = _kind_words().get(name)
        if kind:
            return self.of_kind(kind)
        generic = [a for a in self.applications if fold(a.generic_name) == name]
        found = next((a for a in generic if a.default_for), generic[0] if generic else None)
        return self._meant(found, name) if found else None

    def _candidates(self, kind: Kind) -> Iterator[Application]:
        fits = [a for a in self.applications if kind.categories & set(a.categories)]
        yield from (a for a in self.applications if any(mime in a.default_for for mime in kind.mime_types))
        yield from (a for a in fits if any(_belongs(w, a) for w in self.windows))
        yield from sorted(fits, key=lambda a: a.name.casefold())
        yield from (a for a in self.applications if fold(a.generic_name) in kind.words)

    def _window(self, name: str) -> Meant | None:
        """Find an open window by its class or a part of its title, as "Settings" or "galculator"."""
        for test in (
            lambda w: w.app.casefold() == name or w.app.rpartition(".")[2].casefold() == name,
            lambda w: fold(w.title) == name,
            lambda w: len(name) > 3 and (fold(w.title).endswith(" " + name) or fold(w.title).startswith(name + " ")),
        ):
            found = [w for w in self.windows if test(w) and not w.dialog_of]
            if found:
                return Meant(found[0].id, found[0].title or found[0].app)
        return None

    def _meant(self, application: Application, kind: str = "") -> Meant:
        return Meant(application.id, application.name, kind)


@cache
def kinds() -> Mapping[str, Kind]:
    """Give the kinds of application that are known, by name."""
    data = tomllib.loads((files("deskhand.models.literal.words") / "kinds.toml").read_text(encoding="utf-8"))
    return {
        name: Kind(
            name,
            tuple(entry["words"]),
            frozenset(entry.get("categories", ())),
            tuple(entry.get("mime_types", ())),
            frozenset(entry.get("does", ())),
        )
        for name, entry in data.items()
    }


@cache
def _kind_words() -> Mapping[str, str]:
    return {word: kind.name for kind in kinds().values() for word in kind.words}


def _bare(words: str) -> str:
    name = fold(_ARTICLE.sub("", words.strip().strip("“”\"'").strip()))
    shorter = _NOUN.sub("", name)
    return name if name in _kind_words() else shorter


def _words(application: Application) -> set[str]:
    """Give the words of an application's name and id: "gnome calculator" is org.gnome.Calculator."""
    return set(re.split(r"[^\w]+|_", f"{application.name} {application.id}".casefold()))


def _belongs(window: Window, application: Application) -> bool:
    identity = application.id.casefold()
    return window.app.casefold() in (identity, identity.rpartition(".")[2], application.name.casefold())
