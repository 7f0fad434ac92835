"""`deskhand mcp`: our devices as tools for other people's agents, over standard input and output or HTTP."""

from __future__ import annotations

import importlib
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
    wiring = Wiring(settings, mcp.ClientUser(), ())
    runs = runs_folder(settings)
    serve = _over_http(arguments, runs) if arguments.http else _over_pipes

    async def work() -> None:
        with run_folder("mcp", runs, arguments.run_dir) as folder, wiring.journal(folder) as journal:
            async with open_workplace(wiring, journal, folder) as workplace:
                await serve(mcp.make_server(workplace, runs))

    run_until_interrupted(work)
    return FINISHED


async def _over_pipes(server: Any) -> None:
    await server.run_stdio_async()


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
