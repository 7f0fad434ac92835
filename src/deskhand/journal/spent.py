"""What the models of a session were asked for so far: who, how often, and at what cost."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from deskhand.core.event import ModelAsked, ModelRemarked, ModelReplied, Record
from deskhand.core.message import Role, Usage
from deskhand.core.text import counted

K = TypeVar("K", bound=Hashable)


class Spent(NamedTuple):
    """Some replies of models, those among them that came to nothing."""

    calls: int = 0
    usage: Usage = Usage()
    told: bool = True
    """Whether the service said of each how many tokens it was; else the usage is less than the whole."""

    def __str__(self) -> str:
        tokens = f"{self.usage.input_tokens} tokens in, {self.usage.output_tokens} out"
        if not self.told:
            known = self.usage.input_tokens
            tokens = f"at least {tokens}" if known else "tokens unknown, as the service does not tell"
        cost = f", ${self.usage.usd:.4f}" if self.usage.usd else ""
        return f"{counted(self.calls, 'call')}, {tokens}{cost}"


class _Reply(NamedTuple):
    agent: str
    role: Role
    model: str
    usage: Usage


def spent(records: Iterable[Record]) -> Mapping[tuple[Role, str], Spent]:
    """Give the sums, by role and the spec of the model that answered."""
    return _sums(((reply.role, reply.model), reply.usage) for reply in _replies(records))


def spent_by_agent(records: Iterable[Record], but: str) -> Mapping[str, Spent]:
    """Give the sums by agent, of all models but one; what no agent asked for, such as a judgement, is of ""."""
    return _sums((reply.agent, reply.usage) for reply in _replies(records) if reply.model != but)


def _replies(records: Iterable[Record]) -> Iterator[_Reply]:
    asked = ""
    for record in records:
        match record.event:
            case ModelAsked(model=model):
                asked = model
            case ModelReplied(role=role, usage=usage, model=model):
                yield _Reply(record.scope.agent, role, model or asked, usage)
            case ModelRemarked(role=role, usage=usage, model=model) if model:
                yield _Reply(record.scope.agent, role, model, usage)


def _sums(uses: Iterable[tuple[K, Usage]]) -> dict[K, Spent]:
    sums: dict[K, Spent] = {}
    for who, usage in uses:
        before = sums.get(who, Spent())
        sums[who] = Spent(before.calls + 1, before.usage + usage, before.told and usage.input_tokens > 0)
    return sums
