"""One run of a batch: begun, taken up again, or known to be over, as its journals say."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple, Protocol

from deskhand.app import open_session, reopen_session
from deskhand.core.plan import Plan
from deskhand.core.ports import User
from deskhand.core.status import RunOutcome
from deskhand.journal.file import EVENTS, read_records
from deskhand.journal.view import View
from deskhand.processors.context import Listener
from deskhand.session.session import SessionResult, is_followed
from deskhand.settings import Settings
from deskhand.viewer.page import leave_page


class Job(NamedTuple):
    """What is to be done once, under a name that no other of its batch has."""

    name: str
    task: str | Plan
    trouble: str = ""
    """Why it cannot be begun."""

    @property
    def folder(self) -> str:
        """Its folder's name in the batch's; another one when something else is to be done under the same name."""
        words = re.sub(r"[^\w.-]+", "-", self.name)[:40].strip("-.") or "job"
        task = self.task if isinstance(self.task, str) else self.task.model_dump_json()
        said = f"{self.name}: {task}".encode(errors="replace")
        return f"{words}-{hashlib.sha256(said).hexdigest()[:8]}"


class Attempt(NamedTuple):
    """A run of a job that there was, as its journal leaves it."""

    run_dir: Path
    view: View

    @property
    def outcome(self) -> RunOutcome:
        if self.is_over:
            return self.view.rounds[-1].outcome or RunOutcome.INTERRUPTED
        return self.view.outcome or RunOutcome.INTERRUPTED

    @property
    def answer(self) -> str | None:
        return self.view.rounds[-1].answer if self.is_over else self.view.answer

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is left to be done, successfully or not; else it can be resumed."""
        view = self.view
        if view.started is None or view.round is not None or not view.rounds:
            return False
        return view.started.plan is None or is_followed(view.started.plan, view)


def last_attempt(job: Job, folder: Path) -> Attempt | None:
    """Give the last run of a job among those in the batch's folder."""
    runs = [path for path in folder.glob(f"{job.folder}*") if (path / EVENTS).is_file()]
    number = re.compile(rf"{re.escape(job.folder)}(?:-(\d+))?")
    numbered = {int(found[1] or 1): path for path in runs if (found := number.fullmatch(path.name))}
    if not numbered:
        return None
    latest = numbered[max(numbered)]
    return Attempt(latest, View.of(read_records(latest)))


class Setting(Protocol):
    """What the runs of a batch share."""

    @property
    def folder(self) -> Path: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def user(self) -> User: ...
    @property
    def retry(self) -> bool: ...
    @property
    def listeners(self) -> Callable[[Job], list[Listener]]: ...


class JobRun:
    """Runs a job when its turn comes; one that is over is not done again."""

    def __init__(self, job: Job, around: Setting) -> None:
        self.job = job
        self._around = around

    async def run(self) -> SessionResult:
        """Run it to its end; raises as a session and what opens one."""
        around = self._around
        last = last_attempt(self.job, around.folder)
        if last is not None and last.is_over and (last.outcome is RunOutcome.FINISHED or not around.retry):
            result = SessionResult.of(last.view, last.view.last_time - last.view.start_time)
            return result.model_copy(update={"outcome": last.outcome})
        if last is None or last.view.started is None or last.is_over:
            return await self._begin(_free(around.folder, self.job))
        return await self._go_on(last.run_dir)

    async def _begin(self, run_dir: Path) -> SessionResult:
        around = self._around
        async with open_session(
            self.job.task,
            settings=around.settings,
            user=around.user,
            run_dir=run_dir,
            listeners=around.listeners(self.job),
        ) as session:
            result = await session.run()
        await leave_page(run_dir)
        return result

    async def _go_on(self, run_dir: Path) -> SessionResult:
        around = self._around
        async with reopen_session(
            run_dir, settings=around.settings, user=around.user, listeners=around.listeners(self.job)
        ) as (session, fresh):
            result = await session.resume(fresh=fresh)
        await leave_page(run_dir)
        return result


def _free(folder: Path, job: Job) -> Path:
    """Give a folder for another run of a job: that of its name, or the first with a number that nothing is in."""
    names = chain([job.folder], (f"{job.folder}-{number}" for number in count(2)))
    return next(path for path in map(folder.joinpath, names) if not path.is_dir() or not any(path.iterdir()))
