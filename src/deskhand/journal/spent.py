"""What the models of a session were asked for so far, which counts against their budgets when it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deskhand.core.event import ModelAsked, ModelReplied, Record
from deskhand.core.message import Role, Usage


def spent(records: Iterable[Record]) -> Mapping[tuple[Role, str], Usage]:
    """Give the sum of what was used, by role and the spec of the model that answered."""
    sums: dict[tuple[Role, str], Usage] = {}
    asked = ""
    for record in records:
        match record.event:
            case ModelAsked(model=model):
                asked = model
            case ModelReplied(role=role, usage=usage, model=model):
                key = (role, model or asked)
                sums[key] = sums.get(key, Usage()) + usage
    return sums
