"""`deskhand page`: write the page of a run."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from deskhand.cli.streams import say
from deskhand.core.errors import JournalError, SettingsError
from deskhand.viewer.page import write_page


def main(arguments: Namespace) -> int:
    try:
        say(str(write_page(Path(arguments.run_dir))))
    except JournalError as error:  # the folder was named by the user, so this is a wrong argument
        raise SettingsError(str(error)) from error
    return 0
