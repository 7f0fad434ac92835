"""The types of services' SDKs, by which their own code checks; an SDK takes a second to import, hence not at once."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from deskhand.core.foreign import named


@cache
def sdk(spec: str) -> TypeAdapter[Any]:
    """Give what reads a type that is written as module:Name."""
    return TypeAdapter(named(spec, "type of an SDK"))


def check_sent(body: dict[str, Any], spec: str) -> None:
    """See that the SDK takes a request for one that can be sent, and knows all that is in it."""
    sdk(spec).validate_python(body, extra="forbid")
