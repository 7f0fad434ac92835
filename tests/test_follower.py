"""Plans that are followed step by step."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from deskhand.core.errors import SettingsError
from deskhand.core.event import RoundStarted, SessionStarted, StepStarted, SubtaskAssigned, UserAsked
from deskhand.core.message import BlackboardPart, RequestPart, SubtaskPart
from deskhand.core.plan import Plan
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.journal.memory import MemoryJournal
from deskhand.processors.context import Context
from deskhand.session.factory import SessionFactory
from deskhand.session.plans import read_plan
from deskhand.session.session import BaseSession
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.command import deskhand
from tests.paper import app, assign, context, events, host, write

PLAN = Plan(task="two notes", steps=("write one", "write two"), object="editor")


def following(made: Context, plan: Plan = PLAN) -> BaseSession:
    started = SessionStarted(version="0", device="paper", models={}, mode=RunningMode.FOLLOWER, plan=plan)
    made.mode = RunningMode.FOLLOWER
    return SessionFactory.create_session(made, started)


def path(made: Context) -> list[str]:
    steps = [r for r in made.journal.records() if isinstance(r.event, StepStarted)]
    return [f"{r.scope.agent.partition('/')[0]} {r.event.status}" for r in steps if isinstance(r.event, StepStarted)]


def test_steps_are_handed_out_in_order_as_they_are_written() -> None:
    desk = PaperDesk()
    model = ScriptedModel(app=[app("CONTINUE", write("1")), app("FINISH", result="one"), app("FINISH", result="two")])
    made = context(model, desk=desk)

    result = anyio.run(following(made).run)

    assert (result.outcome, result.answer, result.rounds) == (RunOutcome.FINISHED, "two", 2)
    assert [e.request for e in events(made, RoundStarted)] == list(PLAN.steps)
    assert [(e.application, e.subtask) for e in events(made, SubtaskAssigned)] == [
        ("editor", "write one"),
        ("editor", "write two"),
    ]
    assert path(made) == [
        *(
            "FollowerAgent CONTINUE",
            "FollowerAgent ASSIGN",
            "AppAgent CONTINUE",
            "AppAgent CONTINUE",
            "AppAgent FINISH",
        ),
        *("FollowerAgent CONTINUE", "FollowerAgent ASSIGN", "AppAgent CONTINUE", "AppAgent FINISH"),
    ]
    assert len(desk.windows) == 1


def test_an_agent_is_told_its_step_and_what_the_plan_is_for() -> None:
    model = ScriptedModel(app=[app("FINISH"), app("FINISH")])
    anyio.run(following(context(model)).run)

    subtasks = [p for r in model.requests for p in r.parts if isinstance(p, SubtaskPart)]
    requests = [p.text for r in model.requests for p in r.parts if isinstance(p, RequestPart)]
    assert [s.text for s in subtasks] == requests == ["write one", "write two"]
    assert subtasks[1].message == ("this is step 2 of 2 of: two notes",)


def test_a_step_knows_of_those_before_it() -> None:
    model = ScriptedModel(app=[app("FINISH", result="one"), app("FINISH", result="two")])
    anyio.run(following(context(model)).run)

    entries = {e.key: e.value for p in model.requests[1].parts if isinstance(p, BlackboardPart) for e in p.entries}
    assert (entries["request_1"], entries["answer_1"]) == ("write one", "finished: one")


@pytest.mark.parametrize(
    ("answer", "outcome", "subtasks"),
    [
        ("again", RunOutcome.FINISHED, ["write one", "write one", "write two"]),
        ("Skip", RunOutcome.FINISHED, ["write one", "write two"]),
        ("stop", RunOutcome.FAILED, ["write one"]),
        ("", RunOutcome.FAILED, ["write one"]),
        ("write 1 instead", RunOutcome.FINISHED, ["write one", "write 1 instead", "write two"]),
    ],
)
def test_a_step_that_cannot_be_done_is_a_question(answer: str, outcome: RunOutcome, subtasks: list[str]) -> None:
    user = ScriptedUser(answers=[answer])
    made = context(ScriptedModel(app=[app("FAIL", result="no ink"), app("FINISH"), app("FINISH")]), user=user)

    result = anyio.run(following(made).run)

    assert result.outcome is outcome
    assert [e.subtask for e in events(made, SubtaskAssigned)] == subtasks
    assert "step 1 of 2" in user.asked[0]
    assert "no ink" in user.asked[0]


def test_an_application_that_does_not_come_up_is_a_question_too() -> None:
    made = context(ScriptedModel(), user=ScriptedUser(answers=["stop"]))

    result = anyio.run(following(made, PLAN.model_copy(update={"object": "spreadsheet"})).run)

    assert result.outcome is RunOutcome.FAILED
    assert "spreadsheet" in events(made, UserAsked)[0].question


def test_with_nobody_there_the_question_stays_open_and_resuming_puts_it_again() -> None:
    desk = PaperDesk()
    first = context(ScriptedModel(app=[app("FINISH"), app("FAIL", result="no ink")]), desk=desk)
    assert anyio.run(following(first).run).outcome is RunOutcome.NEEDS_USER
    user = ScriptedUser(answers=["again"])
    journal = MemoryJournal(first.journal.records())  # type: ignore[arg-type]  # a tuple
    again = context(ScriptedModel(app=[app("FINISH", result="two")]), desk=desk, journal=journal, user=user)

    result = anyio.run(lambda: following(again).resume(fresh=False))

    assert (result.outcome, result.answer, result.rounds) == (RunOutcome.FINISHED, "two", 2)
    assert "step 2 of 2" in user.asked[0]


def test_without_an_application_a_host_chooses_for_each_step() -> None:
    plan = Plan(task="both", steps=("write one", "add two"))
    model = ScriptedModel(
        host=[assign("editor"), assign("calculator"), host("FINISH", "1"), host("FAIL", "cannot add")],
        app=[app("FINISH"), app("FINISH")],
    )
    user = ScriptedUser(answers=["skip"])
    made = context(model, user=user)

    result = anyio.run(following(made, plan).run)

    assert (result.outcome, result.rounds) == (RunOutcome.FINISHED, 2)
    assert [e.application for e in events(made, SubtaskAssigned)] == ["editor", "calculator"]
    assert "cannot add" in user.asked[0]


def test_a_question_of_the_host_itself_is_asked_as_it_is() -> None:
    plan = Plan(task="both", steps=("write one",))
    user = ScriptedUser(answers=["the blue one"])
    made = context(ScriptedModel(host=[host("PENDING", questions=["Which?"]), host("FINISH")]), user=user)

    assert anyio.run(following(made, plan).run).outcome is RunOutcome.FINISHED
    assert user.asked == ["Which?"]


@pytest.mark.parametrize("cut", range(2, 30))
def test_a_plan_that_was_cut_off_anywhere_is_followed_to_its_end(cut: int) -> None:
    desk = PaperDesk()
    whole = context(ScriptedModel(app=[app("FINISH"), app("FINISH", result="two")]), desk=desk)
    anyio.run(following(whole).run)
    records = list(whole.journal.records())[:cut]
    again = context(ScriptedModel(app=[app("FINISH", result="two")] * 2), desk=desk, journal=MemoryJournal(records))
    if again.view.round is None and len(again.view.rounds) == len(PLAN.steps):
        return

    result = anyio.run(lambda: following(again).resume(fresh=False))

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "two")
    assert [r.request for r in again.view.rounds] == list(PLAN.steps)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no plan"),
        ("7", "no plan"),
        ('{"steps": ["a"]}', "task"),
        ('{"task": "  ", "steps": ["a"]}', "task"),
        ('{"task": 7, "steps": ["a"]}', "task is a text"),
        ('{"task": "t", "steps": []}', "from 1 to"),
        ('{"task": "t", "steps": "a"}', "list of texts"),
        ('{"task": "t", "steps": ["a", 7]}', "list of texts"),
        ('{"task": "t", "steps": ["a", " "]}', "step 2 is empty"),
        ('{"task": "t", "step": ["a"]}', "did you mean 'steps'"),
        ('{"task": "t", "steps": ["a"], "colour": "red"}', "no 'colour'"),
        ('{"task": "t", "steps": ["a"], "object": ["b"]}', "object is a text"),
        (json.dumps({"task": "t", "steps": ["a"] * 1001}), "1001"),
        ('{"task": "t", "steps": ["' + "a" * (1 << 20) + '"]}', "bytes"),
    ],
)
def test_what_is_no_plan_says_what_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)

    with pytest.raises(SettingsError, match=said) as caught:
        read_plan(path)

    assert str(path) in str(caught.value)


def test_a_plan_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"\xef\xbb\xbf" + PLAN.model_dump_json().encode())

    assert read_plan(path) == PLAN


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--plan", "none.json"], "none.json cannot be read"),
        (["--plan", "request.json"], "steps is missing"),
        (["--plan", "plan.json", "and this"], "keep one"),
        (["--mode", "follower", "do it"], "--plan"),
        (["--plan", "plan.json", "--mode", "operator"], "follower"),
        (["--mode", "walker", "do it"], "running_mode"),
        (["--plan", "plan.json", "--jobs", "2"], "go with a batch"),
        (["do it", "--events", "--json"], "stdout"),
    ],
)
def test_options_that_do_not_fit_say_so_before_anything_is_started(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(PLAN.model_dump_json())
    (tmp_path / "request.json").write_text('{"task": "a note"}')

    done = deskhand("run", *words, home=tmp_path)

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert said in done.stderr
    assert not (tmp_path / ".local").exists()
