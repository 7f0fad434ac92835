"""Ctrl-C and kill, as a cancellation that everything below can answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from deskhand.cli.signals import INTERRUPTION

T = TypeVar("T")


def run_until_interrupted(work: Callable[[], Awaitable[T]]) -> T:
    """Run `work` in an event loop; SIGINT, SIGTERM and SIGHUP cancel it.

    Raises:
        KeyboardInterrupt: it was interrupted; what had to be undone has been.
    """
    INTERRUPTION.begun = True
    try:
        return anyio.run(_cancelled_by_signal, work)
    except BaseExceptionGroup as group:  # work that was broken off because it did not let itself be cancelled
        if group.subgroup(KeyboardInterrupt) is None:
            raise
        raise KeyboardInterrupt from group
    finally:
        INTERRUPTION.cancel = None


async def _cancelled_by_signal(work: Callable[[], Awaitable[T]]) -> T:
    loop = asyncio.get_running_loop()  # anyio has no way of its own into the loop from a signal's handler
    with anyio.CancelScope() as scope:

        def cancel() -> None:
            INTERRUPTION.answered()
            scope.cancel()

        def cancel_soon() -> None:
            loop.call_soon_threadsafe(cancel)

        INTERRUPTION.cancel = cancel_soon
        return await work()
    raise KeyboardInterrupt
