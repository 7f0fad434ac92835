"""The `json` dialect: an agent answers with one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.geometry import PICTURE_PIXELS, Frame, Space
from deskhand.core.message import ApplicationsPart, ModelRequest, Part, PicturePart, Reply, Role, Turn
from deskhand.core.status import AppAgentStatus, HostAgentStatus
from deskhand.dialects.binding import Bound, bind, with_checked_keys
from deskhand.dialects.grammar import Call
from deskhand.dialects.json_calls import calls_of, folded
from deskhand.dialects.json_text import is_one_object, one_object
from deskhand.dialects.prompt import Platform, Prompts, counted_in
from deskhand.dialects.reading import aim
from deskhand.dialects.render import render_parts, shown_frame
from deskhand.dialects.schemas import schema_of
from deskhand.dialects.signatures import in_json
from deskhand.dialects.tools import with_tools
from deskhand.dialects.unreadable import Unreadable

__all__ = ["JsonReading", "JsonReply", "in_order", "read_app_reply", "render_parts", "turn_of"]

_SPELLED = {
    "FINISHED": "FINISH",
    "DONE": "FINISH",
    "COMPLETE": "FINISH",
    "COMPLETED": "FINISH",
    "FAILED": "FAIL",
    "FAILURE": "FAIL",
}
_ASSIGNING = (
    "select_application_window(id: str, name: str): Hand current_subtask, with status ASSIGN, to a window, an "
    "application or an agent: by the id, or else the name, that it has in the lists."
)
"""The only thing a host does, for prompts in which it is a function, as it is in UFO's."""
_FIRST = ("picture",)
"""Beside the pictures themselves, which stand before all text."""
_STABLE = ("request", "subtask", "tools", "applications", "answers", "reports", "blackboard", "history", "plan")
_LAST = ("windows", "elements", "budget", "notes")


class JsonReading(NamedTuple):
    """An app agent's reply, read: `bound` are its actions as they were said."""

    decision: AppDecision
    bound: tuple[Bound, ...]
    repaired: bool
    space: str = ""


class JsonReply:
    """Tells any model that can write JSON what to answer, and reads it."""

    name = "json"
    marked = False

    def __init__(
        self,
        space: Space = PICTURE_PIXELS,
        *,
        platform: Platform = "linux",
        prompts: Prompts | None = None,
        earlier: int = 0,
    ) -> None:
        self.earlier = earlier
        """How many pictures of earlier steps are to be among the parts."""
        self._space = space
        self._platform = platform
        self._prompts = prompts or Prompts()

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Say what is wanted, then what is known: what stays the same from step to step comes first."""
        system = self._host(parts) if role == "host" else self._app(parts)
        turn = turn_of(parts, render_parts(in_order(parts), shown_frame(parts, self._space)))
        schema = schema_of("host" if role == "host" else "app")
        return ModelRequest(role=role, system=system, parts=parts, turns=(turn,), reply_schema=schema)

    def _host(self, parts: tuple[Part, ...]) -> str:
        others = any(part.agents for part in parts if isinstance(part, ApplicationsPart))
        return self._prompts.filled("json_host", agents=" or agent" if others else "", actions=_ASSIGNING)

    def _app(self, parts: tuple[Part, ...]) -> str:
        return self._prompts.filled(
            "json_app",
            actions=with_tools(lambda more: in_json(self._platform, more=more), parts),
            platform=self._prompts.filled(f"platform_{self._platform}"),
            coordinates=counted_in(self._space),
        )

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read the one JSON object of a reply; prose, fences and thinking around it are passed over.

        Raises:
            UnreadableReply: there is none, its status is unknown, or it lacks what its status needs.
        """
        if role == "host":
            return _host_decision(folded(one_object(reply.text)))
        return self.read(reply.text, frame).decision

    def read(self, text: str, frame: Frame) -> JsonReading:
        """Read an app agent's reply, and also say what was repaired; raises as `parse`."""
        return read_app_reply(text, frame, self._space)


def turn_of(parts: tuple[Part, ...], text: str) -> Turn:
    """Make the one message of a request: its pictures, then a text."""
    return Turn(speaker="user", text=text, pictures=tuple(p.image for p in parts if isinstance(p, PicturePart)))


