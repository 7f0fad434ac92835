"""A session whose operator calls a vendor's own tool, behind a scripted service that serves the host, too."""

from __future__ import annotations

from typing import Any

import anyio

from deskhand.core.action import Action, ActionResult, Click, KeyDown, KeyUp
from deskhand.core.family import family_of
from deskhand.core.status import RunningMode
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.models.factory import opened
from deskhand.processors.context import Context
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedServer, ScriptedUser
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
