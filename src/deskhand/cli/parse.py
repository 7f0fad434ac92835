"""`deskhand parse`: read a model's raw reply on standard input as a dialect does, without acting."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence

from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.core.decision import AppDecision, Decision
from deskhand.core.errors import SettingsError, UnreadableReply
from deskhand.core.family import family_called
from deskhand.core.geometry import Frame, Size
from deskhand.core.message import Reply
from deskhand.core.nearest import hint
from deskhand.dialects.binding import Bound
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.dialects.forms import WAYS
from deskhand.dialects.ground import GroundReply, Pointing
from deskhand.dialects.json_reply import JsonReading, JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.own_form import OwnReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.reading import Reading

DIALECTS = ("native", "plan", "ground", "json", "marks", *WAYS)


def main(arguments: Namespace) -> int:
    foreign = ":" in arguments.dialect
    if not foreign and arguments.dialect not in DIALECTS:
        near = hint(arguments.dialect, DIALECTS)
        raise SettingsError(f"there is no dialect {arguments.dialect!r}; {near}; module:Name is one of your own")
    size = _size(arguments.screen)
    chosen = family_called(arguments.model)
    frame = Frame(size, size)
    dialect = make_dialect(arguments.dialect, Wanted(chosen)) if foreign else None
    text = sys.stdin.read()
    try:
        match arguments.dialect:
            case _ if dialect is not None:
                said = _wanted(dialect.parse("app", Reply(text=text), frame))
            case "native":
                said = _said(NativeReply(chosen).read(text, frame))
            case "plan":
                said = _said(PlanReply(chosen.space).read(text, frame))
            case "tool_call" | "thought_action" | "pyautogui" | "objects" as form:
                said = _said(OwnReply(form, chosen).read(text, frame))
            case "json":
                said = _decided(JsonReply(chosen.space).read(text, frame))
            case "marks":
                said = _decided(MarksReply(chosen.space).read(text, frame))
            case _:
                said = _pointed(GroundReply(chosen).read(text, frame))
    except UnreadableReply as error:
        said = {"ok": False, "error": getattr(error, "code", "unreadable"), "message": str(error)}
    print(json.dumps(said, ensure_ascii=False))
    return FINISHED if said["ok"] else FAILED


def _size(text: str) -> Size:
    if (size := Size.read(text)) is None:
        raise SettingsError(f"--screen {text}: write it as WxH, such as 1920x1080")
    return size


def _said(reading: Reading) -> dict[str, object]:
    said: dict[str, object] = {"ok": True, "thought": reading.thought, "instruction": reading.instruction}
    return said | _acts(reading.bound, reading.repaired, reading.space)


def _decided(reading: JsonReading) -> dict[str, object]:
    decision = reading.decision
    said: dict[str, object] = {"ok": True, "thought": decision.thought, "instruction": "", "status": decision.status}
    return said | _acts(reading.bound, reading.repaired, reading.space)


def _wanted(decision: Decision) -> dict[str, object]:
    """Say what somebody else's dialect has made of a reply."""
    acts = decision.actions if isinstance(decision, AppDecision) else ()
    params = [action.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True) for action in acts]
    actions = [{"name": action.kind, "params": given} for action, given in zip(acts, params, strict=True)]
    said: dict[str, object] = {"ok": True, "thought": decision.thought, "instruction": "", "status": decision.status}
    return said | {"actions": actions, "repaired": False}


def _acts(bound: Sequence[Bound], repaired: bool, space: str) -> dict[str, object]:
    said = {"actions": [{"name": one.name, "params": one.params} for one in bound], "repaired": repaired}
    return said | ({"coord_space": space} if space else {})


def _pointed(pointing: Pointing) -> dict[str, object]:
    places: dict[str, object] = {"point": pointing.point}
    if pointing.to is not None:
        places = {"from": pointing.point, "to": pointing.to}
    said = {"ok": True, **places, "repaired": pointing.repaired}
    return said | ({"coord_space": pointing.space} if pointing.space else {})
