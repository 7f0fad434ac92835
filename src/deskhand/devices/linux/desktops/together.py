"""Doing things side by side, with an error coming out as what it is and not as a group of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from deskhand.core.errors import DeskhandError

Work = Callable[[], Awaitable[object]]


async def all_of(*works: Work) -> None:
    """Run all until they are done; the first error of ours ends the others and is raised."""
    errors: list[DeskhandError] = []

    async def run(work: Work) -> None:
        try:
            await work()
        except DeskhandError as error:
            errors.append(error)
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for work in works:
            group.start_soon(run, work)
    if errors:
        raise errors[0]
