"""The same request several times, each on a desktop that is thrown away, and a judge that chooses."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import anyio
import pytest

from deskhand.batch.attempts import Attempts
from deskhand.batch.batch import MARK as MARK_OF_MANY
from deskhand.core.action import ActionResult
from deskhand.core.errors import ModelBusy, SettingsError
from deskhand.core.plan import Plan
from deskhand.core.status import RunOutcome
from deskhand.dialects.choosing import ChoiceReply
from deskhand.processors.limits import Limits
from deskhand.session.attempts import Chosen, Contender, choose
from deskhand.settings import Settings, load
from deskhand.testing import PaperDesk, ScriptedModel
from deskhand.testing.received import Received
from deskhand.testing.scripted import Line
from deskhand.testing.server import Answer, ScriptedServer, Stall
from tests.command import deskhand
from tests.paper import app, assign, click, context, host, session, write
from tests.running import commands

MARK = "Several agents were given the same request"


def contender(number: int, *steps: Line, end: str = "FINISH", desk: PaperDesk | None = None) -> Contender:
    made = context(ScriptedModel(host=[assign(), host(end, "done")], app=list(steps)), desk=desk or PaperDesk())
    result = anyio.run(session(made, "write hello").run)
    return Contender(number, result.outcome, made.view)


def chosen(contenders: list[Contender], *verdicts: Line, limits: Limits | None = None) -> tuple[Chosen, ScriptedModel]:
    made = context(model := ScriptedModel(evaluator=verdicts, usd=1.0), limits=limits or Limits())

    async def scene() -> Chosen:
        return await choose("write hello", contenders, made, ChoiceReply())

    return anyio.run(scene), model


def two() -> list[Contender]:
    vain = PaperDesk(outcome=ActionResult(outcome="unverified", text="nothing changed"))
    idle = contender(1, app("CONTINUE", click("e101")), app("FINISH"), desk=vain)
    return [idle, contender(2, app("CONTINUE", write("hello")), app("FINISH"))]


def verdict(best: object, complete: str = "yes", reason: str = "it was seen to be written") -> dict[str, object]:
    return {"reason": reason, "best": best, "complete": complete}


def test_the_judge_reads_what_each_did_and_its_choice_and_reason_stand() -> None:
    came, model = chosen([*two(), contender(3, app("FAIL"), end="FAIL")], "no object", verdict(3), verdict("2"))

    assert came == Chosen(
        attempt=2,
        why="it was seen to be written",
        by="judge",
        complete="yes",
        outcomes=(RunOutcome.FINISHED, RunOutcome.FINISHED, RunOutcome.FAILED),
    )
    first, second, third = (request.turns[0].text for request in model.requests)
    assert first.index("# Attempt 1") < first.index("unverified: nothing changed") < first.index("# Attempt 2")
    assert 'write(message="hello") -> done' in first
    assert "# Attempt 3" not in first  # it did not finish, so it is no choice
    assert "could not be read" in second
    assert "give the number of one attempt: 1, 2" in third


def test_without_a_choice_or_a_finished_one_nobody_is_asked() -> None:
    failed, idle = contender(1, app("FAIL"), end="FAIL"), two()[0]
    one, model = chosen([failed, idle._replace(number=2)])
    none, _ = chosen([failed, failed._replace(number=2, outcome=RunOutcome.NEEDS_USER)])

    assert (one.attempt, one.by, one.why, model.requests) == (2, "outcome", "only this one finished", [])
    assert (none.attempt, none.why) == (2, "no attempt finished; it ended as needs_user")


@pytest.mark.parametrize(
    ("verdicts", "trouble"),
    [([ModelBusy("the service is down")], "the service is down"), (["?", "?", "?"], "no judge: ")],
)
def test_where_the_judge_has_no_word_what_was_seen_to_work_decides(verdicts: list[Line], trouble: str) -> None:
    came, _ = chosen(two(), *verdicts)
    assert (came.attempt, came.by, came.complete) == (2, "journal", "")
    assert "of its 2 actions 100% were seen to work" in came.why
    assert trouble in came.why


def test_a_judge_may_spend_what_the_attempts_have_left_and_no_more() -> None:
    made = context(model := ScriptedModel(evaluator=[verdict(1)]), limits=Limits(usd=2.0))
    made.view.usd = 2.0
    contenders = two()

    async def scene() -> Chosen:
        return await choose("write hello", contenders, made, ChoiceReply())

    came = anyio.run(scene)
    assert (came.by, model.requests) == ("journal", [])
    assert "the limit of $2.00" in came.why


def test_limits_and_budgets_are_shared_and_steps_are_not() -> None:
    given = ["limits.usd=3", "limits.tokens=10", "limits.seconds=600", "models.default.budget_usd=1.5"]
    given += ["models.app.budget_tokens=2", "models.default.requests_per_minute=10", "limits.round_steps=7"]
    settings = load(given, {}, Path("/"))

    alone, together = settings.shared(3), settings.shared(3, 3)

    assert (alone.limits.usd, alone.limits.tokens, alone.limits.round_steps) == (1.0, 3, 7)
    assert (alone.limits.seconds, together.limits.seconds) == (200.0, 600.0)
    assert (alone.models["default"].budget_usd, alone.models["app"].budget_tokens) == (0.5, 1)
    assert alone.models["default"].requests_per_minute == 10
    assert together.models["default"].requests_per_minute == 3
    assert "budget_usd" not in alone.models["app"].model_fields_set  # so it still has that of all


JUDGE = "models.evaluator.model=vllm:m"


@pytest.mark.parametrize(
    ("options", "task", "number", "said"),
    [
        (["device=linux", JUDGE], "x", 2, "would all stay; --attempts needs a desktop for each that is thrown away"),
        (["device=linux:desktop=mine", JUDGE], "x", 2, "would all stay"),
        (["device=shell", JUDGE], "x", 2, "would all stay"),
        (["running_mode=normal", JUDGE], "x", 2, "the mode normal does not go with it"),
        (["running_mode=request", JUDGE], Plan(task="x", steps=("y",)), 2, "the mode request does not go with it"),
        ([], "x", 2, "need a model that can judge, and literal is none"),
        ([JUDGE], "x", 17, "from 2 to 16"),
        ([JUDGE], "x", 0, "from 2 to 16"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_begun(
    options: list[str], task: str | Plan, number: int, said: str, tmp_path: Path
) -> None:
    settings: Settings = load(options, {}, tmp_path)
    with pytest.raises(SettingsError, match=said):
        Attempts(task, number, tmp_path / "out", settings)
    assert not (tmp_path / "out").exists()


def test_many_runs_are_not_resumed_as_one(tmp_path: Path) -> None:
    (tmp_path / MARK_OF_MANY).write_text("{}")
    refused = deskhand("resume", str(tmp_path), home=tmp_path)
    assert (refused.returncode, "holds many runs; go on with the command" in refused.stderr) == (2, True)


class Minds:
    """In the first attempt it only says that it has written; in the second it hangs once, then writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hung = False

    def __call__(self, received: Received) -> Answer:
        text = received.text
        if MARK in text:
            right = "2" if 'write(message="hello")' in text.partition("# Attempt 2")[2] else "1"
            return json.dumps(verdict(int(right), reason="the picture shows it"))
        if "You are an app agent" not in text:
            return json.dumps(host("FINISH", "greeted") if "FINISH, " in text else assign("mousepad"))
        if not list(self.folder.glob("attempt-2*")) or "hello" in text:
            return json.dumps(app("FINISH", result="greeted"))
        if not self.hung:
            self.hung = True
            return Stall(headers=False)
        return json.dumps(app("CONTINUE", write("hello")))


