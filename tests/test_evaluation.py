"""Rounds that are judged when they are over."""

from __future__ import annotations

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from deskhand.agents.evaluation import EvaluationAgent
from deskhand.core.errors import DeviceError, ModelBusy
from deskhand.core.event import Evaluated, Record, RoundEnded, Score, SessionEnded
from deskhand.core.message import ModelRequest
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject, WholeDesktop
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.journal.file import FileJournal
from deskhand.processors.context import Context
from deskhand.processors.limits import Limits
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from deskhand.testing.scripted import Line
from deskhand.viewer.page import write_page
from tests.command import deskhand
from tests.paper import app, assign, context, events, host, session, write

GOOD = {"complete": "yes", "sub_scores": [{"name": "written", "evaluation": "yes"}], "reason": "it stands there"}
JUDGED = Evaluated(complete="yes", sub_scores=(Score(name="written", evaluation="yes"),), reason="it stands there")


def model(*verdicts: Line, end: dict[str, object] | None = None) -> ScriptedModel:
    steps = [app("CONTINUE", write("hello")), app("FINISH", result="hello")]
    return ScriptedModel(host=[assign(), end or host("FINISH", "it is done")], app=steps, evaluator=verdicts)


def judged(made: Context) -> SessionResult:
    running = session(made, "write hello")
    running.evaluator = EvaluationAgent()
    return anyio.run(running.run)


def test_a_finished_round_is_judged_after_its_end_and_keeps_its_result() -> None:
    made = context(model({**GOOD, "complete": "no"}))

    result = judged(made)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "it is done")
    assert [e.complete for e in result.evaluations] == ["no"]
    kinds = [type(r.event) for r in made.journal.records()]
    assert kinds.index(RoundEnded) < kinds.index(Evaluated) < kinds.index(SessionEnded)


def test_a_failed_round_is_judged_too() -> None:
    made = context(model(GOOD, end=host("FAIL", "no")))

    result = judged(made)

    assert (result.outcome, result.evaluations) == (RunOutcome.FAILED, (JUDGED,))


def test_the_evaluator_is_told_request_actions_results_and_shown_pictures() -> None:
    asked = model(GOOD)
    judged(context(asked))

    request: ModelRequest = asked.requests[-1]
    text = request.turns[0].text
    assert request.role == "evaluator"
    for told in ("write hello", 'write(message="hello")', "FINISH", "it is done", "screen at the end"):
        assert told in text
    assert 2 <= len(request.turns[0].pictures) <= 5
    assert request.reply_schema is not None


def test_each_round_of_a_conversation_is_judged_by_itself() -> None:
    scripted = ScriptedModel(host=[host("FINISH"), host("FINISH")], evaluator=[GOOD, {**GOOD, "complete": "unsure"}])
    made = context(scripted, mode=RunningMode.NORMAL, user=ScriptedUser(requests=["a", "b"]))

    assert [e.complete for e in judged(made).evaluations] == ["yes", "unsure"]


@pytest.mark.parametrize(
    "bad", ["nothing", '{"complete": "maybe"}', '{"reason": "x"}', '{"complete": "yes", "sub_scores": 7}']
)
def test_an_unreadable_judgement_is_asked_for_again_and_disturbs_nobody(bad: str) -> None:
    scripted = model(bad, GOOD)
    made = context(scripted)

    assert judged(made).evaluations == (JUDGED,)
    assert "could not be read" in scripted.requests[-1].turns[0].text


def test_a_judgement_that_cannot_be_had_is_unsure_and_says_why() -> None:
    result = judged(context(model(ModelBusy("the service is down"))))

    assert result.outcome is RunOutcome.FINISHED
    assert result.evaluations == (Evaluated(complete="unsure", trouble="the service is down"),)


def test_what_was_left_of_the_budget_is_not_overdrawn_by_judging() -> None:
    scripted = ScriptedModel(host=[host("FINISH")], evaluator=[GOOD], usd=1.0)
    made = context(scripted, limits=Limits(usd=1.0))

    assert "limit of $1.00" in judged(made).evaluations[0].trouble
    assert len(scripted.requests) == 1


def test_a_round_that_was_left_open_is_not_judged() -> None:
    made = context(ScriptedModel(host("PENDING", questions=["Which?"])))

    assert judged(made).evaluations == ()
    assert events(made, Evaluated) == []


def test_without_a_picture_of_the_end_it_is_judged_by_the_others() -> None:
    class Blind(PaperDesk):
        async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
            if isinstance(subject, WholeDesktop) and self.looks > 5:
                raise DeviceError("nothing can be seen")
            return await super().observe(subject)

    made = context(model(GOOD), desk=Blind())
    assert judged(made).evaluations == (JUDGED,)


def test_a_cancelled_judgement_is_written_down_as_an_interrupted_session() -> None:
    class Waits(PaperDesk):
        async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
            await anyio.lowlevel.checkpoint()
            return await super().observe(subject)

    made = context(model(GOOD), desk=Waits())

    async def scene() -> None:
        with anyio.CancelScope() as scope:

            def stop(record: Record) -> None:
                if isinstance(record.event, RoundEnded):
                    scope.cancel()

            made.listeners.append(stop)
            running = session(made)
            running.evaluator = EvaluationAgent()
            await running.run()

    anyio.run(scene)
    assert [e.outcome for e in events(made, SessionEnded)] == [RunOutcome.INTERRUPTED]
    assert made.view.rounds[-1].outcome is RunOutcome.FINISHED


def test_the_page_shows_the_judgement_below_its_round(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    judged(context(model(GOOD), journal=journal))
    journal.close()

    page = write_page(tmp_path).read_text()

    assert page.rindex("it is done") < page.index("<b>Evaluated</b>") < page.rindex("it stands there")


def test_literal_says_that_it_cannot_judge(tmp_path: Path) -> None:
    done = deskhand("run", "press ok", "-c", "evaluate=true", home=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert "models.evaluator.model" in done.stderr
