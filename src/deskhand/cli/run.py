"""`deskhand run`: carry out a request, or one after the other, or what a plan says."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from deskhand.app import open_session
from deskhand.cli.attempts import main as run_attempts
from deskhand.cli.batch import is_wanted
from deskhand.cli.batch import main as run_batch
from deskhand.cli.events import listeners_of
from deskhand.cli.overrides import settings_of
from deskhand.cli.pausing import pausable
from deskhand.cli.report import Report
from deskhand.cli.terminal import PipedRequests, user_at
from deskhand.core.errors import SettingsError
from deskhand.core.plan import Plan
from deskhand.core.ports import User
from deskhand.core.status import RunningMode
from deskhand.core.text import is_blank
from deskhand.session.plans import read_plan


def main(arguments: Namespace) -> int:
    if is_wanted(arguments):
        return run_batch(arguments)
    request = _request(arguments)
    if arguments.attempts != 1:
        return run_attempts(arguments, request)
    settings, listeners = settings_of(arguments), listeners_of(arguments)

    async def work(report: Report) -> None:
        async with open_session(
            request,
            settings=settings,
            user=_user(arguments),
            run_dir=arguments.run_dir,
            listeners=listeners,
        ) as session:
            report.run_dir = session.run_dir
            async with pausable(session, silent=arguments.json):
                report.result = await session.run()

    report = Report(as_json=arguments.json, aside=arguments.events)
    report.watch(work)
    report.print()
    return report.code


def _request(arguments: Namespace) -> str | Plan:
    """Give what is to be done, or "" where it is asked for.

    Raises:
        SettingsError: options contradict each other, or the plan is none.
    """
    if arguments.request is not None and is_blank(arguments.request):
        raise SettingsError("the request is empty; say what is to be done")
    if arguments.mode == RunningMode.SERVICE:
        raise SettingsError("requests are taken over HTTP by deskhand serve")
    if arguments.plan:
        return _plan(arguments)
    if arguments.request is None and sys.stdin is None:
        raise SettingsError("there is no request, and no input to read any from; give one")
    if arguments.request is None and arguments.json:
        raise SettingsError("--json goes with one request; give it")
    return arguments.request or ""


def _plan(arguments: Namespace) -> Plan:
    if arguments.request is not None:
        raise SettingsError("a request and --plan both say what is to be done; keep one")
    plan = read_plan(Path(arguments.plan))
    if not plan.steps:
        raise SettingsError(f"{arguments.plan}: steps is missing; a plan to follow has at least one")
    return plan


def _user(arguments: Namespace) -> User:
    asked_for = (arguments.request is None and not arguments.plan) or arguments.mode == RunningMode.NORMAL
    piped = sys.stdin is not None and not sys.stdin.isatty()
    return PipedRequests() if asked_for and piped else user_at(silent=arguments.json)