def test_on_real_desktops_a_cut_off_attempt_goes_on_and_the_one_that_did_it_counts(tmp_path: Path) -> None:
    with ScriptedServer(always=Minds(tmp_path / "out")) as server, commands(tmp_path) as begin:
        options = ("--model", "vllm:m", "-c", f"models.default.base_url={server.url}", "--run-dir", "out")
        words = ("run", "Greet", "--attempts", "2", *options)
        running = begin(*words)
        server.wait_for(5, 40)  # host, app and host of the first; host and app of the second
        code, _, out, _ = running.ends(signal.SIGINT)
        assert (code, "go on with the same command and --run-dir" in out) == (130, True), out
        assert running.nothing_is_left()

        ended = deskhand(*words, "--json", home=tmp_path)
        asked = len(server.requests)
        again = deskhand(*words, home=tmp_path)

    said: dict[str, Any] = json.loads(ended.stdout)
    assert (ended.returncode, said["outcome"], said["answer"]) == (0, "finished", "greeted"), ended.stderr
    assert said["chosen"] == {"attempt": 2, "why": "the picture shows it", "by": "judge", "complete": "yes"}
    assert [one["outcome"] for one in said["attempts"]] == ["finished", "finished"]
    assert said["run_dir"] == said["attempts"][1]["run_dir"] != said["attempts"][0]["run_dir"]
    assert said["model_calls"] == len(server.requests)  # of all, the judge's among them
    judged = next(received for received in server.requests if MARK in received.text)
    assert len(judged.pictures) == 2
    assert len(server.requests) == asked  # what is over is not done, nor judged, again
    assert "attempt 2 counts (by the judge, complete yes): the picture shows it" in again.stdout