def read_app_reply(
    text: str, frame: Frame, space: Space, change: Callable[[Call], Call] = lambda call: call
) -> JsonReading:
    """Read an app agent's reply; each of its calls passes through `change` first.

    Raises:
        UnreadableReply: as `JsonReply.parse`.
    """
    fields = folded(one_object(text))
    status = AppAgentStatus(_status(fields, [s.value for s in AppAgentStatus]))
    said = [calls_of(item) for item in _items(fields)]
    bound = tuple(with_checked_keys(bind(change(call))) for calls, _ in said for call in calls)
    aimed = aim(bound, frame, space)
    decision = AppDecision(
        observation=_text(fields, "observation"),
        thought=_text(fields, "thought"),
        status=status,
        actions=aimed.actions,
        plan=_texts(fields, "plan"),
        questions=_texts(fields, "questions"),
        result=_text(fields, "result"),
        blackboard=_blackboard(fields),
    )
    if status is AppAgentStatus.CONFIRM and not decision.actions:
        raise Unreadable("no_action", "status CONFIRM needs the `action` that the user is to confirm; give it")
    _check_questions(status.value, decision.questions)
    repaired = not (is_one_object(text) and all(one.exact for one in said)) or any(one.repaired for one in bound)
    return JsonReading(decision, bound, repaired, aimed.space)


def in_order(parts: tuple[Part, ...]) -> list[Part]:
    """Put what stays the same from step to step before what does not."""
    ranks = {name: rank for rank, name in enumerate((*_FIRST, *_STABLE, *_LAST))}
    return sorted(parts, key=lambda part: ranks[part.part])


def _host_decision(fields: Mapping[str, object]) -> HostDecision:
    status = HostAgentStatus(_status(fields, [s.value for s in HostAgentStatus]))
    decision = HostDecision(
        observation=_text(fields, "observation"),
        thought=_text(fields, "thought"),
        status=status,
        application=_application(fields),
        subtask=_text(fields, "currentsubtask", "subtask"),
        message=_texts(fields, "message"),
        plan=_texts(fields, "plan"),
        questions=_texts(fields, "questions"),
        result=_text(fields, "result"),
    )
    if status is HostAgentStatus.ASSIGN and not (decision.application and decision.subtask.strip()):
        raise Unreadable("missing_param", "status ASSIGN needs both `application` and `current_subtask`; give them")
    _check_questions(status.value, decision.questions)
    return decision


def _application(fields: Mapping[str, object]) -> str:
    """Give who is to take the subtask, also where it is the argument of a function, as in UFO's replies."""
    given = fields.get("arguments")
    arguments = folded(given) if isinstance(given, Mapping) else {}
    return _text({**arguments, **fields}, "application", "id", "name", "agentname").strip()


def _check_questions(status: str, questions: tuple[str, ...]) -> None:
    if status == "PENDING" and not any(question.strip() for question in questions):
        wanted = "status PENDING needs `questions` with what the user is to be asked; give them"
        raise Unreadable("missing_param", wanted)


def _status(fields: Mapping[str, object], allowed: list[str]) -> str:
    said = fields.get("status")
    word = re.sub(r"[^A-Z]", "", said.upper()) if isinstance(said, str) else ""
    word = _SPELLED.get(word, word)
    if word not in allowed:
        problem = f"there is no status {said!r}" if said else "the reply has no `status`"
        raise Unreadable("invalid_status", f"{problem}; give one of {', '.join(allowed)}")
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
    raise Unreadable("type_error", f"`{names[0]}` is not a text")


def _texts(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    match fields.get(name):
        case None | "":
            return ()
        case str() as text:
            return (text,)
        case list() as items:
            return tuple(item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items)
    raise Unreadable("type_error", f"`{name}` is a list of texts")


def _blackboard(fields: Mapping[str, object]) -> dict[str, str]:
    match fields.get("blackboard"):
        case None | "" | []:
            return {}
        case dict() as entries:
            return {
                str(key): value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                for key, value in entries.items()
            }
    raise Unreadable("type_error", "`blackboard` is an object of names and texts")


def _items(fields: Mapping[str, object]) -> list[object]:
    empty: tuple[object, ...] = (None, "", [])
    given = next((fields[name] for name in ("action", "actions") if fields.get(name) not in empty), [])
    return given if isinstance(given, list) else [given]
