"""Ctrl-C at a terminal: once to hold a run, again to end it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskStatus

from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.terminal import TerminalUser, is_somebody_there
from deskhand.core.groups import as_it_was
from deskhand.session.session import BaseSession

HELD = "held before its next action: Enter goes on, Ctrl-C ends it "


@asynccontextmanager
async def pausable(session: BaseSession, *, silent: bool) -> AsyncIterator[None]:
    """Let the person at the terminal hold the session and go on with it; without one, Ctrl-C ends it at once."""
    if not is_somebody_there(silent=silent):
        yield
        return
    with as_it_was():
        async with anyio.create_task_group() as group:
            await group.start(_hold_when_asked, session)
            try:
                yield
            finally:
                INTERRUPTION.hold_first(None)
                group.cancel_scope.cancel()


async def _hold_when_asked(session: BaseSession, *, task_status: TaskStatus[None]) -> None:
    asked = _asked()
    task_status.started()
    while True:
        await asked.wait()
        session.pause()
        await TerminalUser().enter(HELD)
        session.unpause()
        asked = _asked()


def _asked() -> anyio.Event:
    """Give what the next Ctrl-C sets."""
    loop, asked = asyncio.get_running_loop(), anyio.Event()  # anyio has no way of its own into the loop from outside

    def tell() -> None:
        loop.call_soon_threadsafe(asked.set)

    INTERRUPTION.hold_first(tell)
    return asked
