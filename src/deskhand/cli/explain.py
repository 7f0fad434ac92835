"""`deskhand explain`: how the literal model reads a request, without acting."""

from __future__ import annotations

import json
import os
from argparse import Namespace

from deskhand.app import installed_applications
from deskhand.cli.main import FAILED, FINISHED
from deskhand.cli.overrides import settings_of
from deskhand.core.errors import SettingsError
from deskhand.models.literal import explain


def main(arguments: Namespace) -> int:
    if not arguments.request.strip():
        raise SettingsError("the request is empty; say what is to be done")
    settings_of(arguments)
    lines = explain(arguments.request, installed_applications(os.environ))
    if arguments.json:
        print(json.dumps([line._asdict() for line in lines], ensure_ascii=False))
    else:
        for number, line in enumerate(lines, 1):
            print(f"{number}. {line}")
    return FINISHED if all(line.understood for line in lines) else FAILED
