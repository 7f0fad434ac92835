"""Records as JSON lines: `--events` while a run goes on, `deskhand events` of one that is there."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import anyio.to_thread

from deskhand.cli.progress import Progress
from deskhand.cli.streams import say_json, say_line
from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.event import Record
from deskhand.journal.file import read_records
from deskhand.processors.context import Listener


def main(arguments: Namespace) -> int:
    if arguments.schema == bool(arguments.run_dir):
        raise SettingsError("name the folder of a run, or give --schema")
    if arguments.schema:
        say_json(schema(), indent=2)
        return 0
    try:
        for record in read_records(Path(arguments.run_dir)):
            say_line(record.model_dump_json())
    except JournalError as error:  # the folder was named by the user, so this is a wrong argument
        raise SettingsError(str(error)) from error
    return 0


def listeners_of(arguments: Namespace) -> list[Listener]:
    """Give who listens to a run: the progress on stderr, and records on stdout where they are wanted.

    Raises:
        SettingsError: as `check_stdout`.
    """
    check_stdout(arguments)
    return [Progress().show, *([printer()] if arguments.events else [])]


def check_stdout(arguments: Namespace) -> None:
    """See that one thing alone is wanted on stdout.

    Raises:
        SettingsError: records are, and something else, too.
    """
    if arguments.events and arguments.json:
        raise SettingsError("--events and --json both want stdout; the last event of a session says how it ended")


def schema() -> dict[str, object]:
    """Give the JSON schema of a record."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Record.model_json_schema(mode="serialization"),
    }


def printer(job: str = "") -> Listener:
    """Make what prints records as they are written down, in a batch with the name of their job.

    A reader that does not read holds up nothing but this.
    """
    of = f'"job":{json.dumps(job, ensure_ascii=False)},' if job else ""

    async def print_record(record: Record) -> None:
        line = "{" + of + record.model_dump_json().removeprefix("{")
        await anyio.to_thread.run_sync(say_line, line, abandon_on_cancel=True)

    return print_record
