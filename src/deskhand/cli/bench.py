"""`deskhand bench`: the tasks of a suite, carried out and judged."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from time import monotonic

from deskhand.app import runs_folder
from deskhand.bench.attempt import Attempt, Case
from deskhand.bench.bench import Bench
from deskhand.bench.page import percent, write_report
from deskhand.bench.suites import Offer, chosen_seeds, chosen_tasks, make_suite, offer_of
from deskhand.bench.summary import Summary, summed_up
from deskhand.cli.complaints import FINISHED, INTERRUPTED, TROUBLE
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.streams import complain, say, say_json
from deskhand.core.errors import SettingsError
from deskhand.core.status import RunOutcome
from deskhand.settings import Settings


def main(arguments: Namespace) -> int:
    if not 1 <= arguments.jobs <= 64:
        raise SettingsError(f"--jobs {arguments.jobs}: from 1 to 64")
    offer = offer_of(arguments.suite)
    bench = _bench(arguments, offer)
    said = threading.Lock()
    began, code = monotonic(), FINISHED

    def report() -> None:
        if said.acquire(blocking=False):
            _report(bench, offer, monotonic() - began, as_json=arguments.json)

    INTERRUPTION.last_words = report
    try:
        run_until_interrupted(lambda: bench.run(arguments.jobs))
    except KeyboardInterrupt:
        code = INTERRUPTED
    report()
    failed = any(attempt.outcome is RunOutcome.ERROR for attempt in bench.attempts.values())
    return code or (TROUBLE if failed else FINISHED)


def _bench(arguments: Namespace, offer: Offer) -> Bench:
    settings = _settings(arguments, offer)
    suite = make_suite(offer, settings, arguments.folder)
    tasks, seeds = chosen_tasks(suite, arguments.tasks), chosen_seeds(arguments.seeds)
    name = f"bench-{suite.name}-{datetime.now():%Y%m%d-%H%M%S-%f}"
    folder = Path(arguments.out) if arguments.out else runs_folder(settings) / name
    cases = [Case(task, seed) for task in tasks for seed in seeds]
    return Bench(suite, cases, folder.absolute(), settings, _tell_json if arguments.json else _tell, arguments.retry)


def _settings(arguments: Namespace, offer: Offer) -> Settings:
    """Read the settings; what a suite sets up is there to be used, so questions are answered with yes unless set."""
    arguments.device = arguments.device or offer.device or None
    arguments.settings = ["yes=true", *arguments.settings]
    return settings_of(arguments).model_copy(update={"running_mode": None})


def _tell(attempt: Attempt) -> None:
    before = " (before)" if attempt.before else ""
    why = "; ".join(filter(None, (attempt.reason, "" if attempt.success else attempt.answer)))
    figures = f"reward {attempt.reward:g}, {attempt.outcome}, {attempt.steps} steps, {attempt.seconds:.1f} s"
    say(f"{attempt.task} {attempt.seed}: {attempt.standing}, {figures}{before}{why and ': ' + why}")


def _tell_json(attempt: Attempt) -> None:
    say_json(attempt.model_dump(mode="json"))


def _report(bench: Bench, offer: Offer, seconds: float, *, as_json: bool) -> None:
    attempts = list(bench.attempts.values())
    summed = summed_up(bench.suite.name, attempts, len(bench.cases), bench.suite.skipped, offer.parts)
    summary = summed.model_copy(update={"note": offer.note})
    try:
        page = write_report(summary, attempts, bench.folder)
    except OSError as error:
        page = None
        complain(f"no page was written: {error}")
    if as_json:
        say_json({**summary.model_dump(mode="json"), "wall_seconds": round(seconds, 1), "folder": str(bench.folder)})
        return
    say(*_table(summary, attempts), *_lines(summary, seconds), f"attempts: {page or bench.folder}")
    if summary.attempts < summary.of:
        say(f"go on with the same command and --out {bench.folder}")
    elif any(attempt.broke for attempt in attempts):
        say(f"make those that ended in an error anew with the same command, --out {bench.folder} and --retry")


def _table(summary: Summary, attempts: list[Attempt]) -> Iterator[str]:
    width = max((len(task) for task in summary.per_task), default=0)
    for task, mean in summary.per_task.items():
        those = [attempt for attempt in attempts if attempt.task == task]
        mark = {1.0: "+", 0.0: "-"}.get(mean, "~")
        yield f"{mark} {task:{width}}  {mean:5.0%} of {len(those)}  {sum(a.seconds for a in those) / len(those):5.1f} s"


def _lines(summary: Summary, seconds: float) -> Iterator[str]:
    yield f"{summary.suite}: {summary.right} of {summary.attempts} succeeded ({percent(summary.mean)}), {seconds:.1f} s"
    for name, part in summary.parts.items():
        yield f"of these in {name}'s part, {part.tasks} tasks: {part.attempts} attempts ({percent(part.mean)})"
    yield (
        f"gone through with: {summary.right + summary.wrong} ({percent(summary.coverage)}); of these "
        f"right: {summary.right} ({percent(summary.precision)}), wrong: {summary.wrong}; left open: {summary.open}"
    )
    if summary.clause_precision is not None and summary.wrong:
        least, most = map(percent, summary.clause_precision)
        yield f"clauses acted on in these: {summary.clauses}; right: from {least} to {most}, as one or all were wrong"
    if summary.skipped:
        yield f"not to be run here: {len(summary.skipped)} tasks"
        yield from (f"  {why}: {count}" for why, count in Counter(summary.skipped.values()).most_common())
    if summary.note:
        yield f"this is {summary.note}"
