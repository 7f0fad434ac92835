"""Several sessions, one after the other, or some at a time."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

import anyio

from deskhand.session.session import SessionResult

_logger = logging.getLogger(__name__)


class Runnable(Protocol):
    """A session, or what opens one when its turn comes."""

    async def run(self) -> SessionResult: ...


class SessionPool:
    """Runs sessions in order, `jobs` of them at a time; one that goes wrong does not stop the others.

    Those that run at the same time need a device each. Cancelling it ends all that run as interrupted, in their
    journals: they can be resumed.
    """

    def __init__(self, sessions: Sequence[Runnable], *, jobs: int = 1) -> None:
        self.sessions = list(sessions)
        self.jobs = jobs

    def add_session(self, session: Runnable) -> None:
        self.sessions.append(session)

    async def run_all(self) -> list[SessionResult | Exception]:
        """Give one result a session, in order; in its place the error of one that came to none."""
        results: dict[int, SessionResult | Exception] = {}
        waiting = iter(list(enumerate(self.sessions)))

        async def work() -> None:
            for index, session in waiting:  # which all share
                results[index] = await _outcome(session)

        async with anyio.create_task_group() as group:
            for _ in range(self.jobs):
                group.start_soon(work)
        return [results[index] for index in sorted(results)]


async def _outcome(session: Runnable) -> SessionResult | Exception:
    try:
        return await session.run()
    except Exception as error:  # whatever one session ran into is no reason to stop the others
        _logger.info("a session came to no result", exc_info=error)
        return error
