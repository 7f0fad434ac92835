"""Clients of the service that never finish what they began to say."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.request import Request, urlopen

import anyio
import anyio.to_thread
import pytest

from deskhand.service import connection
from deskhand.service.http import application
from deskhand.service.queues import Queues
from deskhand.service.server import MOST_CONNECTIONS, listening_on, serve
from deskhand.settings import Settings
from tests.desks import DEVICE, MODEL

TOKEN = "a-token-of-the-tests"


def test_whoever_holds_connections_open_and_says_nothing_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SLOWEST", 1.0)
    listening = listening_on("127.0.0.1", 0)
    port = listening.getsockname()[1]
    queues = Queues(Settings(device=DEVICE, model=MODEL), tmp_path, [DEVICE])

    def hold_all() -> None:
        with ExitStack() as stack:
            held = []
            for number in range(MOST_CONNECTIONS + 20):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=15))
                client.sendall(b"" if number % 2 else b"POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Le")
                held.append(client)
            assert all(client.recv(1) == b"" for client in held)

    def listed() -> object:
        asked = Request(f"http://127.0.0.1:{port}/jobs", headers={"Authorization": f"Bearer {TOKEN}"})
        with urlopen(asked, timeout=15) as answer:
            return json.load(answer)["jobs"]

    async def scene() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(serve, application(queues, TOKEN), listening, queues.work)
            await anyio.to_thread.run_sync(hold_all)
            assert await anyio.to_thread.run_sync(listed) == []
            group.cancel_scope.cancel()

    anyio.run(scene)
