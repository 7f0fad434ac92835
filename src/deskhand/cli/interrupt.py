"""Ctrl-C and kill, as a cancellation that everything below can answer."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

T = TypeVar("T")


def run_until_interrupted(work: Callable[[], Awaitable[T]]) -> T:
    """Run `work` in an event loop; SIGINT, SIGTERM and SIGHUP cancel it.

    Raises:
        KeyboardInterrupt: it was interrupted; what had to be undone has been.
    """
    return anyio.run(_watched, work)


async def _watched(work: Callable[[], Awaitable[T]]) -> T:
    result: list[T] = []
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_on_signal, group.cancel_scope)
        try:
            result.append(await work())
        except Exception as error:  # noqa: BLE001  raised below, outside the group, which would wrap it
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    if not result:
        raise KeyboardInterrupt
    return result[0]


async def _cancel_on_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            scope.cancel()
            return
