"""Several sessions, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.errors import DeskhandError
from deskhand.session.session import BaseSession, SessionResult


class SessionPool:
    """Runs sessions in order; one that goes wrong does not stop the others."""

    def __init__(self, sessions: Sequence[BaseSession]) -> None:
        self.sessions = list(sessions)

    def add_session(self, session: BaseSession) -> None:
        self.sessions.append(session)

    async def run_all(self) -> list[SessionResult | DeskhandError]:
        """Give one result a session, in order; the error of one whose journal could not be written."""
        results: list[SessionResult | DeskhandError] = []
        for session in self.sessions:
            try:
                results.append(await session.run())
            except DeskhandError as error:
                results.append(error)
        return results
