"""What a scripted service can be told to answer, whatever its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Say:
    """A reply; `usage` are tokens read, written, and, of those read, taken from a cache. None: it does not tell."""

    text: str | None
    finish: Literal["stop", "length", "filter", "refusal"] = "stop"
    usage: tuple[int, int, int] | None = (100, 10, 0)
    after: float = 0.0
    """Seconds until it is sent."""


@dataclass(frozen=True)
class Act:
    """Calls of a vendor's own tool, with a thought that is to come back unchanged.

    For OpenAI's responses a call is an action of the computer, with `type`, or a function's, with `name` and
    `arguments`; for Gemini it has `name` and `args`; for Anthropic's messages `name` and `input`.
    """

    calls: tuple[Mapping[str, Any], ...]
    checks: tuple[str, ...] = ()
    """What the service wants the user to be asked first."""
    thought: str = ""
    usage: tuple[int, int, int] | None = (100, 10, 0)
    after: float = 0.0
