"""`deskhand serve`: take requests over HTTP on this computer."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module
from pathlib import Path

from deskhand.app import runs_folder
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import complain, say
from deskhand.core.errors import SettingsError
from deskhand.core.foreign import require
from deskhand.journal.folder import held
from deskhand.session.nobody import NobodyThere
from deskhand.settings import Settings
from deskhand.wiring import Wiring, open_device


def main(arguments: Namespace) -> int:
    for package in ("starlette", "uvicorn"):
        require(package, "serve", "deskhand serve")
    settings = settings_of(arguments)
    devices = list(dict.fromkeys(arguments.devices or [settings.device]))
    for device in devices:
        open_device(device)  # a wrong spec is said at once
    Wiring(settings, NobodyThere(), ())
    run_until_interrupted(lambda: _serve(arguments, settings, devices))
    return 0


async def _serve(arguments: Namespace, settings: Settings, devices: list[str]) -> None:
    guard, http, queues, server = (
        import_module(f"deskhand.service.{name}") for name in ("guard", "http", "queues", "server")
    )
    loopback = server.is_loopback(arguments.host)
    if not loopback and not arguments.token_file:
        raise SettingsError(
            f"--host {arguments.host} lets other computers in; give a --token-file of your own for that"
        )
    folder = Path(arguments.run_dir).absolute() if arguments.run_dir else runs_folder(settings) / "service"
    sock = server.listening_on(arguments.host, arguments.port)
    path = Path(arguments.token_file).expanduser() if arguments.token_file else folder / "token"
    token = guard.token_in(path)
    if path.stat().st_mode & 0o077:
        complain(f"{path} can be read by others; chmod 600 keeps the token to yourself")
    jobs = queues.Queues(settings, folder, devices)
    address, port = sock.getsockname()[:2]
    shown = f"[{address}]" if ":" in address else address
    with held(folder / "lock", f"another deskhand serves the jobs in {folder}; stop it, or name another --run-dir"):
        say(f"listening on http://{shown}:{port}", f"the token is in {path}", f"jobs: {folder}")
        await server.serve(http.application(jobs, token, loopback=loopback), sock, jobs.work)
