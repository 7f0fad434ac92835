"""Anthropic's own tools for using a screen: which there are, and how their calls are answered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from deskhand.core.geometry import Size
from deskhand.core.message import CameOf, ToolSpec
from deskhand.core.observation import Window
from deskhand.models.wire import HEADERS, Call, Garbled

TOOLSETS = {"web": "browser_toolset_20260801"}
"""The tools of models that have one for each kind of action, by platform."""
TOOLSET = "computer_toolset_20260801"
BETAS: Mapping[str, str] = {
    "computer_20241022": "computer-use-2024-10-22",
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}
"""The one tool of models before, by version, and what has to be sent as a header with it."""
_OF_MODELS = (
    (r"claude-3-5", "computer_20241022"),
    (r"claude-3-7|(?:sonnet|opus)-4(?:-0|-1|-2\d{7}|@|$)|(?:sonnet|haiku)-4-5", "computer_20250124"),
    (r"opus-4-[5-7]|sonnet-4-6", "computer_20251124"),
)
"""By what a model's name holds; all others are newer."""
WITHHELD = ("file_upload", "javascript_exec", "read_console", "read_network")
"""What the tools for browsers offer, and nothing here can do."""
_UNANSWERED = CameOf(outcome="not done", text="Not executed.")


class ToolUse(NamedTuple):
    """A call as it has to be answered."""

    id: str
    toolset: str


def version_of(call: Call) -> str:
    """Give the tool that a model is offered: the one that is set, else its own, else one that was not refused yet."""
    own = next((version for pattern, version in _OF_MODELS if re.search(pattern, call.model)), "")
    known = (own, TOOLSETS.get(call.platform, ""), TOOLSET, *sorted(BETAS, reverse=True))
    left = [version for version in known if version and version not in call.shape.refused]
    return call.tool or next(iter(left), TOOLSET)


def tools_of(call: Call, size: Size | None) -> dict[str, Any]:
    """Give the fields of a request that offer tools; `size` is that of the picture as it is sent."""
    version = version_of(call)
    functions = [_function(spec) for spec in call.functions]
    own: dict[str, Any] = {"type": version}
    if version in BETAS:
        if size is None:
            return {"tools": functions} if functions else {}  # there is nothing to point at
        own |= {"name": "computer", "display_width_px": size.width, "display_height_px": size.height}
        if version == "computer_20251124":
            own["enable_zoom"] = True
        return {"tools": [own, *functions], HEADERS: {"anthropic-beta": BETAS[version]}}
    if version in TOOLSETS.values():
        own["configs"] = {name: {"enabled": False} for name in WITHHELD}
    return {"tools": [own, *functions]}


def calls_in(pieces: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a reply calls something.

    Raises:
        Garbled: one of its calls is none that could be answered.
    """
    calls = [piece for piece in pieces if piece.get("type") == "tool_use"]
    for call in calls:
        texts = isinstance(call.get("id"), str) and isinstance(call.get("name"), str)
        if not (texts and isinstance(call.get("input"), Mapping)):
            raise Garbled(f"a call in the reply is none: {str(dict(call))[:200]}")
    return bool(calls)


def uses_of(pieces: Sequence[Mapping[str, Any]]) -> tuple[ToolUse, ...]:
    """Give the calls of a reply that have to be answered, in order."""
    uses = [piece for piece in pieces if piece.get("type") == "tool_use"]
    return tuple(ToolUse(str(piece.get("id")), piece.get("toolset_name") or "") for piece in uses)


def results_of(uses: Sequence[ToolUse], came: Sequence[CameOf]) -> Iterator[tuple[dict[str, Any], CameOf]]:
    """Give what answers each call, with what came of it; a picture may be added to what is no error."""
    missing = [_UNANSWERED] * (len(uses) - len(came))
    for use, one in zip(uses, (*came, *missing), strict=False):
        result: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": use.id,
            "content": [
                _state(one.tabs) if one.tabs is not None else {"type": "text", "text": one.text or one.outcome}
            ],
            "is_error": one.outcome in ("failed", "not done"),
        }
        yield result | ({"toolset_name": use.toolset} if use.toolset else {}), one


def _state(tabs: Sequence[Window]) -> dict[str, Any]:
    """Say which tabs there are; a result that does holds nothing else."""
    told = [{"tab_id": tab.id, "title": tab.title, "url": "", "active": tab.active} for tab in tabs]
    return {"type": "browser_state", "tabs": told}


def _function(spec: ToolSpec) -> dict[str, Any]:
    schema = spec.arguments or {"type": "object", "properties": {}}
    return {"name": spec.name, "description": spec.description, "input_schema": schema}
