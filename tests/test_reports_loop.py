"""Faults that users met in the loops of other systems, by the number of their report."""

from __future__ import annotations

import json
from collections.abc import Sequence

import anyio
import pytest

from deskhand.core.action import Action, ActionResult
from deskhand.core.event import ActionFinished, Noted
from deskhand.core.message import BudgetPart, HistoryPart, ModelRequest, NotesPart
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.native import NativeReply
from deskhand.processors.context import Context
from deskhand.processors.limits import Limits
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from deskhand.testing.scripted import Line
from tests.paper import app, click, context, events, host, one_subtask, session, write


def run(made: Context, request: str = "do it") -> SessionResult:
    return anyio.run(session(made, request).run)


def text_of(request: ModelRequest) -> str:
    return "\n".join(turn.text for turn in request.turns)


def at(x: int, y: int) -> Line:
    return app("CONTINUE", ("click", {"x": x, "y": y}))


STATIC = ActionResult(outcome="unverified", text="nothing on the screen has changed")


@pytest.mark.parametrize(
    "clicks",
    [[at(10, 40)], [at(10, 40), at(60, 40)], [at(10, 40), at(14, 43), at(7, 38)]],
    ids=["the same", "taking turns", "trembling"],
)
def test_r086_clicks_without_effect_get_a_hint_and_end_as_stuck(clicks: Sequence[Line]) -> None:
    model = one_subtask(*[clicks[i % len(clicks)] for i in range(60)])

    result = run(context(model, desk=PaperDesk(outcome=STATIC)))

    assert result.outcome is RunOutcome.STUCK
    assert result.steps < 30
    hinted = [i for i, r in enumerate(model.requests) if "the screen did not change" in text_of(r)]
    assert hinted[0] <= 3 * len(clicks) + 1  # the first request is the host's


@pytest.mark.parametrize("word", ["hello", "xasxasxas"])
def test_r087_small_talk_ends_in_a_question_and_touches_nothing(word: str) -> None:
    desk = PaperDesk()
    user = ScriptedUser()
    talk = ["Hello! How can I help you today?", "I am an assistant for your computer."]
    model = ScriptedModel(*talk, host("PENDING", questions=["What shall I do?"]))

    result = run(context(model, desk=desk, user=user), word)

    assert (result.outcome, result.answer) == (RunOutcome.NEEDS_USER, "What shall I do?")
    assert user.asked == ["What shall I do?"]
    assert (desk.done, result.model_calls) == ([], 3)


def test_r087_endless_small_talk_is_cut_short_however_it_varies() -> None:
    desk = PaperDesk()
    chatter = ScriptedModel(*[f"Nice to meet you, for the {number}th time!" for number in range(200)])

    result = run(context(chatter, desk=desk), "hello")

    assert (result.outcome, desk.done) == (RunOutcome.STUCK, [])
    assert result.model_calls <= 18


def test_r088_the_same_failure_again_and_again_ends_with_what_it_said() -> None:
    broken = ActionResult(outcome="failed", text="exit code 1: no such file")
    model = one_subtask(*[app("CONTINUE", click("e101")) for _ in range(50)])

    result = run(context(model, desk=PaperDesk(outcome=broken)))

    assert result.outcome is RunOutcome.STUCK
    assert "exit code 1: no such file" in (result.answer or "")
    assert result.model_calls < 10


@pytest.mark.parametrize(
    "said",
    [
        {"status": "FINISH"},
        {"status": "finish "},
        {"status": "Finished."},
        'All done.\n```json\n{"status": "FINISH", "result": "x"}\n```',
        '{"thought": "done", "status": "DONE", "action": []}',
    ],
)
def test_r089_a_finish_ends_the_run_at_once_however_it_is_spelled(said: Line) -> None:
    model = ScriptedModel(host("CONTINUE"), host("CONTINUE"), said, *[host("CONTINUE") for _ in range(50)])

    result = run(context(model, limits=Limits(round_steps=50)))

    assert (result.outcome, result.steps, result.model_calls) == (RunOutcome.FINISHED, 3, 3)


@pytest.mark.parametrize("dialect", [JsonReply(), NativeReply()], ids=lambda d: d.name)
def test_r095_every_request_says_how_many_steps_are_left_and_the_last_ones_ask_to_come_to_an_end(
    dialect: JsonReply | NativeReply,
) -> None:
    model = one_subtask(*[app("CONTINUE", write(str(i))) for i in range(20)])
    made = context(model, limits=Limits(round_steps=8))
    run(made)

    asked = [dialect.compose(r.role, r.parts) for r in model.requests]
    assert len(asked) == 7  # assigning takes a step without a request
    for request, number in zip(asked, (1, 3, 4, 5, 6, 7, 8), strict=True):
        assert f"This is step {number} of at most 8." in text_of(request)
        assert ("Come to an end" in text_of(request)) == (number >= 7)


