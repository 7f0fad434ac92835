"""What a command says at the end of a run: for people, or as one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.main import FAILED, FINISHED, INTERRUPTED, LIMIT, TROUBLE
from deskhand.core.errors import DeviceError, JournalError, ModelError
from deskhand.core.status import RunOutcome
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
    """One run, as far as it came. `result` and `run_dir` are filled in while it goes."""

    run_dir: Path | None = None
    result: SessionResult | None = None
    trouble: str = ""

    def watch(self, work: Callable[[Report], Awaitable[None]]) -> None:
        """Run `work`; an interruption and trouble with device, model or journal become part of the report.

        Raises:
            DeskhandError: any other, such as wrong settings; nothing was begun then.
        """
        try:
            run_until_interrupted(lambda: work(self))
        except KeyboardInterrupt:
            self.trouble = "interrupted"
            self.result = self._as_far_as_written(RunOutcome.INTERRUPTED)
        except (DeviceError, ModelError, JournalError) as error:
            self.trouble = " ".join(str(error).split())
            self.result = self._as_far_as_written(RunOutcome.ERROR)
        if self.run_dir is not None:
            self._write_page()

    @property
    def code(self) -> int:
        return CODES[self.result.outcome] if self.result is not None else TROUBLE

    def print(self, *, as_json: bool) -> None:
        """Say how it ended on stdout."""
        if self.result is None:
            return
        if as_json:
            fields = self.result.model_dump(mode="json")
            print(json.dumps({**fields, "run_dir": str(self.run_dir) if self.run_dir else None}, ensure_ascii=False))
            return
        if self.trouble:
            print(f"deskhand: {self.trouble}", file=sys.stderr)
        for line in self.lines():
            print(line)

    def lines(self) -> list[str]:
        if self.result is None:
            return []
        lines = [f"{self.result.outcome}: {self.result.answer}" if self.result.answer else str(self.result.outcome)]
        lines.append(f"{self.result.steps} steps, {self.result.seconds:.1f} s")
        if self.run_dir is not None:
            lines.append(f"run: {self.run_dir}")
            if self.result.outcome not in (RunOutcome.FINISHED, RunOutcome.FAILED):
                lines.append(f"go on with: deskhand resume {self.run_dir}")
        return lines

    def _as_far_as_written(self, outcome: RunOutcome) -> SessionResult:
        view = View()
        if self.run_dir is not None:
            view = View.of(read_records(self.run_dir))
        result = SessionResult.of(view, view.last_time - view.start_time)
        answer = self.trouble if outcome is RunOutcome.ERROR else result.answer
        return result.model_copy(update={"outcome": outcome, "answer": answer})

    def _write_page(self) -> None:
        assert self.run_dir is not None
        try:
            write_page(self.run_dir)
        except (OSError, JournalError) as error:
            print(f"deskhand: no page was written: {error}", file=sys.stderr)
