"""A run's records as server-sent events, from its journal: nothing is kept for a client that does not read."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
from starlette.types import Message, Receive, Scope, Send

from deskhand.journal.file import EVENTS
from deskhand.service.job import Job

PULSE = 15.0
"""Seconds after which a word is sent where there is no news, so that a client that is gone is noticed."""
STALLED = 30.0
"""Seconds after which a client that takes nothing is left."""
_PIECE = 1 << 16


class EventStream:
    """An ASGI response: the records of a job after the `after`th, until no more will come."""

    def __init__(self, job: Job, after: int) -> None:
        self._job = job
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._tell, send, group.cancel_scope)
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

    async def _tell(self, send: Send, until: anyio.CancelScope) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        if await _sent(send, {"type": "http.response.start", "status": 200, "headers": headers}):
            async for piece in self._pieces():
                if not await _sent(send, {"type": "http.response.body", "body": piece, "more_body": True}):
                    break
            else:
                await _sent(send, {"type": "http.response.body", "body": b""})
        until.cancel()

    async def _pieces(self) -> AsyncIterator[bytes]:
        """Give what is new of the journal's file, again and again, and a comment where nothing is for long."""
        path, offset, rest = self._job.run_dir / EVENTS, 0, b""
        while True:
            news, over = self._job.news, self._job.is_over()
            while piece := _read(path, offset):
                offset += len(piece)
                *lines, rest = (rest + piece).split(b"\n")
                if told := b"".join(map(self._event, lines)):
                    yield told
            if over:
                return
            with anyio.move_on_after(PULSE) as waited:
                await news()
            if waited.cancelled_caught:
                yield b": \n\n"

    def _event(self, line: bytes) -> bytes:
        record = json.loads(line)
        if record["seq"] <= self._after:
            return b""
        return f"id: {record['seq']}\nevent: {record['event']['kind']}\n".encode() + b"data: " + line + b"\n\n"


def _read(path: Path, offset: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(_PIECE)
    except FileNotFoundError:
        return b""


async def _sent(send: Send, message: Message) -> bool:
    """Send, and say whether the client took it in time."""
    with anyio.move_on_after(STALLED) as scope:
        await send(message)
    return not scope.cancelled_caught
