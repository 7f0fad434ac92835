"""Sessions whose model calls a vendor's own tool, behind a scripted service, on a paper desk or a real one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

import deskhand
from deskhand.core.action import Action, ActionResult, Click, KeyDown, KeyUp
from deskhand.core.family import family_of
from deskhand.core.geometry import Point
from deskhand.core.observation import Observation
from deskhand.core.status import RunningMode
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.models.factory import opened
from deskhand.processors.context import Context
from deskhand.session.session import BaseSession, SessionResult
from deskhand.settings import Settings, load
from deskhand.testing import PaperDesk, ScriptedServer, ScriptedUser
from deskhand.testing.server import Answer
from tests.paper import context, session
from tests.services import model_at


class Slippery(PaperDesk):
    """A desk on which keys can be held, and clicks miss."""

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        if isinstance(action, KeyDown | KeyUp):
            self.done.append(action)
            return ActionResult(outcome="unverified")
        if isinstance(action, Click):
            self.done.append(action)
            return ActionResult(outcome="failed", text="it slipped away")
        return await super().perform(action, window)


def operated(server: ScriptedServer, spec: str, desk: PaperDesk, **given: Any) -> tuple[SessionResult, Context]:
    """Let an operator work on a paper desk until the script is over; a `journal` is taken up where it ends."""
    user = given.pop("user", None) or ScriptedUser(requests=[] if "journal" in given else ["do it"])
    model = model_at(server, spec)
    made = context(model, desk=desk, mode=RunningMode.OPERATOR, user=user, **given)
    made.dialect = make_dialect("tool_call", Wanted(family_of(spec)))

    async def scene() -> SessionResult:
        async with opened([model]):
            one = session(made)
            return await (one.resume(fresh=False) if "journal" in given else one.run())

    return anyio.run(scene), made


Mind = Callable[[Observation, int], Answer]
"""A model: what it answers to what is on the screen, the `n`th time it is asked."""


def on_desktop(mind: Mind, task: str, folder: Path, *options: str) -> tuple[SessionResult, ScriptedServer, BaseSession]:
    """Carry out a task on a real desktop, with `mind` behind a real server for whoever is told to ask there.

    The user agrees to whatever leave is asked for; `{url}` in the options stands for the server.
    """
    begun: list[BaseSession] = []

    def seen() -> Observation:
        step = begun[0].context.view.step
        assert step is not None
        assert step.observation is not None
        return step.observation

    server: ScriptedServer = ScriptedServer(always=lambda _: mind(seen(), len(server.requests)))

    async def scene(settings: Settings) -> SessionResult:
        user = ScriptedUser(confirms=[True] * 9)
        async with deskhand.open_session(task, settings=settings, user=user, run_dir=folder / "run") as one:
            begun.append(one)
            return await one.run()

    with server:
        given = ["device=linux:virtual,size=1280x800", *(option.format(url=server.url) for option in options)]
        return anyio.run(scene, load(given, {}, folder)), server, begun[0]


def named(seen: Observation, role: str, name: str) -> Point:
    """Give the middle of an element."""
    return next(e for e in seen.elements if e.role == role and e.name == name).box.center
