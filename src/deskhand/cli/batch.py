"""`deskhand run` with a folder of plans, or a table of rows: a batch, and the report on it."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import monotonic

from deskhand.app import runs_folder
from deskhand.batch.batch import Batch, JobReport, folder_name, plans_in
from deskhand.batch.job import Job
from deskhand.batch.table import Table, jobs_of, read_table, write_results
from deskhand.cli.complaints import FAILED, FINISHED, INTERRUPTED
from deskhand.cli.events import check_stdout, printer
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.progress import Progress
from deskhand.cli.report import CODES
from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.streams import complain, say, say_json
from deskhand.cli.terminal import user_at
from deskhand.core.errors import SettingsError
from deskhand.core.event import Record, SessionEnded, SessionStarted
from deskhand.core.plan import Plan
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.processors.context import Listener
from deskhand.session.plans import read_plan


def is_wanted(arguments: Namespace) -> bool:
    """Whether a command's options are those of a batch.

    Raises:
        SettingsError: they contradict each other.
    """
    folder = bool(arguments.plan) and Path(arguments.plan).is_dir()
    wanted = arguments.mode == RunningMode.BATCH or folder or bool(arguments.rows)
    if wanted and arguments.mode not in (None, RunningMode.BATCH):
        raise SettingsError(f"a folder of plans and --rows make a batch; --mode {arguments.mode} does not go with them")
    if wanted and arguments.attempts != 1:
        raise SettingsError("--attempts is for one request or plan, not for a batch")
    if not wanted and (arguments.retry or (arguments.jobs != 1 and arguments.attempts == 1)):
        raise SettingsError("--jobs and --retry go with a batch: --plan FOLDER, or --rows FILE")
    return wanted


def main(arguments: Namespace) -> int:
    check_stdout(arguments)
    table = read_table(Path(arguments.rows)) if arguments.rows else None
    batch = _batch(arguments, table)
    said = threading.Lock()
    began, code = monotonic(), FINISHED

    def report() -> None:
        if said.acquire(blocking=False):
            results = _write_back(table, Path(arguments.rows), batch) if table is not None else None
            _print(arguments, batch, results, monotonic() - began)

    INTERRUPTION.last_words = report
    try:
        run_until_interrupted(lambda: batch.run(arguments.jobs))
    except KeyboardInterrupt:
        code = INTERRUPTED
    report()
    return code or _code(batch.reports())


def _batch(arguments: Namespace, table: Table | None) -> Batch:
    settings = settings_of(arguments).model_copy(update={"running_mode": None})
    if not 1 <= arguments.jobs <= 64:
        raise SettingsError(f"--jobs {arguments.jobs}: from 1 to 64")
    if arguments.jobs > 1 and settings.device.partition(":")[0] == "linux" and ":virtual" not in settings.device:
        raise SettingsError(f"--jobs {arguments.jobs} needs a device for each, which {settings.device} is not")
    source = Path(arguments.rows or arguments.plan or "")
    jobs, of = _jobs(arguments, table)
    folder = Path(arguments.run_dir) if arguments.run_dir else runs_folder(settings) / folder_name(of, source.stem)
    return Batch(
        jobs,
        folder.absolute(),
        settings,
        of,
        user=user_at(silent=arguments.json or arguments.jobs > 1),
        retry=arguments.retry,
        listeners=partial(listeners_in, arguments),
    )


def _jobs(arguments: Namespace, table: Table | None) -> tuple[list[Job], str]:
    """Give the jobs, and what tells this batch from others."""
    if table is not None:
        task = _task(arguments)
        said = task if isinstance(task, str) else task.model_dump_json()
        rows = Path(arguments.rows)
        return jobs_of(task, table, rows), f"{rows.absolute()}: {said}"
    if not arguments.plan:
        raise SettingsError("the mode batch needs --plan FOLDER, or --rows FILE and a request or plan for each row")
    if arguments.request is not None:
        raise SettingsError("a request and --plan both say what is to be done; keep one")
    folder = Path(arguments.plan)
    return plans_in(folder), str(folder.absolute())


def _task(arguments: Namespace) -> str | Plan:
    if (arguments.request is None) == (not arguments.plan):
        raise SettingsError("--rows needs either a request with {placeholders}, or --plan FILE with them")
    if arguments.request is not None:
        return str(arguments.request)
    return read_plan(Path(arguments.plan))


def listeners_in(arguments: Namespace, job: Job) -> list[Listener]:
    """Give who listens to one of many runs: of several at a time, only beginning and end are shown."""
    show = _brief(job) if arguments.jobs > 1 else _whole(job)
    return [show, printer(job.name)] if arguments.events else [show]


def _whole(job: Job) -> Listener:
    progress = Progress()

    def show(record: Record) -> None:
        if isinstance(record.event, SessionStarted):
            complain(job.name)
        progress.show(record)

    return show


def _brief(job: Job) -> Listener:
    def show(record: Record) -> None:
        match record.event:
            case SessionStarted():
                complain(f"{job.name}: begun")
            case SessionEnded():
                complain(f"{job.name}: {record.event.outcome}")
            case _:  # of several at a time, only this
                pass

    return show


def _write_back(table: Table, path: Path, batch: Batch) -> Path | None:
    reports = {report.name: report for report in batch.reports()}
    added = {number: _cells(reports[f"row-{number}"]) for number, _ in table.rows}
    try:
        return write_results(table, path, added, batch.folder)
    except OSError as error:
        complain(f"the results of {path} were not written: {error}")
        return None


def _cells(report: JobReport) -> tuple[str, str, str]:
    return (report.outcome or "not begun", report.answer or "", report.run_dir or "")


def _print(arguments: Namespace, batch: Batch, results: Path | None, seconds: float) -> None:
    reports = batch.reports()
    finished = sum(report.outcome is RunOutcome.FINISHED for report in reports)
    if arguments.json:
        say_json(
            {
                "finished": finished,
                "of": len(reports),
                "jobs": [report.model_dump(mode="json") for report in reports],
                "seconds": round(seconds, 3),
                "run_dir": str(batch.folder),
                "results": str(results) if results is not None else None,
            }
        )
        return
    lines = [*map(_line, reports), f"{finished} of {len(reports)} finished, {seconds:.1f} s", f"runs: {batch.folder}"]
    if results is not None:
        lines.append(f"results: {results}")
    if any(report.outcome in (None, RunOutcome.INTERRUPTED) for report in reports):
        lines.append("go on with the same command")
    for line in lines:
        (complain if arguments.events else say)(line)


def _line(report: JobReport) -> str:
    before = " (before)" if report.before else ""
    return f"{report.name}: {report.outcome or 'not begun'}{before}{': ' + report.answer if report.answer else ''}"


def _code(reports: Sequence[JobReport]) -> int:
    """Give the exit code: that of the jobs where all that did not finish ended alike, else that of a failure."""
    codes = {CODES[report.outcome] if report.outcome is not None else FAILED for report in reports} - {FINISHED}
    return codes.pop() if len(codes) == 1 else FAILED if codes else FINISHED
