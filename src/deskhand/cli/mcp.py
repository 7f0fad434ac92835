"""`deskhand mcp`: our devices as tools for other people's agents, over standard input and output or HTTP."""

from __future__ import annotations

import importlib
import os
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio

from deskhand.app import runs_folder
from deskhand.cli.complaints import FINISHED
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import complain
from deskhand.core.foreign import require
from deskhand.journal.folder import run_folder
from deskhand.wiring import Wiring
from deskhand.workplace import open_workplace


def main(arguments: Namespace) -> int:
    require("mcp", "mcp", "deskhand mcp")
    settings = settings_of(arguments)
    mcp = importlib.import_module("deskhand.service.mcp")
    runs = runs_folder(settings)
    serve = _over_http(arguments, runs) if arguments.http else _over_pipes(_wire())
    wiring = Wiring(settings, mcp.ClientUser(), ())

    async def work() -> None:
        kept = run_folder("mcp", runs, arguments.run_dir, keep=settings.keep_runs)
        with kept as folder, wiring.journal(folder) as journal:
            async with open_workplace(wiring, journal, folder) as workplace:
                await serve(mcp.make_server(workplace, runs))

    run_until_interrupted(work)
    return FINISHED


def _wire() -> int:
    """Take stdout for messages alone: what code of other people prints from now on goes to stderr."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a real stream here
    wire = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return wire


def _over_pipes(wire: int) -> Callable[[Any], Awaitable[None]]:
    async def serve(server: Any) -> None:
        sys.stdout.flush()
        os.dup2(wire, sys.stdout.fileno())  # the server does the same while it runs
        try:
            await server.run_stdio_async()
        finally:
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    return serve


def _over_http(arguments: Namespace, runs: Path) -> Callable[[Any], Awaitable[None]]:
    """Take the port and the token before anything is opened; give what serves there."""
    require("uvicorn", "serve", "deskhand mcp --http")
    guard, server_on = (importlib.import_module(f"deskhand.service.{name}") for name in ("guard", "server"))
    sock = server_on.listening_on("127.0.0.1", arguments.port)
    path = Path(arguments.token_file).expanduser() if arguments.token_file else runs / "mcp-token"
    token = guard.token_in(path)

    async def serve(server: Any) -> None:
        app = guard.Guard(server.streamable_http_app(), token)
        complain(f"listening on http://127.0.0.1:{sock.getsockname()[1]}/mcp; the token is in {path}")
        async with server.session_manager.run():
            await server_on.serve(app, sock, anyio.sleep_forever)

    return serve
