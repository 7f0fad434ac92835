"""A run that its user holds for a while, by Ctrl-C at a terminal or from a program (R133)."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio

from deskhand.core.event import ActionStarted, Observed, Record, SessionPaused, SessionUnpaused
from deskhand.core.status import RunOutcome
from deskhand.journal.file import read_records
from deskhand.journal.view import View
from deskhand.processors.limits import Limits
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel
from tests.command import arguments, environment
from tests.paper import app, click, context, one_subtask, session, write
from tests.running import until

A_WHILE = 0.3
REQUEST = "Open the calculator, click 1, click 2, click 3, click 4, click 5, click 6, click 7 and click 8"


def held_after(
    replies: ScriptedModel, desk: PaperDesk, meanwhile: Callable[[], None], limits: Limits | None = None
) -> tuple[SessionResult, list[Record]]:
    """Run a session that is held as soon as the model has decided on an action in the application."""
    made = context(replies, desk=desk)
    made.limits = limits or made.limits
    records: list[Record] = []
    made.listeners.append(records.append)
    run = session(made)

    def hold(record: Record) -> None:
        if record.event.kind == "decided" and record.scope.agent.startswith("AppAgent") and not made.pause.seconds:
            run.pause()

    made.listeners.append(hold)
    paused = anyio.Event()
    made.listeners.append(lambda record: paused.set() if isinstance(record.event, SessionPaused) else None)

    async def carry_out() -> SessionResult:
        result: list[SessionResult] = []

        async def go() -> None:
            result.append(await run.run())

        async with anyio.create_task_group() as group:
            group.start_soon(go)
            with anyio.fail_after(5):
                await paused.wait()
            done = len(desk.done)
            await anyio.sleep(A_WHILE)
            assert len(desk.done) == done, "something was done while the run was held"
            meanwhile()
            run.unpause()
        return result[0]

    return anyio.run(carry_out), records


def test_what_was_decided_is_done_after_a_pause_in_which_nothing_changed() -> None:
    desk = PaperDesk()

    result, records = held_after(one_subtask(app("FINISH", click("e101"))), desk, lambda: None)

    assert (result.outcome, desk.windows[0].presses) == (RunOutcome.FINISHED, 1)
    (went_on,) = [i for i, record in enumerate(records) if isinstance(record.event, SessionUnpaused)]
    after = [type(record.event) for record in records[went_on + 1 :]]
    assert after.index(Observed) < after.index(ActionStarted)


def test_what_was_decided_is_not_done_on_a_screen_that_its_user_has_changed() -> None:
    desk = PaperDesk()

    def work() -> None:
        desk.windows[0].text = "by hand"

    model = one_subtask(app("CONTINUE", write("a")), app("FINISH"))
    result, _ = held_after(model, desk, work)

    assert (result.outcome, desk.windows[0].text) == (RunOutcome.FINISHED, "by hand")
    assert "the user held the run" in model.requests[2].model_dump_json()


def test_the_limit_of_seconds_stands_still_meanwhile() -> None:
    limits = Limits(seconds=A_WHILE / 2)

    result, _ = held_after(one_subtask(app("FINISH", click("e101"))), PaperDesk(), lambda: None, limits)

    assert result.outcome is RunOutcome.FINISHED


class Terminal:
    """A command at a terminal, with somebody before it."""

    def __init__(self, words: list[str], home: Path) -> None:
        self._ours, theirs = os.openpty()
        self.process = subprocess.Popen(
            words, env=environment(home), cwd=home, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._said = b""

    def said(self) -> str:
        try:
            while chunk := os.read(self._ours, 4096):
                self._said += chunk
        except OSError:  # nothing yet, or it has hung up
            pass
        return self._said.decode(errors="replace")

    def press_enter(self) -> None:
        os.write(self._ours, b"\n")

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


@contextmanager
def terminal(home: Path, *words: str) -> Iterator[Terminal]:
    there = Terminal(arguments(*words), home)
    try:
        yield there
    finally:
        there.close()


def happened(folder: Path, kind: type[object]) -> int:
    return sum(isinstance(record.event, kind) for record in read_records(folder))


def test_r133_ctrl_c_holds_a_run_and_enter_lets_it_go_on_and_twice_ends_it(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with terminal(tmp_path, "run", REQUEST, "--run-dir", str(folder)) as held:
        until(lambda: "click(element=" in held.said(), 30)
        held.interrupt()
        until(lambda: "held before its next action" in held.said())
        until(lambda: happened(folder, SessionPaused) == 1)
        done = happened(folder, ActionStarted)
        time.sleep(A_WHILE)
        assert happened(folder, ActionStarted) == done
        held.press_enter()
        until(lambda: happened(folder, ActionStarted) > done)
        held.interrupt()
        until(lambda: held.said().count("held before its next action") == 2)
        held.interrupt()
        assert held.process.wait(10) == 130, held.said()
        assert f"go on with: deskhand resume {folder}" in held.said()

    view = View.of(read_records(folder))
    assert view.outcome is RunOutcome.INTERRUPTED


def test_ctrl_c_at_a_question_ends_the_run_which_stands_still_there_already(tmp_path: Path) -> None:
    with terminal(tmp_path, "run") as asked:
        until(lambda: "What is to be done?" in asked.said())
        asked.interrupt()
        assert asked.process.wait(10) == 130, asked.said()
