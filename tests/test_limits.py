from __future__ import annotations

import anyio
import pytest

from deskhand.core.action import ActionResult
from deskhand.core.errors import DeviceLost, ModelBusy, UnreadableReply
from deskhand.core.event import ModelAsked, Noted, SessionEnded, StepStarted
from deskhand.core.message import BudgetPart, ModelRequest, Reply
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject
from deskhand.core.ports import Pictures
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.processors.context import Context
from deskhand.processors.limits import Limits
from deskhand.session.pool import SessionPool
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.paper import app, assign, click, context, events, host, one_subtask, session, write

NOTHING = app("CONTINUE", ("click", {"x": 1, "y": 40}))
"""A click that changes nothing."""


def run(made: Context) -> SessionResult:
    return anyio.run(session(made).run)


def test_steps_of_a_round_are_limited() -> None:
    made = context(ScriptedModel(*[host("CONTINUE", thought=str(i)) for i in range(9)]), limits=Limits(round_steps=4))

    result = run(made)

    assert (result.outcome, result.steps) == (RunOutcome.LIMIT, 4)
    assert "limits.round_steps" in (result.answer or "")


def test_steps_of_a_session_are_limited_over_its_rounds() -> None:
    user = ScriptedUser(requests=["a", "b", "c", "d"])
    made = context(
        ScriptedModel(*[host() for _ in range(9)]), limits=Limits(session_steps=3), mode=RunningMode.NORMAL, user=user
    )

    result = run(made)

    assert (result.outcome, result.steps, result.rounds) == (RunOutcome.LIMIT, 3, 4)


def test_rounds_are_limited() -> None:
    user = ScriptedUser(requests=["a", "b", "c"])
    made = context(
        ScriptedModel(*[host() for _ in range(9)]), limits=Limits(rounds=2), mode=RunningMode.NORMAL, user=user
    )

    assert (run(made).outcome, len(made.view.rounds)) == (RunOutcome.LIMIT, 2)


def test_money_is_limited() -> None:
    made = context(ScriptedModel(*[host("CONTINUE") for _ in range(9)], usd=0.4), limits=Limits(usd=1.0))

    result = run(made)

    assert (result.outcome, result.steps) == (RunOutcome.LIMIT, 3)
    assert result.cost_usd == pytest.approx(1.2)


def test_tokens_are_limited_over_all_models_of_a_session() -> None:
    made = context(ScriptedModel(*[host("CONTINUE") for _ in range(9)]), limits=Limits(tokens=6))  # two a call

    result = run(made)

    assert (result.outcome, result.model_calls, made.view.tokens) == (RunOutcome.LIMIT, 3, 6)
    assert "limits.tokens" in (result.answer or "")


def test_time_is_limited_in_the_middle_of_a_model_call() -> None:
    class Sleeps:
        name = "sleeps"

        async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
            await anyio.sleep_forever()
            raise AssertionError

    result = run(context(Sleeps(), limits=Limits(seconds=0.05)))

    assert result.outcome is RunOutcome.LIMIT
    assert result.seconds < 2


def test_a_step_that_raises_counts() -> None:
    made = context(ScriptedModel(*["not json" for _ in range(99)]), limits=Limits(round_steps=3))

    result = run(made)

    assert (result.outcome, result.steps) == (RunOutcome.LIMIT, 3)
    assert len(events(made, StepStarted)) == 3


def test_the_model_is_told_where_it_stands() -> None:
    model = one_subtask(app("CONTINUE", write("a")), app("FINISH"))
    run(context(model, limits=Limits(round_steps=12)))

    budgets = [p for r in model.requests for p in r.parts if isinstance(p, BudgetPart)]
    assert [(b.step, b.steps) for b in budgets] == [(1, 12), (3, 12), (4, 12), (6, 12)]


def test_an_unreadable_reply_is_asked_for_again_with_the_error_in_the_same_step() -> None:
    model = ScriptedModel("first", "second", host())
    result = run(context(model))

    assert (result.steps, result.model_calls) == (1, 3)
    assert "could not be read" in model.requests[1].model_dump_json()


def test_the_same_action_on_the_same_screen_gets_a_hint_and_then_ends_as_stuck() -> None:
    desk = PaperDesk(outcome=ActionResult(outcome="unverified"))
    model = one_subtask(*[app("CONTINUE", ("click", {"x": 1, "y": 40})) for _ in range(50)])
    made = context(model, desk=desk)

    result = run(made)

    assert result.outcome is RunOutcome.STUCK
    assert result.steps < 12
    assert any("did not change" in e.text for e in events(made, Noted))
    assert "did not change" in model.requests[4].model_dump_json()


