"""`deskhand desktop`: virtual desktops that stay up between commands."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from functools import partial
from typing import Any

from deskhand.cli.complaints import FINISHED
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.streams import complain, say, say_json
from deskhand.core.errors import SettingsError
from deskhand.devices.linux.desktops.kept import Kept, list_kept, start_kept, stop_kept
from deskhand.devices.linux.spec import parse_linux


def main(arguments: Namespace) -> int:
    if arguments.size and arguments.verb != "start":
        raise SettingsError("--size is for a desktop that is started")
    if arguments.name and arguments.verb == "list":
        raise SettingsError("list takes no name; it shows all desktops of yours")
    match arguments.verb:
        case "start":
            _start(arguments)
        case "stop":
            if not arguments.name:
                raise SettingsError("say which desktop is to be stopped; deskhand desktop list shows them")
            run_until_interrupted(partial(stop_kept, arguments.name))
        case _:
            _list(as_json=arguments.json)
    return FINISHED


def _start(arguments: Namespace) -> None:
    wanted = parse_linux(f"linux:virtual,size={arguments.size}" if arguments.size else "linux:virtual")
    kept = run_until_interrupted(partial(start_kept, arguments.name, wanted.size, dict(os.environ)))
    if arguments.json:
        say_json({**_facts(kept), "export": kept.exported})
        return
    say(*(f"export {name}={shlex.quote(value)}" for name, value in kept.exported.items()))
    complain(
        f"the desktop {kept.name} is up: use it with --device linux:desktop={kept.name}, "
        f"end it with: deskhand desktop stop {kept.name}"
    )


def _list(*, as_json: bool) -> None:
    found = run_until_interrupted(list_kept)
    if as_json:
        say_json([_facts(kept) for kept in found], indent=1)
        return
    say(*(f"{kept.name}  {kept.display}  {kept.size.width}x{kept.size.height}" for kept in found))
    if not found:
        say("no desktop is up; start one with: deskhand desktop start")


def _facts(kept: Kept) -> dict[str, Any]:
    return {
        "name": kept.name,
        "display": kept.display,
        "size": list(kept.size),
        "pid": kept.pids["guardian"],
        "folder": str(kept.folder),
        "device": f"linux:desktop={kept.name}",
    }
