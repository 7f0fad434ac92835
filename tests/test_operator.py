"""A vendor's computer-use model at work in the application that the host assigned."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from deskhand.agents.operator import OperatorAgent
from deskhand.core.action import Write
from deskhand.core.event import StepEnded, StepStarted, UserAsked
from deskhand.core.message import ElementsPart, PicturePart, SubtaskPart, WindowsPart
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.journal.memory import MemoryJournal
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.command import deskhand
from tests.paper import app, assign, click, context, events, host, session, write

MODE = RunningMode.OPERATOR


def test_the_host_assigns_and_the_operator_works_until_it_hands_back() -> None:
    desk = PaperDesk()
    model = ScriptedModel(
        host=[assign("editor", "write a"), host("FINISH", "done")],
        operator=[app("CONTINUE", write("a")), app("SCREENSHOT"), app("FINISH", result="a")],
    )
    made = context(model, desk=desk, mode=MODE, user=ScriptedUser(requests=["do it"]))

    result = anyio.run(session(made).run)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "done")
    assert desk.windows[0].text == "a"
    steps = [r for r in made.journal.records() if isinstance(r.event, StepStarted)]
    path = [f"{r.scope.agent} {r.event.status}" for r in steps if isinstance(r.event, StepStarted)]
    assert path == [
        "HostAgent CONTINUE",
        "HostAgent ASSIGN",
        "OperatorAgent/editor CONTINUE",
        "OperatorAgent/editor CONTINUE",
        "OperatorAgent/editor SCREENSHOT",
        "OperatorAgent/editor FINISH",
        "HostAgent CONTINUE",
    ]


def test_an_operator_is_shown_pictures_and_no_list_of_elements() -> None:
    steps = [app("CONTINUE", write(letter)) for letter in "abcde"]
    model = ScriptedModel(host=[assign("editor", "write"), host()], operator=[*steps, app("FINISH")])
    anyio.run(session(context(model, mode=MODE, user=ScriptedUser(requests=["do it"]))).run)

    last = [r for r in model.requests if r.role == "operator"][-1]
    assert not any(isinstance(part, ElementsPart | WindowsPart) for part in last.parts)
    assert [p.of for p in last.parts if isinstance(p, PicturePart)] == ["step 5", "step 6", "step 7", "screen"]
    assert any(isinstance(part, SubtaskPart) and part.text == "write" for part in last.parts)


@pytest.mark.parametrize(("leave", "text", "outcome"), [(True, "x", "finished"), (False, "", "failed")])
def test_what_the_vendor_wants_acknowledged_is_asked_before_it_is_done(leave: bool, text: str, outcome: str) -> None:
    desk = PaperDesk()
    user = ScriptedUser(requests=["do it"], confirms=[leave])
    model = ScriptedModel(
        host=[assign(), host("FINISH" if leave else "FAIL", "over")],
        operator=[app("CONFIRM", write("x"), thought="the page asks for a password"), app("FINISH")],
    )
    made = context(model, desk=desk, mode=MODE, user=user)

    assert anyio.run(session(made).run).rounds == 1
    assert made.view.rounds[0].outcome == outcome
    assert desk.windows[0].text == text
    assert "asks for a password" in events(made, UserAsked)[0].question


def test_its_questions_reach_the_user_and_its_failure_the_host() -> None:
    user = ScriptedUser(requests=["do it"], answers=["blue"])
    model = ScriptedModel(
        host=[assign(), host("FAIL", "cannot")],
        operator=[app("PENDING", questions=["Which?"]), app("FAIL", result="no such colour")],
    )
    made = context(model, mode=MODE, user=user)

    assert anyio.run(session(made).run).outcome is RunOutcome.FAILED
    assert user.asked == ["Which?"]


def test_an_operator_that_was_cut_off_is_one_again() -> None:
    desk = PaperDesk()
    model = ScriptedModel(host=[assign(), host()], operator=[app("CONTINUE", click("e102")), app("FINISH")])
    first = context(model, desk=desk, mode=MODE, user=ScriptedUser(requests=["do it"]))
    anyio.run(session(first).run)
    ends = [r.seq for r in first.journal.records() if isinstance(r.event, StepEnded) and "Operator" in r.scope.agent]
    records = list(first.journal.records())[: ends[0]]
    rest = ScriptedModel(host=[host("FINISH", "done")], operator=[app("CONTINUE", write("b")), app("FINISH")])
    again = context(rest, desk=desk, journal=MemoryJournal(records), mode=MODE)

    resumed = session(again)
    result = anyio.run(lambda: resumed.resume(fresh=False))

    assert result.outcome is RunOutcome.FINISHED
    assert isinstance(resumed.host.below[0], OperatorAgent)
    assert [a.message for a in desk.done if isinstance(a, Write)] == ["b"]


def test_without_such_a_model_the_mode_says_what_is_missing(tmp_path: Path) -> None:
    done = deskhand("run", "--mode", "operator", "do it", home=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert "models.operator.model" in done.stderr
