"""`deskhand explain`: how the literal model reads a request, without acting."""

from __future__ import annotations

import os
from argparse import Namespace

from deskhand.app import installed_applications
from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import say, say_json
from deskhand.core import shell
from deskhand.core.errors import SettingsError
from deskhand.core.secret import Secrets
from deskhand.core.text import is_blank
from deskhand.models.literal import explain
from deskhand.models.literal.shell.explain import explain as explain_in_shell
from deskhand.wiring import open_device


def main(arguments: Namespace) -> int:
    if is_blank(arguments.request):
        raise SettingsError("the request is empty; say what is to be done")
    settings = settings_of(arguments)
    if arguments.device:
        open_device(arguments.device)  # a wrong spec is said at once
    request = Secrets(settings.secrets).mask(arguments.request)  # as a model would be given it
    in_shell = settings.device.partition(":")[0] == shell.PLATFORM
    lines = explain_in_shell(request) if in_shell else explain(request, installed_applications(os.environ))
    if arguments.json:
        say_json([line._asdict() for line in lines])
    else:
        for number, line in enumerate(lines, 1):
            say(f"{number}. {line}")
    return FINISHED if all(line.understood for line in lines) else FAILED
