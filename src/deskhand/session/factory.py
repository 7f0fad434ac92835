"""Which session a platform and a mode ask for."""

from __future__ import annotations

from pathlib import Path

from deskhand.core.errors import SettingsError
from deskhand.core.event import SessionStarted
from deskhand.core.status import RunningMode
from deskhand.core.text import is_blank
from deskhand.processors.context import Context
from deskhand.session.session import BaseSession, Session

PLATFORMS = ("linux",)
MODES = (RunningMode.REQUEST, RunningMode.NORMAL)


class SessionFactory:
    """Makes sessions; what does not exist says so."""

    @staticmethod
    def create_session(
        context: Context, started: SessionStarted, request: str = "", run_dir: Path | None = None
    ) -> BaseSession:
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
        return Session(context, started, run_dir, request=request)
