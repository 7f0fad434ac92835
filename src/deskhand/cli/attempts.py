"""`deskhand run --attempts N`: the same several times, and which of them counts."""

from __future__ import annotations

import threading
from argparse import Namespace
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from deskhand.app import runs_folder
from deskhand.batch.attempts import Attempts
from deskhand.cli.batch import listeners_in
from deskhand.cli.complaints import INTERRUPTED, TROUBLE
from deskhand.cli.events import check_stdout
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.report import CODES
from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.spending import spending
from deskhand.cli.streams import complain, say, say_json
from deskhand.cli.terminal import user_at
from deskhand.core.errors import SettingsError
from deskhand.core.plan import Plan
from deskhand.core.status import RunOutcome
from deskhand.core.text import counted
from deskhand.journal.view import View
from deskhand.session.attempts import Contender
from deskhand.session.session import SessionResult


def main(arguments: Namespace, task: str | Plan) -> int:
    check_stdout(arguments)
    attempts = _attempts(arguments, task)
    said = threading.Lock()
    began = monotonic()

    def report() -> None:
        if said.acquire(blocking=False):
            _report(arguments, attempts, monotonic() - began)

    INTERRUPTION.last_words = report
    try:
        run_until_interrupted(lambda: attempts.run(arguments.jobs))
    except KeyboardInterrupt:
        report()
        return INTERRUPTED
    report()
    return _code(attempts)


def _attempts(arguments: Namespace, task: str | Plan) -> Attempts:
    if not task:
        raise SettingsError("--attempts goes with one request or plan; give it")
    if not 1 <= arguments.jobs <= 16:
        raise SettingsError(f"--jobs {arguments.jobs}: from 1 to 16")
    settings = settings_of(arguments)
    name = f"{datetime.now():%Y%m%d-%H%M%S-%f}-attempts"
    folder = Path(arguments.run_dir) if arguments.run_dir else runs_folder(settings) / name
    return Attempts(
        task,
        arguments.attempts,
        folder.absolute(),
        settings,
        user=user_at(silent=arguments.json or arguments.jobs > 1),
        listeners=partial(listeners_in, arguments),
    )


def _code(attempts: Attempts) -> int:
    chosen = attempts.chosen
    return CODES[chosen.outcomes[chosen.attempt - 1]] if chosen is not None else TROUBLE


def _report(arguments: Namespace, attempts: Attempts, seconds: float) -> None:
    contenders = attempts.contenders()
    if arguments.json:
        say_json(_as_json(attempts, contenders, seconds))
        return
    for line in _lines(attempts, contenders, seconds):
        (complain if arguments.events else say)(line)


def _as_json(attempts: Attempts, contenders: list[Contender], seconds: float) -> dict[str, Any]:
    """Give the object of a run: outcome, answer, rounds and steps are those of the attempt that counts."""
    chosen = attempts.chosen
    counts = next((each for each in contenders if chosen is not None and each.number == chosen.attempt), None)
    of_all = View.of(attempts.records())
    view = counts.view if counts is not None else View()
    outcome = counts.outcome if counts is not None else RunOutcome.ERROR if not contenders else RunOutcome.INTERRUPTED
    result = SessionResult.of(view, seconds).model_copy(
        update={"outcome": outcome, "model_calls": of_all.model_calls, "cost_usd": round(of_all.usd, 6)}
    )
    run_dir = attempts.run_dir(counts.number) if counts is not None else None
    return {
        **result.model_dump(mode="json", exclude=set() if result.evaluations else {"evaluations"}),
        "run_dir": str(run_dir) if run_dir is not None else None,
        "chosen": chosen.model_dump(mode="json", exclude={"outcomes"}) if chosen is not None else None,
        "attempts": [_one(attempts, each) for each in contenders],
        "folder": str(attempts.folder),
    }


def _one(attempts: Attempts, contender: Contender) -> dict[str, Any]:
    view = contender.view
    return {
        "attempt": contender.number,
        "outcome": contender.outcome,
        "answer": view.answer,
        "steps": view.steps,
        "model_calls": view.model_calls,
        "cost_usd": round(view.usd, 6),
        "run_dir": str(attempts.run_dir(contender.number)),
    }


def _lines(attempts: Attempts, contenders: list[Contender], seconds: float) -> list[str]:
    lines = []
    for each in contenders:
        answer = f": {each.view.answer}" if each.view.answer else ""
        lines.append(f"attempt {each.number}: {each.outcome}{answer} ({counted(each.view.steps, 'step')})")
    if len(contenders) < attempts.number:
        lines += attempts.troubles()[:1]
    chosen = attempts.chosen
    if chosen is not None:
        complete = f", complete {chosen.complete}" if chosen.complete else ""
        lines.append(f"attempt {chosen.attempt} counts (by the {chosen.by}{complete}): {chosen.why}")
        outcome, answer = chosen.outcomes[chosen.attempt - 1], _answer(contenders, chosen.attempt)
        lines.append(f"{outcome}: {answer}" if answer else str(outcome))
    lines += [f"{seconds:.1f} s for all", *spending(attempts.records()), f"runs: {attempts.folder}"]
    if chosen is None:
        lines.append(f"go on with the same command and --run-dir {attempts.folder}")
    return lines


def _answer(contenders: list[Contender], number: int) -> str:
    return next((each.view.answer or "" for each in contenders if each.number == number), "")
