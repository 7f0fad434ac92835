"""`deskhand mcp`: our devices as tools for other people's agents, over standard input and output or HTTP."""

from __future__ import annotations

import importlib
from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import Any

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
    serve = _over_http(arguments) if arguments.http else _over_pipes

    async def work() -> None:
        with run_folder("mcp", runs, arguments.run_dir) as folder, wiring.journal(folder) as journal:
            async with open_workplace(wiring, journal, folder) as workplace:
                await serve(mcp.make_server(workplace, runs))

    run_until_interrupted(work)
    return FINISHED


async def _over_pipes(server: Any) -> None:
    await server.run_stdio_async()


def _over_http(arguments: Namespace) -> Callable[[Any], Awaitable[None]]:
    """Take the port and the token before anything is opened; give what serves there."""
    loopback = importlib.import_module("deskhand.service.loopback")
    token = loopback.token_of(arguments.token_file)
    listening = loopback.bound(arguments.port)

    async def serve(server: Any) -> None:
        shown = f"with the token in {arguments.token_file}" if arguments.token_file else f"with the token {token}"
        complain(f"http://{loopback.HOST}:{listening.getsockname()[1]}/mcp, {shown}")
        await loopback.serve(server.streamable_http_app(), token, listening)

    return serve
