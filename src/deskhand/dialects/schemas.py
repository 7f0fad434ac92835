"""What the replies of the `json` dialects look like, for services that can hold a model to a JSON schema."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from deskhand.core.status import AppAgentStatus, HostAgentStatus

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_ACTION = {
    "type": "object",
    "properties": {"function": _TEXT, "arguments": {"type": "object"}},
    "required": ["function", "arguments"],
    "additionalProperties": False,
}


@cache
def schema_of(role: Literal["host", "app"]) -> dict[str, Any]:
    """Give the schema of a role's reply; the thought comes before what follows from it."""
    if role == "host":
        statuses = {"type": "string", "enum": [s.value for s in HostAgentStatus]}
        properties: dict[str, Any] = {"observation": _TEXT, "thought": _TEXT, "status": statuses}
        properties |= {"application": _TEXT, "current_subtask": _TEXT, "message": _TEXTS, "plan": _TEXTS}
        properties |= {"questions": _TEXTS, "result": _TEXT}
        return _object(properties)
    statuses = {"type": "string", "enum": [s.value for s in AppAgentStatus]}
    properties = {"observation": _TEXT, "thought": _TEXT, "status": statuses}
    properties |= {"action": {"type": "array", "items": _ACTION}, "plan": _TEXTS, "questions": _TEXTS}
    properties |= {"result": _TEXT, "blackboard": {"type": "object", "additionalProperties": _TEXT}}
    return _object(properties)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    required = ["observation", "thought", "status"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
