"""`deskhand run`: carry out a request, or one after the other."""

from __future__ import annotations

import sys
from argparse import Namespace

from deskhand.app import open_session
from deskhand.cli.overrides import settings_of
from deskhand.cli.progress import Progress
from deskhand.cli.report import Report
from deskhand.cli.terminal import PipedRequests, user_at
from deskhand.core.errors import SettingsError
from deskhand.core.ports import User
from deskhand.core.text import is_blank


def main(arguments: Namespace) -> int:
    if arguments.request is not None and is_blank(arguments.request):
        raise SettingsError("the request is empty; say what is to be done")
    if arguments.request is None and sys.stdin is None:
        raise SettingsError("there is no request, and no input to read any from; give one")
    if arguments.request is None and arguments.json:
        raise SettingsError("--json goes with one request; give it")
    settings = settings_of(arguments)

    async def work(report: Report) -> None:
        async with open_session(
            arguments.request or "",
            settings=settings,
            user=_user(arguments),
            run_dir=arguments.run_dir,
            listeners=[Progress().show],
        ) as session:
            report.run_dir = session.run_dir
            report.result = await session.run()

    report = Report(as_json=arguments.json)
    report.watch(work)
    report.print()
    return report.code


def _user(arguments: Namespace) -> User:
    piped = sys.stdin is not None and not sys.stdin.isatty()
    return PipedRequests() if arguments.request is None and piped else user_at(silent=arguments.json)
