"""One attempt at a task, and what came of it, as its folder keeps it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import ValidationError

from deskhand.bench.suite import Judged
from deskhand.core.errors import JournalError
from deskhand.core.status import RunOutcome
from deskhand.core.value import Value
from deskhand.journal.writing import json_of

RESULT = "attempt.json"
"""Written last: an attempt whose folder has none is not over."""
Standing = Literal["right", "wrong", "open"]


class Case(NamedTuple):
    """What is attempted."""

    task: str
    seed: int

    @property
    def folder(self) -> str:
        """The name of the attempt's folder; told apart by more where the task's name can't be a file's."""
        words = re.sub(r"[^\w.-]+", "-", self.task)[:80].strip("-.") or "task"
        sign = "" if words == self.task else f"-{hashlib.sha256(self.task.encode()).hexdigest()[:8]}"
        return f"{words}{sign}-{self.seed}"


class Attempt(Value):
    """What came of an attempt."""

    task: str
    seed: int
    success: bool = False
    reward: float = 0.0
    steps: int = 0
    clauses: int = 0
    """Steps in which something was done: with `literal`, clauses of the request that were acted on."""
    seconds: float = 0.0
    """From the beginning of its set-up to the judge's word."""
    outcome: RunOutcome = RunOutcome.ERROR
    """How the run ended, as the agent has it; what went wrong outside of the run is an `error`, or the `limit`."""
    standing: Standing = "open"
    """`right` as the judge has it; `wrong` where it was given out as done, or was ended, and is not; else `open`."""
    request: str = ""
    answer: str | None = None
    reason: str = ""
    """What the judge said, or what went wrong."""
    cost_usd: float = 0.0
    run_dir: str | None = None
    before: bool = False
    """Whether it was over before this time."""

    @property
    def broke(self) -> bool:
        """Whether device, model, set-up or judge failed, so that it says nothing of the agent."""
        return self.outcome is RunOutcome.ERROR and self.standing == "open"


def standing_of(judged: Judged, outcome: RunOutcome) -> Standing:
    """Say where an attempt stood: to have asked, refused or run out of time is neither right nor wrong."""
    if judged.success:
        return "right"
    return "wrong" if judged.ended or outcome is RunOutcome.FINISHED else "open"


def keep(attempt: Attempt, folder: Path) -> None:
    """Write an attempt's result into its folder, whole or not at all.

    Raises:
        JournalError: it cannot be written.
    """
    path = folder / RESULT
    draft = path.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_text(json_of(attempt), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise JournalError(f"{path} cannot be written ({error.strerror}); free space, then go on") from error


def kept(folder: Path) -> Attempt | None:
    """Read an attempt's result; None where it is not over.

    Raises:
        JournalError: it is there and cannot be read.
    """
    path = folder / RESULT
    try:
        return Attempt.model_validate_json(path.read_bytes()).model_copy(update={"before": True})
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise JournalError(f"{path} is no result that can be read; remove {folder} to have it done anew") from error
