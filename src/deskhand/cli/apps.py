"""`deskhand apps`: the applications that can be opened, as `open_app` and requests name them."""

from __future__ import annotations

import os
from argparse import Namespace

from deskhand.app import installed_applications
from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.streams import say, say_json
from deskhand.core.observation import Application


def main(arguments: Namespace) -> int:
    wanted = (arguments.name or "").casefold()
    found = [app for app in installed_applications(dict(os.environ)) if wanted in _words(app)]
    found.sort(key=lambda app: app.name.casefold())
    if arguments.json:
        say_json([app.model_dump(mode="json") for app in found], indent=1)
    elif found:
        wide = max(len(app.id) for app in found)
        say(*(f"{app.id:{wide}}  {app.name}" + (f" ({app.generic_name})" if app.generic_name else "") for app in found))
    else:
        say(f"no application is called like {arguments.name!r}" if wanted else "no application is installed")
    return FINISHED if found else FAILED


def _words(app: Application) -> str:
    return " ".join((app.id, app.name, app.generic_name, app.program, *app.keywords)).casefold()
