"""A session over a desk on paper, for tests of what runs on top of devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from typing_extensions import Unpack

from deskhand.core.event import Event, SessionStarted
from deskhand.core.ports import Device, Journal, Tool, User
from deskhand.core.status import RunningMode
from deskhand.dialects.json_reply import JsonReply
from deskhand.journal.memory import MemoryJournal
from deskhand.journal.view import View
from deskhand.perception.ground import LexiconGrounder
from deskhand.processors.context import Context
from deskhand.processors.dispatcher import CommandDispatcher
from deskhand.processors.gate import PolicyGate
from deskhand.processors.limits import Limits
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.session.factory import SessionFactory
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import BaseSession
from deskhand.testing import PaperDesk, ScriptedModel
from deskhand.testing.scripted import Line


class Given(TypedDict, total=False):
    """What a test says of its session; the rest is as usual."""

    desk: Device
    journal: Journal
    user: User
    limits: Limits
    mode: RunningMode
    rules: Sequence[Rule]
    allow_all: bool
    agents: tuple[str, ...]
    tools: Mapping[str, Tool]


def context(model: Any, **given: Unpack[Given]) -> Context:
    journal = given.get("journal") or MemoryJournal()
    user = given.get("user") or NobodyThere()
    made = Context(
        journal=journal,
        view=View.of(journal.records()),
        user=user,
        models={"planner": model},
        dialect=JsonReply(),
        limits=given.get("limits") or Limits(),
        mode=given.get("mode", RunningMode.REQUEST),
        agents=given.get("agents", ()),
    )
    gate = PolicyGate(Policy(given.get("rules", ())), user, made.record, allow_all=given.get("allow_all", False))
    desk, tools = given.get("desk") or PaperDesk(), given.get("tools")
    made.dispatcher = CommandDispatcher(desk, made, gate, LexiconGrounder(), tools)
    return made


def session(made: Context, request: str = "do it") -> BaseSession:
    one = request if made.mode is RunningMode.REQUEST else ""
    started = SessionStarted(version="0", device="paper", models={}, mode=made.mode, request=one)
    return SessionFactory.create_session(made, started)


def assign(application: str = "editor", subtask: str = "write it", **more: object) -> dict[str, object]:
    return {"status": "ASSIGN", "application": application, "current_subtask": subtask, **more}


def host(status: str = "FINISH", result: str = "", **more: object) -> dict[str, object]:
    return {"status": status, "result": result, **more}


def app(status: str = "CONTINUE", *actions: tuple[str, dict[str, object]], **more: object) -> dict[str, object]:
    calls = [{"function": name, "arguments": arguments} for name, arguments in actions]
    return {"status": status, "action": calls, **more}


def write(text: str) -> tuple[str, dict[str, object]]:
    return ("write", {"message": text})


def click(element: str) -> tuple[str, dict[str, object]]:
    return ("click", {"element": element})


def events(made: Context, kind: type[Event] | Any) -> list[Any]:
    return [r.event for r in made.journal.records() if isinstance(r.event, kind)]


def one_subtask(*steps: Line) -> ScriptedModel:
    """A model that assigns one subtask, goes through the app agent's `steps`, and finishes."""
    return ScriptedModel(host=[assign(), host()], app=list(steps))
