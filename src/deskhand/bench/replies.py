"""What a run's calls of models were like: how many, how long, and how many replies could not be read."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from deskhand.core.event import Decided, ModelAsked, ModelReplied, Record
from deskhand.core.message import Role, Usage

_NO_DECISION: frozenset[Role] = frozenset({"grounder", "evaluator"})
"""Roles whose replies are no decisions."""


class Replies(NamedTuple):
    """The calls of a run."""

    calls: int = 0
    malformed: int = 0
    """Replies that nothing could be decided on, so that the model was asked again or the step failed."""
    usage: Usage = Usage()
    told: bool = True
    """Whether the service said of each reply how many tokens it was."""
    call_seconds: float = 0.0
    """The median."""


def replies_in(records: Iterable[Record]) -> Replies:
    """Sum up the calls that records tell of."""
    calls, malformed, usage, told, seconds = 0, 0, Usage(), True, list[float]()
    for record in records:
        match record.event:
            case ModelAsked():
                calls += 1
            case ModelReplied(role=role, usage=used, seconds=took):
                usage, told = usage + used, told and used.input_tokens > 0
                seconds.append(took)
                malformed += role not in _NO_DECISION
            case Decided():
                malformed -= 1  # the reply before it was read after all
    return Replies(calls, malformed, usage, told, round(median(seconds), 2) if seconds else 0.0)
