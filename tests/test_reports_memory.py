"""Faults that users met in what other systems remember and hand on, by the number of their report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Action, ActionResult, Write
from deskhand.core.event import BlackboardSet
from deskhand.core.message import BlackboardEntry, BlackboardPart, ModelRequest, SubtaskPart
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.native import NativeReply
from deskhand.journal.file import EVENTS, FileJournal, read_records
from deskhand.journal.view import View
from deskhand.processors.context import Context
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.command import ROOT, environment
from tests.paper import app, assign, context, host, one_subtask, session, write

HALF = "half \ud83d and whole \U0001f600"
MENDED = "half \ufffd and whole \U0001f600"


def run(made: Context, request: str = "do it") -> SessionResult:
    return anyio.run(session(made, request).run)


def text_of(request: ModelRequest) -> str:
    return "\n".join(turn.text for turn in request.turns)


def board_of(request: ModelRequest) -> tuple[BlackboardEntry, ...]:
    return next(p.entries for p in request.parts if isinstance(p, BlackboardPart))


@pytest.mark.parametrize(
    "value",
    ["4711", "007", "1.50", " spaces ", "two\nlines\tand a tab", "naïve – 你好 – 😀 </screen-data>", "x y\n" * 5120],
    ids=["number", "zeros", "decimals", "spaces", "lines", "scripts", "20 kB"],
)
def test_r114_a_value_is_handed_on_unchanged_with_the_words_of_the_subtask(value: str) -> None:
    def types_it(request: ModelRequest) -> dict[str, object]:
        return app("CONTINUE", write(board_of(request)[0].value))

    desk = PaperDesk()
    model = ScriptedModel(
        host=[assign("calculator", "read the number"), assign("editor", "type {{order_no}}"), host()],
        app=[app("FINISH", blackboard={"order_no": value}), types_it, app("FINISH")],
    )
    assert run(context(model, desk=desk)).outcome is RunOutcome.FINISHED

    first_of_b = model.requests[3]
    assert next(p.text for p in first_of_b.parts if isinstance(p, SubtaskPart)) == "type {{order_no}}"
    told = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
    for dialect in (JsonReply(), NativeReply()):
        text = text_of(dialect.compose("app", first_of_b.parts))
        assert f'"order_no" = {told} (by AppAgent/calculator, step 3)' in text
        assert "type {{order_no}}" in text
    assert next(w.text for w in desk.windows if w.app == "editor") == value


def test_r115_the_blackboard_outlives_an_agent_that_breaks_off(tmp_path: Path) -> None:
    def breaks(_request: ModelRequest) -> str:
        raise RuntimeError("the app agent's model crashed")

    journal = FileJournal(tmp_path)
    made = context(one_subtask(app("CONTINUE", write("a"), blackboard={"order_no": "4711"}), breaks), journal=journal)
    broken = run(made)
    assert (broken.outcome, broken.answer) == (RunOutcome.ERROR, "the app agent's model crashed")

    again = context(ScriptedModel(host=[host()]), journal=journal)
    result = anyio.run(lambda: session(again).resume(fresh=False))

    assert result.outcome is RunOutcome.FINISHED
    model = again.model("host")
    assert isinstance(model, ScriptedModel)
    (entry,) = board_of(model.requests[0])
    assert (entry.key, entry.value, entry.writer, entry.step) == ("order_no", "4711", "AppAgent/editor", 3)
    journal.close()


def test_r115_a_value_that_is_replaced_stays_in_the_journal() -> None:
    steps = [app("CONTINUE", write("x"), blackboard={"n": value}) for value in ("old", "new")]
    model = one_subtask(*steps, app("FINISH"))
    made = context(model)
    run(made)

    (entry,) = board_of(model.requests[-1])
    assert (entry.value, entry.step) == ("new", 4)
    written = [r.event.value for r in made.journal.records() if isinstance(r.event, BlackboardSet)]
    assert written == ["old", "new"]


def test_r115_the_next_request_of_a_session_finds_the_blackboard() -> None:
    user = ScriptedUser(requests=["a", "b"])
    model = ScriptedModel(host=[assign(), host(), host()], app=[app("FINISH", result="4711")])
    run(context(model, mode=RunningMode.NORMAL, user=user))

    assert {e.key: e.value for e in board_of(model.requests[-1])}["result_1"] == "4711"


TEN_STEPS = """
import os, signal, sys
import anyio
from pathlib import Path
from deskhand.core.action import Write
from deskhand.journal.file import FileJournal
from deskhand.testing import PaperDesk
from tests.paper import app, context, one_subtask, session, write

class Dies(PaperDesk):
    async def perform(self, action, window=""):
        result = await super().perform(action, window)
        if isinstance(action, Write) and action.message == "5":
            os.kill(os.getpid(), signal.SIGKILL)
        return result

steps = [app("CONTINUE", write(str(n))) for n in range(1, 11)]
journal = FileJournal(Path(sys.argv[1]))
anyio.run(session(context(one_subtask(*steps, app("FINISH")), desk=Dies(), journal=journal)).run)
"""


@pytest.mark.parametrize("torn", [False, True], ids=["whole", "torn"])
def test_r116_a_run_killed_between_action_and_record_goes_on_without_doing_anything_twice(
    tmp_path: Path, torn: bool
) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", TEN_STEPS, str(tmp_path)], env=environment(tmp_path), cwd=ROOT, check=False
    )
    assert killed.returncode == -9
    if torn:
        events = tmp_path / EVENTS
        events.write_bytes(events.read_bytes() + b'{"seq": 99, "time": 17')

    desk = PaperDesk()
    steps = [app("CONTINUE", write(str(n))) for n in range(6, 11)]
    model = ScriptedModel(host=[host()], app=[*steps, app("FINISH")])
    looked: list[int] = []

    class Watched(PaperDesk):
        async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
            looked.append(len(desk.done))
            return await desk.observe(subject)

        async def perform(self, action: Action, window: str = "") -> ActionResult:
            return await desk.perform(action, window)

    journal = FileJournal(tmp_path)
    made = context(model, desk=Watched(), journal=journal)
    result = anyio.run(lambda: session(made).resume(fresh=False))
    journal.close()

    assert result.outcome is RunOutcome.FINISHED
    assert [a.message for a in desk.done if isinstance(a, Write)] == ["6", "7", "8", "9", "10"]
    assert looked[0] == 0  # it looked before it acted
    first = text_of(model.requests[0])
    assert "interrupted during write: it may or may not have happened" in first
    assert "it is not known whether this was done" in first
    assert result.steps == View.of(read_records(tmp_path)).steps


def test_r017_half_a_character_is_written_down_and_sent_whole(tmp_path: Path) -> None:
    class Odd(PaperDesk):
        async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
            observation, pictures = await super().observe(subject)
            elements = tuple(e.model_copy(update={"name": HALF}) for e in observation.elements)
            return Look(observation.model_copy(update={"elements": elements}), pictures)

    model = ScriptedModel(
        host=[host("PENDING", questions=["which?"]), assign(), host(result="ok")],
        app=[app("CONTINUE", write("x"), blackboard={"k": HALF}), app("FINISH", result=HALF)],
    )
    journal = FileJournal(tmp_path)
    made = context(model, desk=Odd(), journal=journal, user=ScriptedUser(answers=[HALF]))

    assert run(made, HALF).outcome is RunOutcome.FINISHED
    journal.close()

    for request in model.requests:
        assert request.model_dump_json().encode("utf-8", "strict")
        assert MENDED in text_of(request)
    assert View.of(read_records(tmp_path)).rounds[0].request == MENDED
