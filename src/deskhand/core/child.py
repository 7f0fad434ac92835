"""Programs that are started as children of this process, of which nothing is left when who wants them is cancelled."""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping, Sequence
from contextlib import suppress
from subprocess import PIPE, CompletedProcess
from typing import IO

import anyio
from anyio.abc import Process


async def begin(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    *,
    errors: IO[bytes] | int = PIPE,
    new_session: bool = False,
    lent: Sequence[int] = (),
) -> Process:
    """Start a program with its input and output as pipes; `lent` files stay open in it.

    Starting takes about a millisecond and is not cancelled: asyncio would lose the child and its pipes.

    Raises:
        OSError: it cannot be started.
    """
    with anyio.CancelScope(shield=True):
        process = await anyio.open_process(
            command, env=environment, stderr=errors, start_new_session=new_session, pass_fds=lent
        )
    return process  # noqa: RET504  for all a type checker knows, a scope may leave without it


async def run(
    command: Sequence[str], environment: Mapping[str, str] | None = None, *, input: bytes = b""
) -> CompletedProcess[bytes]:
    """Let a program read `input` and run to its end; cancelling kills it, and waits until it is gone.

    Raises:
        OSError: it cannot be started.
    """
    said: dict[str, bytes] = {}

    async def hear(name: str, stream: AsyncIterable[bytes] | None) -> None:
        assert stream is not None  # it was opened with pipes
        said[name] = b"".join([chunk async for chunk in stream])

    async with await begin(command, environment) as process, anyio.create_task_group() as group:
        group.start_soon(hear, "output", process.stdout)
        group.start_soon(hear, "errors", process.stderr)
        assert process.stdin is not None  # it was opened with pipes
        with suppress(anyio.BrokenResourceError, OSError):  # it need not read all, nor live so long
            await process.stdin.send(input)
        await process.stdin.aclose()
    return CompletedProcess(command, await process.wait(), said["output"], said["errors"])
