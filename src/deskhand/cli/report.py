"""What a command says at the end of a run: for people, or as one JSON object."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from deskhand.cli.complaints import FAILED, FINISHED, INTERRUPTED, LIMIT, TROUBLE, explained
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.spending import spending
from deskhand.cli.streams import complain, say, say_json
from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.status import RunOutcome
from deskhand.core.text import counted
from deskhand.journal.file import read_records
from deskhand.journal.view import View
from deskhand.session.session import SessionResult
from deskhand.viewer.page import write_page

CODES = {
    RunOutcome.FINISHED: FINISHED,
    RunOutcome.FAILED: FAILED,
    RunOutcome.NEEDS_USER: FAILED,
    RunOutcome.STUCK: FAILED,
    RunOutcome.LIMIT: LIMIT,
    RunOutcome.ERROR: TROUBLE,
    RunOutcome.INTERRUPTED: INTERRUPTED,
}


@dataclass
class Report:
    """One run, as far as it came. `result` and `run_dir` are filled in while it goes; said once, at its end."""

    as_json: bool = False
    aside: bool = False
    """Whether it is said on stderr, since stdout is for something else."""
    run_dir: Path | None = None
    result: SessionResult | None = None
    trouble: str = ""
    _said: threading.Lock = field(default_factory=threading.Lock)

    def watch(self, work: Callable[[Report], Awaitable[None]]) -> None:
        """Run `work`; an interruption and trouble of any kind become part of the report.

        Raises:
            SettingsError: nothing was begun.
        """
        INTERRUPTION.last_words = self._abandoned
        try:
            run_until_interrupted(lambda: work(self))
        except KeyboardInterrupt:
            self._interrupted()
        except SettingsError:
            raise
        except Exception as error:  # noqa: BLE001  the outermost ring: whatever it was, how far the run came is said
            _, self.trouble = explained(error)
            self.result = self._as_far_as_written(RunOutcome.ERROR)
        if self.run_dir is not None:
            self._write_page(self.run_dir)

    @property
    def code(self) -> int:
        return CODES[self.result.outcome] if self.result is not None else TROUBLE

    def print(self) -> None:
        """Say how it ended on stdout."""
        if self.result is None or not self._said.acquire(blocking=False):
            return
        if self.as_json:
            unused = {"evaluations"} if not self.result.evaluations else None
            fields = self.result.model_dump(mode="json", exclude=unused)
            say_json({**fields, "run_dir": str(self.run_dir) if self.run_dir else None})
            return
        if self.trouble and self.trouble != self.result.outcome:
            complain(self.trouble)
        if self.aside:
            for line in self.lines():
                complain(line)
            return
        say(*self.lines())

    def lines(self) -> list[str]:
        if self.result is None:
            return []
        lines = [f"{self.result.outcome}: {self.result.answer}" if self.result.answer else str(self.result.outcome)]
        lines += [f"evaluated: complete {e.complete}: {e.reason or e.trouble}" for e in self.result.evaluations]
        each = f" ({self.result.seconds / self.result.steps:.1f} s a step)" if self.result.steps > 1 else ""
        lines.append(f"{counted(self.result.steps, 'step')}, {self.result.seconds:.1f} s{each}")
        if self.run_dir is not None:
            lines += spending(read_records(self.run_dir))
            lines.append(f"run: {self.run_dir}")
            if self.result.outcome not in (RunOutcome.FINISHED, RunOutcome.FAILED) and self.result.rounds:
                lines.append(f"go on with: deskhand resume {self.run_dir}")
        return lines

    def _interrupted(self) -> None:
        """Take note of an interruption; a run that had come to its end before keeps its result."""
        if self.result is None:
            self.trouble = RunOutcome.INTERRUPTED
            self.result = self._as_far_as_written(RunOutcome.INTERRUPTED)

    def _abandoned(self) -> None:
        """Say how far the run came while it hangs in a call that nothing can break off."""
        self._interrupted()
        self.print()

    def _as_far_as_written(self, outcome: RunOutcome) -> SessionResult:
        view = View()
        if self.run_dir is not None:
            view = View.of(read_records(self.run_dir))
        result = SessionResult.of(view, view.last_time - view.start_time)
        answer = self.trouble if outcome is RunOutcome.ERROR else result.answer
        return result.model_copy(update={"outcome": outcome, "answer": answer})

    def _write_page(self, run_dir: Path) -> None:
        try:
            write_page(run_dir)
        except KeyboardInterrupt:
            complain(f"interrupted, so no page was written; deskhand page {run_dir} does it")
        except (OSError, JournalError) as error:
            if not self.trouble:  # which is the same, more likely than not
                complain(f"no page was written: {error}")
