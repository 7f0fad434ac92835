"""A batch: one run a plan or row, in a folder of its own that remembers which are over."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deskhand.batch.job import Job, JobRun, last_attempt
from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.plan import Plan
from deskhand.core.ports import User
from deskhand.core.status import RunOutcome
from deskhand.core.value import Value
from deskhand.journal.folder import claimed
from deskhand.processors.context import Listener
from deskhand.session.nobody import NobodyThere
from deskhand.session.plans import read_plan
from deskhand.session.pool import SessionPool
from deskhand.settings import Settings

MARK = "batch.json"
"""Says of which batch a folder is; it is locked while a process works in it."""


class JobReport(Value):
    """How a job stands. Without an outcome it was not begun."""

    name: str
    outcome: RunOutcome | None
    answer: str | None
    run_dir: str | None
    before: bool = False
    """Whether it was over before this time."""


@dataclass
class Batch:
    """The jobs `of` a folder of plans or a table, run in `folder`.

    Run again after it was cut off, it takes up what was begun and begins what was not; what is over stays so, unless
    `retry` has what failed done again.
    """

    jobs: Sequence[Job]
    folder: Path
    settings: Settings
    of: str = ""
    user: User = field(default_factory=NobodyThere)
    retry: bool = False
    listeners: Callable[[Job], list[Listener]] = lambda _job: []
    _before: frozenset[str] = frozenset()
    _errors: dict[str, str] = field(default_factory=dict)

    async def run(self, at_a_time: int = 1) -> list[JobReport]:
        """Run what is not over; a job that goes wrong does not stop the others.

        Raises:
            SettingsError: the folder is another batch's, or a process works in it.
        """
        with claimed(self.folder / MARK, {"of": self.of}, "batch"):
            self._before = frozenset(report.name for report in self.reports() if self._stays(report))
            able = [job for job in self.jobs if not job.trouble and job.name not in self._before]
            results = await SessionPool([JobRun(job, self) for job in able], jobs=at_a_time).run_all()
            for job, result in zip(able, results, strict=True):
                if isinstance(result, Exception):
                    self._errors[job.name] = str(result) or type(result).__name__
                else:
                    self._errors.pop(job.name, None)
        return self.reports()

    def reports(self) -> list[JobReport]:
        """Say how each job stands, by its journal."""
        return [self._report(job) for job in self.jobs]

    def _report(self, job: Job) -> JobReport:
        if job.trouble:
            return JobReport(name=job.name, outcome=RunOutcome.FAILED, answer=job.trouble, run_dir=None)
        try:
            last = last_attempt(job, self.folder)
        except JournalError as error:
            return JobReport(name=job.name, outcome=RunOutcome.ERROR, answer=str(error), run_dir=None)
        run_dir = str(last.run_dir) if last is not None else None
        if (trouble := self._errors.get(job.name)) is not None:
            return JobReport(name=job.name, outcome=RunOutcome.ERROR, answer=trouble, run_dir=run_dir)
        if last is None:
            return JobReport(name=job.name, outcome=None, answer=None, run_dir=None)
        before = job.name in self._before
        return JobReport(name=job.name, outcome=last.outcome, answer=last.answer, run_dir=run_dir, before=before)

    def _stays(self, report: JobReport) -> bool:
        done = report.outcome is RunOutcome.FINISHED
        return done or (report.outcome is RunOutcome.FAILED and not self.retry and report.run_dir is not None)


def folder_name(of: str, stem: str) -> str:
    """Give a batch's folder its name: the same whenever the same is to be done."""
    return f"batch-{stem}-{hashlib.sha256(of.encode(errors='replace')).hexdigest()[:8]}"


def plans_in(folder: Path) -> list[Job]:
    """Make a job of each plan in a folder, in the order of their names; one without steps is a request.

    Raises:
        SettingsError: there is none, two have the same name, or one is no plan.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".json" and path.is_file())
    except OSError as error:
        raise SettingsError(f"{folder} cannot be read: {(error.strerror or str(error)).lower()}") from error
    if not files:
        raise SettingsError(f"{folder} holds no plan: no file ends in .json")
    names = [path.stem.casefold() for path in files]
    if twice := next((path.name for path, name in zip(files, names, strict=True) if names.count(name) > 1), ""):
        raise SettingsError(f"{folder}: two plans have the name of {twice}; rename one")
    plans = {path.stem: read_plan(path) for path in files}
    return [Job(name, plan if plan.steps else _request(plan)) for name, plan in plans.items()]


def _request(plan: Plan) -> str:
    return f"In {plan.object}: {plan.task}" if plan.object else plan.task
