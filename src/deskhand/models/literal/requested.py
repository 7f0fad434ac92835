"""The parts of a model request, by kind."""

from __future__ import annotations

from typing import TypeVar

from deskhand.core.message import ModelRequest, Part

P = TypeVar("P", bound=Part)


def part(request: ModelRequest, kind: type[P]) -> P | None:
    """Give the last part of a kind, which is the newest."""
    return next((p for p in reversed(request.parts) if isinstance(p, kind)), None)


def parts(request: ModelRequest, kind: type[P]) -> tuple[P, ...]:
    """Give all parts of a kind, in order."""
    return tuple(p for p in request.parts if isinstance(p, kind))
