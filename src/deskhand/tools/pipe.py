"""A program that speaks MCP over its standard input and output: started, spoken to within bounds, ended.

The transport of the SDK reads a line of any length into memory; a server that floods must cost no more than a call.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import IO

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream, Process
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from deskhand.core import child

LONGEST_LINE = 16 << 20
"""Bytes of one message; a server that sends more is cut off."""
GRACE = 1.0
"""Seconds that a program has to end by itself when its input is closed, and again when it is asked to."""

_BOUND = """
( ( read -r _; kill -KILL 0 ) <"/proc/self/fd/$1" >/dev/null 2>&1 & )
shift
exec "$@"
"""
"""Becomes a program that ends with us, and with it its process group: what waits for the end of a pipe that only we
hold open is no child of it, and holds none of its files."""

Incoming = SessionMessage | Exception
Streams = tuple[ObjectReceiveStream[Incoming], ObjectSendStream[SessionMessage]]


@asynccontextmanager
async def spoken_to(command: Sequence[str], environment: Mapping[str, str], log: IO[bytes]) -> AsyncIterator[Streams]:
    """Start a program and exchange messages with it, a line each; what it prints as errors goes to `log`.

    Leaving the block ends it and all it started, whatever happens; so does the end of this process, however sudden.

    Raises:
        OSError: it cannot be started.
    """
    with _lifeline() as line:
        process = await _begun(command, environment, log, line)
        try:
            to_us, incoming = anyio.create_memory_object_stream[Incoming](0)
            outgoing, to_it = anyio.create_memory_object_stream[SessionMessage](0)
            async with anyio.create_task_group() as group:
                group.start_soon(_read, process, to_us)
                group.start_soon(_write, process, to_it)
                yield incoming, outgoing
                group.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)


@contextmanager
def _lifeline() -> Iterator[int]:
    """Lend the end of a pipe that can be read when this process is gone, however it went."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        yield reading
    finally:
        os.close(writing)
        os.close(reading)


async def _begun(command: Sequence[str], environment: Mapping[str, str], log: IO[bytes], line: int) -> Process:
    if shutil.which(command[0], path=environment.get("PATH", os.defpath)) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    words = ["/bin/sh", "-c", _BOUND, "sh", str(line), *command]
    return await child.begin(words, environment, errors=log, new_session=True, lent=[line])


async def _read(process: Process, to_us: ObjectSendStream[Incoming]) -> None:
    assert process.stdout is not None  # it was opened with pipes
    async with to_us:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for line in _lines(process.stdout):
                await to_us.send(_message(line))


async def _lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Cut what comes into lines; one that is too long ends it."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line
        if len(rest) > LONGEST_LINE:
            return


def _message(line: bytes) -> Incoming:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:  # something else was printed; the session passes over it
        return error


async def _write(process: Process, to_it: ObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None  # it was opened with pipes
    async with to_it:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for sent in to_it:
                line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(line.encode() + b"\n")


async def _end(process: Process) -> None:
    """Close its input, then ask it to end, then end it and its children."""
    assert process.stdin is not None
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    for number in (None, signal.SIGTERM):
        if number is not None:
            _signal(process, number)
        with anyio.move_on_after(GRACE):
            await process.wait()
            break
    _signal(process, signal.SIGKILL)
    await process.aclose()


def _signal(process: Process, number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
