"""A session over a desk on paper, for tests of what runs on top of devices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from deskhand.core.event import Event, SessionStarted
from deskhand.core.ports import Device, Journal, User
from deskhand.core.status import RunningMode
from deskhand.dialects.json_reply import JsonReply
from deskhand.journal.memory import MemoryJournal
from deskhand.journal.view import View
from deskhand.perception.ground import LexiconGrounder
from deskhand.processors.context import Context
from deskhand.processors.dispatcher import CommandDispatcher
from deskhand.processors.limits import Limits
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.session.factory import SessionFactory
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import BaseSession
from deskhand.testing import PaperDesk, ScriptedModel


def context(
    model: Any,
    *,
    desk: Device | None = None,
    journal: Journal | None = None,
    user: User | None = None,
    limits: Limits | None = None,
    mode: RunningMode = RunningMode.REQUEST,
    rules: Sequence[Rule] = (),
    allow_all: bool = False,
    agents: tuple[str, ...] = (),
) -> Context:
    journal = journal or MemoryJournal()
    user = user or NobodyThere()
    made = Context(
        journal=journal,
        view=View.of(journal.records()),
        user=user,
        models={"planner": model},
        dialect=JsonReply(),
        limits=limits or Limits(),
        mode=mode,
        agents=agents,
    )
    made.dispatcher = CommandDispatcher(
        desk or PaperDesk(),
        journal=journal,
        record=made.record,
        user=user,
        grounder=LexiconGrounder(),
        policy=Policy(rules),
        allow_all=allow_all,
    )
    return made


def session(made: Context, request: str = "do it") -> BaseSession:
    started = SessionStarted(version="0", device="paper", models={}, mode=made.mode)
    return SessionFactory.create_session(made, started, request)


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


def one_subtask(*steps: object, before: Iterable[object] = ()) -> ScriptedModel:
    """A model that assigns one subtask, goes through the app agent's `steps`, and finishes."""
    return ScriptedModel(host=[*before, assign(), host()], app=list(steps))  # type: ignore[list-item]  # replies
