"""An HTTP application on this machine's own address, for whoever has the token."""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import uvicorn

from deskhand.core.errors import SettingsError

HOST = "127.0.0.1"
SHUTDOWN = 2
"""Seconds that open connections have when the server is to end."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def token_of(path: str) -> str:
    """Read the token from a file, or make one up where none is named.

    Raises:
        SettingsError: the file cannot be read, or holds none that would be safe.
    """
    if not path:
        return secrets.token_urlsafe(24)
    try:
        token = Path(path).expanduser().read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise SettingsError(f"--token-file {path} cannot be read: {error}") from error
    if len(token) < 16 or not token.isascii() or any(letter.isspace() for letter in token):
        raise SettingsError(f"--token-file {path}: a token has at least 16 characters, of ASCII, without spaces")
    return token


class TokenGuard:
    """Lets through only requests that bear the token and were meant for this machine by its own name.

    The second keeps out pages that have their name point here (DNS rebinding).
    """

    def __init__(self, inner: Application, token: str) -> None:
        self._inner = inner
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        headers = dict(scope["headers"])
        name = headers.get(b"host", b"").rpartition(b":")[0] or headers.get(b"host", b"")
        if name not in (b"127.0.0.1", b"localhost"):
            await _refuse(send, 421, b"this server answers to 127.0.0.1 and localhost only\n")
        elif not hmac.compare_digest(headers.get(b"authorization", b""), self._expected):
            await _refuse(send, 401, b"the header Authorization: Bearer TOKEN is missing or wrong\n")
        else:
            await self._inner(scope, receive, send)


async def _refuse(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def bound(port: int) -> socket.socket:
    """Take a port, any free one for 0.

    Raises:
        SettingsError: it is taken, or not ours to take.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise SettingsError(f"--port {port} cannot be used ({why}); name another, or 0 for any") from error
    return listening


async def serve(application: Application, token: str, listening: socket.socket) -> None:
    """Answer requests until cancelled; what is open then has a moment to end."""
    config = uvicorn.Config(
        TokenGuard(application, token), log_level="warning", access_log=False, timeout_graceful_shutdown=SHUTDOWN
    )
    server = _Server(config)

    async def end_when_cancelled() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            server.should_exit = True

    with closing(listening):
        async with anyio.create_task_group() as group:
            group.start_soon(end_when_cancelled)
            with anyio.CancelScope(shield=True):  # it ends by itself, in order, once it is told to
                await server.serve([listening])
            await anyio.lowlevel.checkpoint_if_cancelled()
            group.cancel_scope.cancel()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs it."""
        yield
