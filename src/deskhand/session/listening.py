"""Listeners that wait: each hears every record once and in order, and holds nothing up."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from inspect import iscoroutinefunction
from typing import TypeGuard

import anyio

from deskhand.core.event import Record
from deskhand.core.groups import as_it_was
from deskhand.processors.context import Listener

AsyncListener = Callable[[Record], Awaitable[None]]

AT_THE_END = 10.0
"""Seconds for what was not told yet when a session is over."""
CANCELLED = 0.5
"""Seconds for it when the caller has no more time."""

_logger = logging.getLogger(__name__)


@asynccontextmanager
async def listening(listeners: list[Listener]) -> AsyncIterator[None]:
    """Let coroutine functions among `listeners` be told: within the block, what they miss is kept for them."""
    before = list(listeners)
    ears = [_Ear(listener) if _waits(listener) else listener for listener in before]
    waiting = [ear for ear in ears if isinstance(ear, _Ear)]
    with as_it_was():  # listeners raise nothing, so it comes from within the block
        async with anyio.create_task_group() as group:
            listeners[:] = [ear.tell if isinstance(ear, _Ear) else ear for ear in ears]
            for ear in waiting:
                group.start_soon(ear.listen)
            try:
                yield
                await _told(waiting)
            finally:
                listeners[:] = before
                _give_up(waiting)


async def _told(waiting: Sequence[_Ear]) -> None:
    with anyio.move_on_after(AT_THE_END):
        for ear in waiting:
            await ear.has_heard_all()


def _give_up(waiting: Sequence[_Ear]) -> None:
    for ear in waiting:
        ear.give_up(CANCELLED)


class _Ear:
    """One listener and what it is still to be told."""

    def __init__(self, listener: AsyncListener) -> None:
        self._listener = listener
        self._scope = anyio.CancelScope(shield=True)
        self._later, self._records = anyio.create_memory_object_stream[Record](math.inf)
        self._done = anyio.Event()

    def tell(self, record: Record) -> None:
        self._later.send_nowait(record)

    async def has_heard_all(self) -> None:
        self._later.close()
        await self._done.wait()

    def give_up(self, seconds: float) -> None:
        """Break the listener off after some seconds, in which it is told what it can be."""
        self._later.close()
        self._scope.deadline = anyio.current_time() + seconds

    async def listen(self) -> None:
        with self._scope, self._records:
            async for record in self._records:
                await self._hear(record)
        self._done.set()

    async def _hear(self, record: Record) -> None:
        try:
            await self._listener(record)
        except Exception:  # foreign code; its fault must not end the run
            _logger.warning("a listener failed on %s", record.event.kind, exc_info=True)


def _waits(listener: Listener) -> TypeGuard[AsyncListener]:
    return iscoroutinefunction(listener) or iscoroutinefunction(getattr(listener, "__call__", None))  # noqa: B004
