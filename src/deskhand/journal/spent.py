"""What the models of a session were asked for so far: who, how often, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from deskhand.core.event import ModelAsked, ModelRemarked, ModelReplied, Record
from deskhand.core.message import Role, Usage


class Spent(NamedTuple):
    """The replies that one model gave in one role, those among them that came to nothing."""

    calls: int = 0
    usage: Usage = Usage()
    told: bool = True
    """Whether the service said of each how many tokens it was; else the usage is less than the whole."""


def spent(records: Iterable[Record]) -> Mapping[tuple[Role, str], Spent]:
    """Give the sums, by role and the spec of the model that answered."""
    sums: dict[tuple[Role, str], Spent] = {}
    asked = ""
    for record in records:
        match record.event:
            case ModelAsked(model=model):
                asked = model
            case ModelReplied(role=role, usage=usage, model=model):
                _count(sums, (role, model or asked), usage)
            case ModelRemarked(role=role, usage=usage, model=model) if model:
                _count(sums, (role, model), usage)
    return sums


def _count(sums: dict[tuple[Role, str], Spent], who: tuple[Role, str], usage: Usage) -> None:
    before = sums.get(who, Spent())
    sums[who] = Spent(before.calls + 1, before.usage + usage, before.told and usage.input_tokens > 0)
