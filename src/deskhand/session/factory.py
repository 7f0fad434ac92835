"""Which session a platform and a mode ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from deskhand.agents.agent import BasicAgent
from deskhand.agents.host import HostAgent
from deskhand.agents.single import SingleAgent
from deskhand.core.errors import SettingsError
from deskhand.core.event import SessionStarted
from deskhand.core.status import RunningMode
from deskhand.core.text import is_blank
from deskhand.processors.context import Context
from deskhand.session.session import Session

PLATFORMS = ("linux",)
MODES = (RunningMode.REQUEST, RunningMode.NORMAL)
ROOTS: Mapping[str, Callable[[], BasicAgent]] = {
    "host": HostAgent,
    "native": lambda: SingleAgent("NativeAgent"),
    "workflow": lambda: SingleAgent("AgenticWorkflow"),
}
"""The agent that takes requests up, by the arrangement's name."""


class SessionFactory:
    """Makes sessions; what does not exist says so."""

    @staticmethod
    def create_session(
        context: Context, started: SessionStarted, request: str = "", run_dir: Path | None = None
    ) -> Session:
        """Make the session for the context's platform and mode.

        Raises:
            SettingsError: there is no such session, or the request is empty where there must be one.
        """
        if context.platform not in PLATFORMS:
            known = ", ".join(PLATFORMS)
            raise SettingsError(f"there are no sessions on {context.platform!r} yet; there are on {known}")
        if context.mode not in MODES:
            raise SettingsError(f"the mode {context.mode!r} does not exist yet; there are {', '.join(MODES)}")
        if context.mode is RunningMode.REQUEST and is_blank(request) and not context.view.rounds:
            raise SettingsError("the request is empty; say what is to be done")
        return Session(context, started, run_dir, ROOTS[started.agent](), request=request)
