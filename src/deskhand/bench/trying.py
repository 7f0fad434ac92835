"""Making one attempt: set up, carried out, judged, cleaned away, whatever happens on the way."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

import anyio

from deskhand.bench.attempt import Attempt, Case, standing_of
from deskhand.bench.suite import Posed, Suite
from deskhand.core.decision import AppDecision
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.devices.wrappers import SecretsDevice
from deskhand.journal.file import EVENTS
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import SessionResult
from deskhand.settings import Settings
from deskhand.wiring import Wiring

RUN = "run"
"""The folder of the run in the attempt's own."""
SET_UP = 180.0
"""Seconds in which a task must be set up."""
SLACK = 20.0
"""Seconds that a run has to end by itself after its time is up."""
JUDGED = 60.0
"""Seconds for the judge, and for what has to be cleaned away."""

_logger = logging.getLogger(__name__)


@dataclass
class _Trial:
    """How far an attempt has come."""

    case: Case
    folder: Path
    settings: Settings
    attempt: Attempt
    scope: anyio.CancelScope
    phase: str = "setting it up"

    def enter(self, phase: str, seconds: float) -> None:
        """Go on to a phase that must be over in some seconds."""
        self.phase, self.scope.deadline = phase, anyio.current_time() + seconds

    def note(self, **changes: object) -> None:
        self.attempt = self.attempt.model_copy(update=changes)


async def attempted(case: Case, suite: Suite, folder: Path, settings: Settings) -> tuple[Attempt, bool]:
    """Make an attempt in a folder of its own; also say whether what the suite keeps can be used again.

    Whatever goes wrong is its result.
    """
    began = anyio.current_time()
    with anyio.CancelScope(deadline=began + SET_UP) as scope:
        trial = _Trial(case, folder, settings, Attempt(task=case.task, seed=case.seed), scope)
        whole = False
        try:
            async with suite.posed(case.task, case.seed, folder) as posed:
                await _made(trial, posed)
                trial.enter("cleaning up", JUDGED)
            whole = True
        except Exception as error:  # a crash of a task, or of what carries it out, is a result like any other
            _logger.info("%s: an attempt went wrong", case.folder, exc_info=error)
            trial.note(outcome=RunOutcome.ERROR, reason=f"{trial.phase}: {_said(error)}")
    if scope.cancelled_caught:
        whole = False
        trial.note(outcome=RunOutcome.LIMIT, reason=f"{trial.phase} did not end in time")
    begun = (folder / RUN / EVENTS).is_file()
    trial.note(seconds=round(anyio.current_time() - began, 3), run_dir=str(folder / RUN) if begun else None)
    return trial.attempt, whole and trial.attempt.outcome is not RunOutcome.ERROR


async def _made(trial: _Trial, posed: Posed) -> None:
    run_dir = trial.folder / RUN
    trial.note(request=posed.request)
    settings = _limited(trial.settings, posed)
    trial.enter("carrying it out", settings.limits.seconds + SLACK)
    result, acted = await _carried_out(settings, posed, run_dir)
    trial.note(clauses=acted)
    trial.note(steps=result.steps, outcome=result.outcome, answer=result.answer, cost_usd=result.cost_usd)
    trial.enter("judging", JUDGED)
    judged = await posed.check()
    trial.note(
        success=judged.success,
        reward=judged.reward,
        reason=judged.reason,
        standing=standing_of(judged, result.outcome),
    )


async def _carried_out(settings: Settings, posed: Posed, run_dir: Path) -> tuple[SessionResult, int]:
    """Give how the run ended, and in how many steps something was done besides bringing an application up."""
    wiring = Wiring(settings, NobodyThere(), ())
    device = SecretsDevice(posed.device, wiring.secrets)
    with wiring.journal(run_dir) as journal:
        async with wiring.connected(run_dir):
            context = wiring.context(device, journal, RunningMode.REQUEST)
            started = wiring.started(device, RunningMode.REQUEST, posed.request)
            result = await wiring.session(context, started, run_dir).run()
            steps = (step for round_ in context.view.rounds for step in round_.steps)
            return result, sum(bool(step.acts) and isinstance(step.decision, AppDecision) for step in steps)


def _limited(settings: Settings, posed: Posed) -> Settings:
    """Give the task's own limits where the user has set none."""
    own = {"round_steps": posed.steps, "session_steps": posed.steps, "seconds": posed.seconds}
    unset = {key: value for key, value in own.items() if key not in settings.limits.model_fields_set}
    return settings.model_copy(update={"limits": settings.limits.model_copy(update=unset)})


def _said(error: Exception) -> str:
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # a task group's wrapping
    return f"{type(error).__name__}: {error}"
