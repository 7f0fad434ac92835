"""`deskhand resume`: go on with a run that was interrupted."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from deskhand.app import reopen_session
from deskhand.batch.batch import MARK
from deskhand.cli.events import listeners_of
from deskhand.cli.overrides import settings_of
from deskhand.cli.pausing import pausable
from deskhand.cli.report import Report
from deskhand.cli.terminal import user_at
from deskhand.core.errors import JournalError, SettingsError
from deskhand.journal.file import read_records
from deskhand.journal.view import View


def main(arguments: Namespace) -> int:
    folder = Path(arguments.run_dir)
    if (folder / MARK).is_file():
        raise SettingsError(f"{folder} holds many runs; go on with the command that began them, and --run-dir {folder}")
    try:
        View.of(read_records(folder))
    except JournalError as error:  # the folder was named by the user, so this is a wrong argument
        raise SettingsError(str(error)) from error
    settings, listeners = settings_of(arguments), listeners_of(arguments)

    async def work(report: Report) -> None:
        user = user_at(silent=arguments.json)
        async with reopen_session(folder, settings=settings, user=user, listeners=listeners) as (session, fresh):
            report.run_dir = session.run_dir
            async with pausable(session, silent=arguments.json):
                report.result = await session.resume(fresh=fresh)

    report = Report(as_json=arguments.json, aside=arguments.events)
    report.watch(work)
    report.print()
    return report.code
