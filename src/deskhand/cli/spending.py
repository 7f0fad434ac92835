"""What a run's models were asked for, in a line a model and, of several, a line an agent."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.core.event import Record
from deskhand.journal.spent import spent, spent_by_agent
from deskhand.models.choice import BUILT_IN


def spending(records: Iterable[Record]) -> list[str]:
    """Say how often each model was asked in which role, and what that cost; nothing of the one that is built in."""
    records = list(records)
    lines = [f"{role}, {model}: {used}" for (role, model), used in spent(records).items() if model != BUILT_IN]
    agents = spent_by_agent(records, but=BUILT_IN)
    return lines + [f"of that {agent or 'no agent'}: {used}" for agent, used in agents.items() if len(agents) > 1]
