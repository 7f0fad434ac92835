"""The service on a port of this computer."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import uvicorn
from starlette.types import ASGIApp

from deskhand.core.errors import SettingsError
from deskhand.service.connection import Connection

MOST_CONNECTIONS = 200
LEAVING = 1.0
"""Seconds for connections to be closed at the end."""


def listening_on(host: str, port: int) -> socket.socket:
    """Listen on an address; port 0 stands for any that is free.

    Raises:
        SettingsError: it is none of this computer's, or something else listens there; says what to do.
    """
    address = _address(host)
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    if not 0 <= port <= 65535:
        raise SettingsError(f"--port {port}: from 0 to 65535")
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((str(address), port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            why = f"port {port} is in use; name another with --port, or 0 for any that is free"
            raise SettingsError(why) from error
        raise SettingsError(f"{host}:{port} cannot be listened on: {(error.strerror or str(error)).lower()}") from error
    return sock


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches an address; raises as `listening_on`."""
    return _address(host).is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError as error:
        raise SettingsError(f"--host {host}: write it as an address, such as 127.0.0.1") from error


async def serve(app: ASGIApp, sock: socket.socket, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Answer requests while `work` goes on, until cancelled."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=0,
    )
    server = _Server(config)
    async with anyio.create_task_group() as group:
        group.start_soon(work)
        try:
            await server.serve(sockets=[sock])
        finally:
            server.force_exit = True
            with anyio.move_on_after(LEAVING, shield=True):
                await server.shutdown(sockets=[sock])


class _Server(uvicorn.Server):
    """Leaves the signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
