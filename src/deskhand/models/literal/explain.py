"""What the built-in model understands of a request, without doing anything."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.observation import Application, Window
from deskhand.models.literal.applications import Desktop
from deskhand.models.literal.planning import Line, plan_request


def explain(request: str, applications: Sequence[Application], windows: Sequence[Window] = ()) -> tuple[Line, ...]:
    """Read a request: one line a clause, with its kind, target and application. Touches nothing."""
    return tuple(plan_request(request, Desktop(applications, windows)).lines)