def test_after_the_hint_the_backup_is_asked_and_then_the_round_ends_as_stuck() -> None:
    desk = PaperDesk(outcome=ActionResult(outcome="unverified"))
    first, backup = one_subtask(*[NOTHING] * 50), ScriptedModel(*[NOTHING] * 50)
    backup.name = "backup"
    made = context(first, desk=desk)
    made.backup = backup

    result = run(made)

    assert result.outcome is RunOutcome.STUCK
    hint = next(
        r.seq for r in made.journal.records() if isinstance(r.event, Noted) and "did not change" in r.event.text
    )
    asked = {r.seq: r.event.model for r in made.journal.records() if isinstance(r.event, ModelAsked)}
    assert all(model == "scripted" for seq, model in asked.items() if seq < hint)
    assert list(asked.values())[-2:] == ["backup", "backup"]
    assert "did not change" in backup.requests[0].model_dump_json()


def test_a_backup_that_finds_another_way_hands_back_to_the_model_it_stood_in_for() -> None:
    desk = PaperDesk()
    backup = ScriptedModel(app("CONTINUE", write("another way")))
    made = context(one_subtask(*[NOTHING] * 4, app("FINISH")), desk=desk)
    made.backup = backup

    assert run(made).outcome is RunOutcome.FINISHED
    assert (len(backup.requests), desk.windows[0].text) == (1, "another way")


def test_the_backup_does_not_stand_in_for_a_model_that_points() -> None:
    made = context(ScriptedModel())
    made.backup, made.stuck = ScriptedModel(), True

    assert made.model("app") is made.backup
    assert made.model("grounder") is not made.backup


@pytest.mark.parametrize("points", [[(1, 40), (50, 40)], [(1, 40), (3, 41), (2, 42)]], ids=["taking turns", "jittered"])
def test_taking_turns_and_trembling_are_seen_as_repeating(points: list[tuple[int, int]]) -> None:
    desk = PaperDesk(outcome=ActionResult(outcome="unverified"))
    clicks = [app("CONTINUE", ("click", dict(zip("xy", points[i % len(points)], strict=True)))) for i in range(50)]

    result = run(context(one_subtask(*clicks), desk=desk, limits=Limits(round_steps=45)))

    assert result.outcome is RunOutcome.STUCK
    assert result.steps < 25


def test_pressing_a_button_again_and_again_to_some_effect_is_not_stuck() -> None:
    desk = PaperDesk()
    model = one_subtask(*[app("CONTINUE", click("e101")) for _ in range(9)], app("FINISH"))

    assert run(context(model, desk=desk)).outcome is RunOutcome.FINISHED
    assert desk.windows[0].presses == 9


def test_waiting_is_not_stuck() -> None:
    model = one_subtask(*[app("CONTINUE", ("wait", {"seconds": 1})) for _ in range(9)], app("FINISH"))

    assert run(context(model)).outcome is RunOutcome.FINISHED


def test_trouble_with_the_model_is_an_error_with_its_reason() -> None:
    result = run(context(ScriptedModel(ModelBusy("the service is overloaded"))))

    assert (result.outcome, result.answer) == (RunOutcome.ERROR, "the service is overloaded")


def test_trouble_with_the_device_ends_the_session() -> None:
    class Dies(PaperDesk):
        async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
            raise DeviceLost("the display is gone")

    user = ScriptedUser(requests=["a", "b"])
    made = context(ScriptedModel(host()), desk=Dies(), mode=RunningMode.NORMAL, user=user)

    result = run(made)

    assert (result.outcome, result.answer, result.rounds) == (RunOutcome.ERROR, "the display is gone", 1)


def test_each_round_asks_for_the_next_request_until_there_is_none() -> None:
    user = ScriptedUser(requests=["first", "second"])
    made = context(ScriptedModel(host(), host("FAIL", "no")), mode=RunningMode.NORMAL, user=user)

    result = run(made)

    assert result.rounds == 2
    assert [r.outcome for r in made.view.rounds] == [RunOutcome.FINISHED, RunOutcome.FAILED]


def test_a_cancelled_session_is_written_down_as_interrupted() -> None:
    class Sleeps(PaperDesk):
        async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
            await anyio.sleep_forever()
            raise AssertionError

    made = context(ScriptedModel(host()), desk=Sleeps())

    async def scene() -> None:
        with anyio.move_on_after(0.05):
            await session(made).run()

    anyio.run(scene)
    assert [e.outcome for e in events(made, SessionEnded)] == [RunOutcome.INTERRUPTED]
    assert made.view.round is not None


def test_one_failing_session_does_not_stop_the_pool() -> None:
    good = context(ScriptedModel(host()))
    bad = context(ScriptedModel(UnreadableReply("?"), ModelBusy("down")))

    results = anyio.run(SessionPool([session(bad), session(good)]).run_all)

    assert [r.outcome for r in results if isinstance(r, SessionResult)] == [RunOutcome.ERROR, RunOutcome.FINISHED]


def test_a_host_that_assigns_to_nothing_for_ever_is_stuck() -> None:
    made = context(ScriptedModel(*[assign("nothing", str(i)) for i in range(40)]), limits=Limits(round_steps=20))

    assert run(made).outcome is RunOutcome.STUCK
