"""A benchmark: every task of a suite with every seed, in a folder that remembers which attempts are over."""

from __future__ import annotations

import logging
import math
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import anyio
import anyio.to_thread

from deskhand.bench.attempt import Attempt, Case, keep, kept
from deskhand.bench.suite import Keeping, Suite
from deskhand.bench.trying import attempted
from deskhand.core.errors import JournalError, SettingsError
from deskhand.journal.folder import claimed
from deskhand.session.nobody import NobodyThere
from deskhand.settings import Settings
from deskhand.viewer.page import leave_page
from deskhand.wiring import Wiring

MARK = "bench.json"
"""Says of which benchmark a folder is; it is locked while a process works in it."""

OPENED = 120.0
"""Seconds in which what a suite keeps for several attempts must be opened, and closed."""

_logger = logging.getLogger(__name__)


@dataclass
class Bench:
    """The attempts at `cases` of a suite, in `folder`; made again after it was cut off, it makes those not over."""

    suite: Suite
    cases: Sequence[Case]
    folder: Path
    settings: Settings
    tell: Callable[[Attempt], None] = lambda _attempt: None
    """Is told of each attempt that is over, those from before first."""
    retry: bool = False
    """Whether those from before that something broke are made anew."""
    attempts: dict[Case, Attempt] = field(default_factory=dict)
    """What there is by now."""

    async def run(self, jobs: int = 1) -> None:
        """Make all attempts that are not over, `jobs` of them at a time, each job on a device of its own.

        Raises:
            SettingsError: no attempt can be made with these settings; the folder is something else's, or a process
                works in it.
            JournalError: a result cannot be written or read.
        """
        wiring = Wiring(self.settings, NobodyThere(), ())  # which checks the settings
        with claimed(self.folder / MARK, self._of(wiring), "benchmark"):
            for case in self.cases:
                attempt = kept(self.folder / case.folder)
                if attempt is not None and not (self.retry and attempt.broke):
                    self._take(case, attempt)
            left = iter([case for case in self.cases if case not in self.attempts])
            async with anyio.create_task_group() as group:
                for _ in range(jobs):
                    group.start_soon(self._job, left)

    def _of(self, wiring: Wiring) -> dict[str, str]:
        """Say what must be the same for attempts to be counted together."""
        models = ", ".join(dict.fromkeys(wiring.specs.values()))
        return {"suite": self.suite.name, "device": self.settings.device, "models": models, "agent": wiring.agent}

    def _take(self, case: Case, attempt: Attempt) -> None:
        self.attempts[case] = attempt
        self.tell(attempt)

    async def _job(self, left: Iterator[Case]) -> None:
        """Make attempts as long as there are any in `left`, which all jobs share."""
        for case in left:
            trouble = await self._several(chain([case], left))
            if trouble and case not in self.attempts:
                self._over(case, Attempt(task=case.task, seed=case.seed, reason=trouble))

    async def _several(self, cases: Iterator[Case]) -> str:
        """Make attempts with what the suite keeps for them, until one goes wrong; say what could not be kept."""
        with anyio.CancelScope(deadline=anyio.current_time() + OPENED) as scope:
            try:
                await self._on_one(cases, scope)
            except (JournalError, SettingsError):  # no attempt can be written down, or none can be made
                raise
            except Exception as error:  # one job's device is no reason to stop the others
                _logger.info("what a job keeps for its attempts went wrong", exc_info=error)
                return f"{type(error).__name__}: {error}"
        return "what the attempts share was not opened in time" if scope.cancelled_caught else ""

    async def _on_one(self, cases: Iterator[Case], scope: anyio.CancelScope) -> None:
        """Do that; `scope` ends what takes too long to open or close."""
        async with self._kept() as suite:
            scope.deadline = math.inf
            for case in cases:
                if not await self._made(case, suite):
                    break
            scope.deadline = anyio.current_time() + OPENED

    @asynccontextmanager
    async def _kept(self) -> AsyncIterator[Suite]:
        if not isinstance(self.suite, Keeping):
            yield self.suite
            return
        async with self.suite.kept() as suite:
            yield suite

    async def _made(self, case: Case, suite: Suite) -> bool:
        """Make one attempt anew, whatever is left of a half one; say whether another can follow on the same device."""
        folder = self.folder / case.folder
        if folder.exists():
            await anyio.to_thread.run_sync(shutil.rmtree, folder)
        folder.mkdir(mode=0o700)
        attempt, whole = await attempted(case, suite, folder, self.settings)
        if attempt.run_dir is not None:
            await leave_page(Path(attempt.run_dir))
        self._over(case, attempt)
        return whole

    def _over(self, case: Case, attempt: Attempt) -> None:
        keep(attempt, self.folder / case.folder)
        self._take(case, attempt)
