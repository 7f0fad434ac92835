"""What the app's side carries from step to step: it keeps no state of its own, so all of it stands in the plan."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from deskhand.models.literal.arrange import arranged, placed
from deskhand.models.literal.requests import split_request

_MEMO = "memo "


@dataclass(frozen=True)
class Memory:
    """The clauses that are left, the first of which is being worked on, and what was noted for it."""

    clauses: tuple[str, ...]
    of: str
    """Which subtask this is of, so that a plan left from another one is not taken up."""
    memo: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What came of the clauses before."""
    value: str | None = None
    """The last value that was read."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The values with a name, until they stand on the blackboard."""
    asked: int | None = None
    """How many answers there were when the question was put."""

    def next(self, note: str, value: str | None, key: str) -> Memory:
        """Go on to the next clause."""
        values = {**self.values, key: value} if key and value is not None else self.values
        return replace(
            self,
            clauses=self.clauses[1:],
            memo={},
            notes=(*self.notes, note),
            value=self.value if value is None else value,
            values=values,
            asked=None,
        )

    def instead(self, clauses: Sequence[str]) -> Memory:
        """Put other clauses in the place of the first."""
        return replace(self, clauses=(*clauses, *self.clauses[1:]), memo={}, asked=None)

    def with_memo(self, memo: Mapping[str, str], asked: int | None = None) -> Memory:
        return replace(self, memo=memo, asked=asked)

    def as_plan(self) -> list[str]:
        """Write it down as the plan: the clauses, one a line, and what was noted."""
        kept = {"of": self.of, "memo": self.memo, "notes": self.notes, "value": self.value, "asked": self.asked}
        return [*self.clauses, _MEMO + json.dumps(kept, ensure_ascii=False)]


def recall(plan: Sequence[str], subtask: str) -> Memory:
    """Read the memory back from a plan; a plan of another subtask, or none, is a fresh start."""
    if plan and plan[-1].startswith(_MEMO):
        kept = json.loads(plan[-1].removeprefix(_MEMO))
        if kept["of"] == _mark(subtask):
            return Memory(
                tuple(plan[:-1]), kept["of"], kept["memo"], tuple(kept["notes"]), kept["value"], {}, kept["asked"]
            )
    return begin(subtask)


def begin(subtask: str) -> Memory:
    """Take a subtask apart into clauses."""
    pieces = arranged(split_request(subtask))
    return Memory(tuple(text for piece in pieces for text in placed(piece)), _mark(subtask))


def _mark(subtask: str) -> str:
    return hashlib.sha256(subtask.encode("utf-8", "replace")).hexdigest()[:12]
