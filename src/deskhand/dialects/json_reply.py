"""The `json` dialect: an agent answers with one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from deskhand.core.action import Action
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Frame
from deskhand.core.message import ModelRequest, Part, Reply, Role
from deskhand.core.status import AppAgentStatus, HostAgentStatus
from deskhand.dialects.actions import SIGNATURES, to_action
from deskhand.dialects.json_text import one_object
from deskhand.dialects.render import render_parts

__all__ = ["JsonReply", "render_parts"]

_SPELLED = {
    "FINISHED": "FINISH",
    "DONE": "FINISH",
    "COMPLETE": "FINISH",
    "COMPLETED": "FINISH",
    "FAILED": "FAIL",
    "FAILURE": "FAIL",
}
_FUNCTION_KEYS = ("function", "name", "action")
_ARGUMENT_KEYS = ("arguments", "args", "parameters")


class JsonReply:
    """Tells any model that can write JSON what to answer, and reads it."""

    name = "json"

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Add the role's instructions; the parts go along as they are, `render_parts` makes text of them."""
        return ModelRequest(role=role, system=system_text("host" if role == "host" else "app"), parts=parts)

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read the one JSON object of a reply; prose, fences and thinking around it are passed over.

        Raises:
            UnreadableReply: there is none, its status is unknown, or it lacks what its status needs.
        """
        fields = _folded(one_object(reply.text))
        return _host_decision(fields) if role == "host" else _app_decision(fields, frame)


@cache
def system_text(role: str) -> str:
    """Give the instructions for the role "host" or "app"."""
    text = (files("deskhand.dialects") / "prompts" / f"json_{role}.md").read_text(encoding="utf-8")
    return text.replace("@ACTIONS@", SIGNATURES)


def _host_decision(fields: Mapping[str, object]) -> HostDecision:
    status = HostAgentStatus(_status(fields, [s.value for s in HostAgentStatus]))
    decision = HostDecision(
        observation=_text(fields, "observation"),
        thought=_text(fields, "thought"),
        status=status,
        application=_text(fields, "application").strip(),
        subtask=_text(fields, "currentsubtask", "subtask"),
        message=_texts(fields, "message"),
        plan=_texts(fields, "plan"),
        questions=_texts(fields, "questions"),
        result=_text(fields, "result"),
    )
    if status is HostAgentStatus.ASSIGN and not (decision.application and decision.subtask.strip()):
        raise UnreadableReply("status ASSIGN needs both `application` and `current_subtask`; give them")
    _check_questions(status.value, decision.questions)
    return decision


def _app_decision(fields: Mapping[str, object], frame: Frame) -> AppDecision:
    status = AppAgentStatus(_status(fields, [s.value for s in AppAgentStatus]))
    decision = AppDecision(
        observation=_text(fields, "observation"),
        thought=_text(fields, "thought"),
        status=status,
        actions=_actions(fields, frame),
        plan=_texts(fields, "plan"),
        questions=_texts(fields, "questions"),
        result=_text(fields, "result"),
        blackboard=_blackboard(fields),
    )
    if status is AppAgentStatus.CONFIRM and not decision.actions:
        raise UnreadableReply("status CONFIRM needs the `action` that the user is to confirm; give it")
    _check_questions(status.value, decision.questions)
    return decision


def _check_questions(status: str, questions: tuple[str, ...]) -> None:
    if status == "PENDING" and not any(question.strip() for question in questions):
        raise UnreadableReply("status PENDING needs `questions` with what the user is to be asked; give them")


def _folded(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Make keys comparable: `CurrentSubtask`, `current_subtask` and `current subtask` are one."""
    return {re.sub(r"[^a-z]", "", key.lower()): value for key, value in fields.items()}


def _status(fields: Mapping[str, object], allowed: list[str]) -> str:
    said = fields.get("status")
    word = re.sub(r"[^A-Z]", "", said.upper()) if isinstance(said, str) else ""
    word = _SPELLED.get(word, word)
    if word not in allowed:
        problem = f"there is no status {said!r}" if said else "the reply has no `status`"
        raise UnreadableReply(f"{problem}; give one of {', '.join(allowed)}")
    return word


def _text(fields: Mapping[str, object], *names: str) -> str:
    value = next((fields[name] for name in names if fields.get(name) is not None), "")
    match value:
        case str():
            return value
        case list() if all(isinstance(item, str) for item in value):
            return "\n".join(value)
        case bool() | int() | float() | list() | dict():
            return json.dumps(value, ensure_ascii=False)
    raise UnreadableReply(f"`{names[0]}` is not a text")


def _texts(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    match fields.get(name):
        case None | "":
            return ()
        case str() as text:
            return (text,)
        case list() as items:
            return tuple(item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items)
    raise UnreadableReply(f"`{name}` is a list of texts")


def _blackboard(fields: Mapping[str, object]) -> dict[str, str]:
    match fields.get("blackboard"):
        case None | "" | []:
            return {}
        case dict() as entries:
            return {
                str(key): value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                for key, value in entries.items()
            }
    raise UnreadableReply("`blackboard` is an object of names and texts")


def _actions(fields: Mapping[str, object], frame: Frame) -> tuple[Action, ...]:
    given = fields.get("action", fields.get("actions"))
    if given is None or given == "":
        return ()
    items = given if isinstance(given, list) else [given]
    return tuple(_action(item, frame) for item in items)


def _action(item: object, frame: Frame) -> Action:
    folded = _folded(item) if isinstance(item, dict) else {}
    name = next((folded[key] for key in _FUNCTION_KEYS if isinstance(folded.get(key), str)), "")
    if not name:
        shown = json.dumps(item, ensure_ascii=False)[:300]
        raise UnreadableReply(
            f'{shown} is not an action; write {{"function": "click", "arguments": {{"element": "e3"}}}}'
        )
    arguments: object = next((folded[key] for key in _ARGUMENT_KEYS if folded.get(key) is not None), {})
    if isinstance(arguments, str):
        arguments = one_object(arguments) if arguments.strip() else {}
    if not isinstance(arguments, dict):
        raise UnreadableReply(f"the arguments of {name} are an object of names and values")
    return to_action(name, arguments, frame)