def test_r095_the_steps_of_the_session_count_where_they_are_fewer() -> None:
    user = ScriptedUser(requests=["a", "b"])
    model = ScriptedModel(*[host("CONTINUE", thought=str(i)) for i in range(4)], host(), *[host("CONTINUE")] * 9)
    limits = Limits(round_steps=20, session_steps=8)

    result = run(context(model, limits=limits, mode=RunningMode.NORMAL, user=user))

    assert (result.outcome, result.steps) == (RunOutcome.LIMIT, 8)
    budgets = [p for r in model.requests for p in r.parts if isinstance(p, BudgetPart)]
    assert [(b.step, b.steps) for b in budgets][4:] == [(5, 8), (1, 3), (2, 3), (3, 3)]


RESULTS = [
    ActionResult(outcome="done", text="seen"),
    ActionResult(outcome="unverified", text="sent"),
    ActionResult(outcome="failed", text="missed"),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: r.outcome)
def test_r157_an_outcome_passes_through_all_layers_as_it_is(result: ActionResult) -> None:
    desk = PaperDesk(outcome=result)
    model = one_subtask(app("CONTINUE", click("e101")), app("FINISH"))
    made = context(model, desk=desk)
    run(made)

    logged = [r for r in made.journal.records() if isinstance(r.event, ActionFinished)][-1]
    assert json.loads(logged.model_dump_json())["event"]["result"]["outcome"] == result.outcome
    history = next(p for p in model.requests[2].parts if isinstance(p, HistoryPart))
    assert history.steps[-1].results == (result,)
    for dialect in (JsonReply(), NativeReply()):
        told = text_of(dialect.compose("app", model.requests[2].parts))
        others = {"done", "unverified", "failed"} - {result.outcome}
        assert dialect.name == "native" or f"{result.outcome}: {result.text}" in told
        assert not any(f"{other}: {result.text}" in told for other in others)


def carried_out(*actions: tuple[str, dict[str, object]], typed: ActionResult) -> tuple[list[str], Context]:
    """Do actions in one step on a desk where what is written comes to `typed`; give what came to the desk."""

    class Desk(PaperDesk):
        async def perform(self, action: Action, window: str = "") -> ActionResult:
            result = await super().perform(action, window)
            return typed if action.kind == "write" else result

    desk = Desk()
    made = context(one_subtask(app("CONTINUE", *actions), app("FINISH")), desk=desk)
    run(made)
    return [a.kind for a in desk.done if a.kind != "open_app"], made


RETURN: tuple[str, dict[str, object]] = ("press", {"keys": ["Return"]})


@pytest.mark.parametrize("enter", [RETURN, ("hotkey", {"args": ["enter"]})], ids=["press", "hotkey"])
def test_r047_return_is_not_pressed_on_text_of_which_nobody_knows_whether_it_arrived(
    enter: tuple[str, dict[str, object]],
) -> None:
    done, made = carried_out(write("x"), enter, typed=RESULTS[1])

    assert done == ["write"]
    assert any("not pressed" in note.text for note in events(made, Noted))
    assert carried_out(write("x"), enter, typed=RESULTS[2])[0] == ["write"]
    assert carried_out(write("x"), enter, typed=RESULTS[0])[0] == ["write", enter[0]]
    assert carried_out(write("x"), ("press", {"keys": ["Tab"]}), typed=RESULTS[1])[0] == ["write", "press"]


def test_r047_what_was_held_back_can_be_done_after_a_look() -> None:
    user = ScriptedUser(confirms=[True])
    desk = PaperDesk()
    password = ActionResult(outcome="unverified", text="a password cannot be read back")
    model = one_subtask(app("CONFIRM", write("x"), RETURN), app("CONTINUE", RETURN), app("FINISH"))
    desk.outcome = password
    made = context(model, desk=desk, user=user)

    assert run(made).outcome is RunOutcome.FINISHED
    assert [a.kind for a in desk.done if a.kind != "open_app"] == ["write", "press"]
    notes = [n for p in model.requests[2].parts if isinstance(p, NotesPart) for n in p.notes]
    assert any("not pressed" in note for note in notes)


def test_r020_a_shortcut_without_effect_gets_a_hint_and_another_way_ends_the_run_well() -> None:
    desk = PaperDesk()
    repeated = [app("CONTINUE", ("hotkey", {"args": ["cmd", "space"]})) for _ in range(4)]
    model = one_subtask(*repeated, app("CONTINUE", write("x")), app("FINISH"))

    class Same(PaperDesk):
        async def perform(self, action: Action, window: str = "") -> ActionResult:
            return STATIC if action.kind == "hotkey" else await desk.perform(action, window)

        observe = desk.observe

    result = run(context(model, desk=Same()))

    assert (result.outcome, desk.windows[0].text) == (RunOutcome.FINISHED, "x")
    assert "nothing on the screen has changed" in text_of(model.requests[2])
    assert "Do it another way" in text_of(model.requests[4])
