"""Which application is meant: by its name, by a word for its kind, or by what is to be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deskhand.core.observation import Application, Window
from deskhand.perception.applications import bare, belongs, kind_of, kinds, named, near, of_kind
from deskhand.perception.naming import fold

_LONG_ENOUGH = 3
"""Up to here, a name says too little to be looked for in titles."""


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
        name = bare(words)
        if not name:
            return None
        agent = next((a for a in self.agents if a.casefold() == name), None)
        if agent:
            return Meant(agent, agent)
        found = named(self.applications, words, self.windows)
        kind = kind_of(words)
        if kind and not (found and (found.name == words.strip() or self.is_open(Meant(found.id, found.name)))):
            # What a person has before him is meant before what could be started.
            fits = of_kind(kind, self.applications, self.windows)
            found = next((a for a in fits if self.is_open(Meant(a.id, a.name))), found)
        return Meant(found.id, found.name, kind.name if kind else "") if found else self._window(name)

    def is_kind(self, words: str) -> bool:
        """Tell whether words are one for a kind of application, installed or not."""
        return kind_of(words) is not None

    def for_clause(self, kind: str) -> tuple[str, Meant | None]:
        """Give the kind of application that a kind of clause implies, and the one to use; "" when it implies none."""
        return next(((k.name, self.of_kind(k.name)) for k in kinds().values() if kind in k.does), ("", None))

    def of_kind(self, kind: str) -> Meant | None:
        """Find the application of a kind: the default for its files, else one that is open, else the first by name."""
        found = next(of_kind(kinds()[kind], self.applications, self.windows), None)
        return Meant(found.id, found.name, kind) if found else None

    def others_of_kind(self, kind: str, than: str) -> Meant | None:
        """Find another application of a kind when one cannot be used."""
        if kind not in kinds():
            return None
        others = (a for a in of_kind(kinds()[kind], self.applications, self.windows) if a.id != than)
        found = next(others, None)
        return Meant(found.id, found.name, kind) if found else None

    def fits(self, meant: Meant, *names: str) -> bool:
        """Tell whether an application, or the window's, is of one of the kinds."""
        window = next((w for w in self.windows if w.id == meant.id), None)
        app = next((a for a in self.applications if a.id == meant.id or (window and belongs(window, a))), None)
        return meant.kind in names or bool(
            app and any(kinds()[name].categories & set(app.categories) or app.id in kinds()[name].ids for name in names)
        )

    def is_open(self, meant: Meant) -> bool:
        """Tell whether an application has a window."""
        app = next((a for a in self.applications if a.id == meant.id), None)
        return any(w.id == meant.id or (app is not None and belongs(w, app)) for w in self.windows)

    @property
    def front(self) -> Meant | None:
        """The window that has the keyboard, else the topmost."""
        shown = [w for w in self.windows if not w.minimized]
        window = next((w for w in shown if w.active), shown[0] if shown else None)
        return Meant(window.dialog_of or window.id, window.title or window.app) if window else None

    def near(self, words: str) -> tuple[str, ...]:
        """Name applications that are called alike."""
        return tuple(application.name for application in near(self.applications, words))

    def _window(self, name: str) -> Meant | None:
        """Find an open window by its class or a part of its title, as "Settings" or "galculator"."""
        for test in (
            lambda w: w.app.casefold() == name or w.app.rpartition(".")[2].casefold() == name,
            lambda w: fold(w.title) == name,
            lambda w: len(name) > _LONG_ENOUGH and fold(w.title).startswith(name + " "),
            lambda w: len(name) > _LONG_ENOUGH and fold(w.title).endswith(" " + name),
        ):
            found = [w for w in self.windows if test(w) and not w.dialog_of]
            if found:
                return Meant(found[0].id, found[0].title or found[0].app)
        return None
