"""Jobs in their order: one queue a device, one job of it at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import anyio

from deskhand.app import open_session, reopen_session
from deskhand.core.errors import SettingsError
from deskhand.core.status import RunningMode
from deskhand.service.job import Asked, Job
from deskhand.session.pool import SessionPool
from deskhand.session.session import SessionResult
from deskhand.settings import Settings
from deskhand.viewer.page import leave_page

MOST_QUEUED = 1000
_logger = logging.getLogger(__name__)


class QueueFull(SettingsError):
    """More jobs wait than can be kept."""


class Queues:
    """Keeps jobs in `folder`, and does them on `devices`.

    Made anew over the same folder it knows the jobs of before: those that had not begun wait again, those that were
    cut off are interrupted until they are resumed.
    """

    def __init__(self, settings: Settings, folder: Path, devices: Sequence[str]) -> None:
        self._settings = settings
        self._folder = folder
        self.devices = tuple(devices)
        self._waiting: dict[str, deque[Job]] = {device: deque() for device in self.devices}
        self._more = {device: anyio.Event() for device in self.devices}
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            found = [Job.known(path) for path in sorted(folder.iterdir()) if path.is_dir()]
        except OSError as error:
            raise SettingsError(f"{folder} cannot be used: {(error.strerror or str(error)).lower()}") from error
        self.jobs = {job.id: job for job in found if job is not None}
        for job in self.jobs.values():
            if job.state == "queued":
                self._enqueue(job)

    def submit(self, asked: Asked) -> Job:
        """Take a job.

        Raises:
            SettingsError: there is no such device.
            QueueFull: too many wait.
            OSError: it cannot be written down.
        """
        if asked.device not in self._waiting:
            raise SettingsError(f"there is no device {asked.device!r} here; there are: {' and '.join(self.devices)}")
        if sum(map(len, self._waiting.values())) >= MOST_QUEUED:
            raise QueueFull(f"{MOST_QUEUED} jobs wait already; try again later")
        job = Job.new(self._folder, asked)
        self.jobs[job.id] = job
        self._enqueue(job)
        return job

    def cancel(self, job: Job) -> bool:
        """End a job that waits or runs; say whether there was anything to end."""
        if job.scope is not None:
            job.scope.cancel()
            return True
        if job.state != "queued":
            return False
        self._waiting[job.asked.device].remove(job)
        self._give_up(job)
        return True

    def resume(self, job: Job) -> bool:
        """Have a job that was begun and cut off, by whomever, taken up again; say whether it was one."""
        if not job.can_go_on or job.resumed or job.asked.device not in self._waiting:
            return False
        job.keep(job.asked.model_copy(update={"trouble": "", "cancelled": False}))
        job.resumed = True
        self._enqueue(job)
        return True

    async def work(self) -> None:
        """Do jobs until cancelled; those that run then are interrupted, and can be resumed."""
        async with anyio.create_task_group() as group:
            for device in self.devices:
                group.start_soon(self._work_on, device)

    async def _work_on(self, device: str) -> None:
        waiting = self._waiting[device]
        while True:
            while not waiting:
                self._more[device] = anyio.Event()
                await self._more[device].wait()
            job = waiting.popleft()
            with anyio.CancelScope() as scope:
                try:
                    await self._do(job, scope)
                finally:
                    job.rests()
            if scope.cancelled_caught:
                self._give_up(job)

    def _give_up(self, job: Job) -> None:
        """Take note that a job was cancelled, unless it had come to its end just before."""
        job.resumed = False
        if job.last is None or job.can_go_on:
            job.keep(job.asked.model_copy(update={"cancelled": True}))
        job.changed()

    async def _do(self, job: Job, scope: anyio.CancelScope) -> None:
        run = _Run(job, self._settings)
        job.begins(scope)
        (result,) = await SessionPool([run]).run_all()
        if isinstance(result, Exception):
            _logger.warning("job %s came to no result: %s", job.id, result)
            job.keep(job.asked.model_copy(update={"trouble": str(result) or type(result).__name__}))
        await leave_page(job.run_dir)

    def _enqueue(self, job: Job) -> None:
        if job.asked.device not in self._waiting:  # of an earlier start with other devices
            return
        self._waiting[job.asked.device].append(job)
        self._more[job.asked.device].set()


class _Run:
    """Opens the session of a job, and runs or resumes it."""

    def __init__(self, job: Job, settings: Settings) -> None:
        self._job = job
        mode = RunningMode.SERVICE if job.asked.plan is None else None
        self._settings = settings.model_copy(update={"running_mode": mode, "device": job.asked.device})

    async def run(self) -> SessionResult:
        """Run it, or resume it where it was begun; raises as a session and what opens one."""
        job = self._job
        if job.last is not None:
            return await self._resume()
        async with open_session(
            job.asked.task, settings=self._settings, user=job.user, run_dir=job.run_dir, listeners=[job.heard]
        ) as session:
            job.session = session
            return await session.run()

    async def _resume(self) -> SessionResult:
        job = self._job
        async with reopen_session(job.run_dir, settings=self._settings, user=job.user, listeners=[job.heard]) as (
            session,
            fresh,
        ):
            job.session = session
            return await session.resume(fresh=fresh)
