"""What a run's models were asked for, in a line a model."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.core.event import Record
from deskhand.core.text import counted
from deskhand.journal.spent import Spent, spent
from deskhand.models.choice import BUILT_IN


def spending(records: Iterable[Record]) -> list[str]:
    """Say how often each model was asked in which role, and what that cost; nothing of the one that is built in."""
    sums = spent(records).items()
    return [f"{role}, {model}: {_told(used)}" for (role, model), used in sums if model != BUILT_IN]


def _told(used: Spent) -> str:
    usage = used.usage
    tokens = f"{usage.input_tokens} tokens in, {usage.output_tokens} out"
    if not used.told:
        tokens = f"at least {tokens}" if usage.input_tokens else "tokens unknown, as the service does not tell"
    cost = f", ${usage.usd:.4f}" if usage.usd else ""
    return f"{counted(used.calls, 'call')}, {tokens}{cost}"
