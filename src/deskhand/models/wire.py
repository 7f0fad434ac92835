"""The form of a service's requests and replies: pure translations, so that they can be tested without one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from deskhand.core.message import ToolSpec
from deskhand.core.observation import Image
from deskhand.models.conversation import Message

Finish = Literal["stop", "length", "filter", "refusal"]
Read = Callable[[Image], bytes]
"""Gives the bytes of a picture."""


HEADERS = "extra_headers"
"""What SDKs call the field of a request that is sent as headers, not in its body."""


class Garbled(ValueError):
    """What came back is no reply in this form."""


class Tokens(NamedTuple):
    """Tokens of one reply. `read` counts all input; `cached` and `kept` are parts of it."""

    read: int = 0
    written: int = 0
    cached: int = 0
    """Taken from what the service had kept."""
    kept: int = 0
    """Kept by the service for the next request."""

    def and_(self, other: Tokens | None) -> Tokens:
        """Add another reply's; one that is not told adds nothing."""
        return Tokens(*map(sum, zip(self, other or Tokens(), strict=True)))


class Answer(NamedTuple):
    """One reply of a service, whatever its form."""

    text: str
    finish: Finish
    tokens: Tokens | None
    """None when the service does not tell."""
    pieces: tuple[dict[str, Any], ...] = ()
    """The same as it came, where the service wants that back unchanged with the next request."""
    checks: tuple[str, ...] = ()
    """What the service wants the user to agree to first."""
    why: str = ""
    """Why it broke off or was withheld, in the service's words."""


@dataclass(frozen=True)
class Shape:
    """What a service has shown to take; it shrinks as the service refuses things."""

    dropped: frozenset[str] = frozenset()
    """Fields that are not sent."""
    pictures: int | None = None
    schema: Literal["schema", "object", "none"] = "schema"
    """How it is held to a schema: by the schema, by asking for some JSON object, or not at all."""
    limit_field: str = ""
    """What the longest reply is called, where not as usual."""
    limit: int | None = None
    """The longest reply that it allows."""
    refused: frozenset[str] = frozenset()
    """Versions of its own tool for computers that it does not take."""
    system: bool = True
    """Whether instructions are a message of their own, not the beginning of the user's first."""


@dataclass(frozen=True)
class Call:
    """All that a request is made of, before it has the form of a service."""

    model: str
    system: str
    messages: tuple[Message, ...]
    shape: Shape = Shape()
    schema: Mapping[str, Any] | None = None
    temperature: float | None = None
    """None where it is not set: then the lowest, in forms that have one."""
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    functions: tuple[ToolSpec, ...] = ()
    platform: str = ""
    """What the service's own tool for computers is to use; "" for no such tool."""
    tool: str = ""
    """The version of that tool; "" for the one that is the model's."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def longest(self) -> int | None:
        limits = [limit for limit in (self.max_tokens, self.shape.limit) if limit is not None]
        return min(limits, default=None)


class Wire(Protocol):
    """One form."""

    sdk: str
    """The module of the official SDK."""
    client: str
    """The class in it."""
    operation: str
    """The path that is appended to the base URL."""

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        """Give the body of a request."""
        ...

    def decode(self, body: Mapping[str, Any]) -> Answer:
        """Read the body of a reply.

        Raises:
            Garbled: it is none.
        """
        ...


def called(name: object, arguments: object) -> str:
    """Write a call that a server took out of a reply's text as the model wrote it."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        given = arguments
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': given}, ensure_ascii=False)}\n</tool_call>"


def count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def is_strict(schema: object) -> bool:
    """Whether every object in a schema names all its keys and allows no other: what a strict service demands."""
    match schema:
        case list():
            return all(map(is_strict, schema))
        case Mapping():
            properties = schema.get("properties")
            if schema.get("type") == "object" and not (
                isinstance(properties, Mapping)
                and schema.get("additionalProperties") is False
                and set(schema.get("required", ())) == set(properties)
            ):
                return False
            return all(map(is_strict, schema.values()))
        case _:
            return True
