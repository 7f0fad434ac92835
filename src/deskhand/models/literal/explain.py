"""What the built-in model understands of a request, without doing anything."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.observation import Application, Window
from deskhand.models.literal.applications import Desktop
from deskhand.models.literal.planning import Line, Plan, plan_request

__all__ = ["Line", "Plan", "explain"]


def explain(request: str, applications: Sequence[Application], windows: Sequence[Window] = ()) -> Plan:
    """Read a request: its clauses in `lines`, one each, its tasks, and what stands in the way. Touches nothing."""
    return plan_request(request, Desktop(applications, windows))
