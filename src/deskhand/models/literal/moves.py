"""What a skill sees of a step, and what it can answer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from deskhand.core.action import Action, ActionResult, Wait
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Window
from deskhand.models.literal.clauses import Clause
from deskhand.perception.scene import Scene


class Act(NamedTuple):
    """Do these actions, then look again."""

    actions: tuple[Action, ...]
    thought: str
    memo: Mapping[str, str]
    """What the skill wants to know when it looks again."""


class Done(NamedTuple):
    """The clause holds; `note` says by what evidence."""

    note: str
    value: str | None = None
    """What it yields, when it was to read something."""


class Ask(NamedTuple):
    """The user has to say something first."""

    question: str


class Fail(NamedTuple):
    """The clause cannot be done."""

    reason: str


class Instead(NamedTuple):
    """Other clauses do what this one wants."""

    clauses: tuple[str, ...]
    thought: str


Move = Act | Done | Ask | Fail | Instead


class Tried(NamedTuple):
    """An action of the last step and what came of it; None when that is not known."""

    action: Action
    result: ActionResult | None


@dataclass(frozen=True)
class Turn:
    """One clause at one moment: the screen, what was tried for it last, and what was noted then."""

    clause: Clause
    scene: Scene
    windows: tuple[Window, ...] = ()
    window: str = ""
    """The id of the window the subtask is about."""
    application: str = ""
    tried: tuple[Tried, ...] = ()
    """What the last step did for this clause; nothing when it has only now come to it."""
    memo: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""
    """What the user answered to this clause's question."""
    truncated: str = ""
    asked_at: Box | None = None
    """Where the request itself stands on the screen, as forms that set a task show it."""
    following: str = ""
    """The clause that comes after this one."""

    @property
    def tries(self) -> int:
        """How often the clause has been acted for."""
        return int(self.memo.get("tries", "0"))

    @property
    def failed(self) -> str:
        """Why the last action failed; "" when none did."""
        return next((t.result.text or "it failed" for t in self.tried if t.result and t.result.outcome == "failed"), "")

    @property
    def done(self) -> bool:
        """Whether the device saw an effect of all that was done last; that time has passed is none."""
        acted = [t for t in self.tried if not isinstance(t.action, Wait)]
        return bool(acted) and all(t.result is not None and t.result.outcome == "done" for t in acted)

    @property
    def evidence(self) -> str:
        """What the device saw of the last action."""
        last = self.tried[-1].result if self.tried else None
        return last.text if last else ""

    @cached_property
    def looks(self) -> str:
        """A fingerprint of the screen as a person sees it."""
        titles = tuple((w.title, w.minimized) for w in self.windows)
        return hashlib.sha256(repr((self.scene.looks(), titles)).encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def changed(self) -> bool:
        """Whether the screen looks different than before the last action."""
        return self.memo.get("looks", self.looks) != self.looks

    def act(self, *actions: Action, thought: str, **memo: str) -> Act:
        """Act for this clause once more, remembering how the screen looked."""
        return Act(actions, thought, {**self.memo, "tries": str(self.tries + 1), "looks": self.looks, **memo})

    def prepare(self, *actions: Action, thought: str, **memo: str) -> Act:
        """Do something that only leads to the act proper, such as opening a menu to look into it."""
        return Act(actions, thought, {**self.memo, "looks": self.looks, **memo})

    def again(self, seconds: Action, thought: str, **memo: str) -> Act:
        """Wait and look again, which is no try."""
        return Act((seconds,), thought, {**self.memo, **memo})

    def count(self, name: str) -> int:
        """Give a counter of the memo."""
        return int(self.memo.get(name, "0"))

    @property
    def own_window(self) -> Window | None:
        return next((w for w in self.windows if w.id == self.window), None)

    def state_of(self, element: Element) -> Element | None:
        """Give an element of the memo as it is now."""
        return self.scene.get(element.id)
