"""What an agent is told after a step that changed nothing, where that is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.action import ActionResult
from deskhand.core.errors import ModelBusy, SettingsError
from deskhand.core.event import Noted
from deskhand.core.message import ModelRequest
from deskhand.core.status import RunOutcome
from deskhand.dialects.reflection import ReflectionReply
from deskhand.processors.context import Context
from deskhand.processors.limits import Limits
from deskhand.processors.reflection import Reflection
from deskhand.session.session import SessionResult
from deskhand.settings import load
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from deskhand.testing.received import Received
from deskhand.testing.server import ScriptedServer
from tests.paper import app, assign, click, context, events, host, session, write

VAIN = ActionResult(outcome="unverified", text="sent, but nothing on the screen has changed")
MARK = "Nothing on the screen has changed since you did this"


def run(made: Context, reflection: Reflection | None) -> SessionResult:
    made.chosen = (reflection,) if reflection is not None else ()
    return anyio.run(session(made).run)


def notes(made: Context) -> list[str]:
    return [event.text for event in events(made, Noted) if event.text.startswith(MARK)]


def prompt(request: ModelRequest) -> str:
    return request.turns[-1].text


def one_in_vain(**roles: list[object]) -> ScriptedModel:
    steps = [app("CONTINUE", click("e101")), app("CONTINUE", click("e100")), app("FINISH")]
    return ScriptedModel(host=[assign(), host()], app=steps, **roles)  # type: ignore[arg-type]  # lines of any kind


def test_a_step_that_changed_nothing_is_named_in_the_next_prompt_and_later_ones_with_it() -> None:
    made = context(model := one_in_vain(), desk=PaperDesk(outcome=VAIN))

    assert run(made, Reflection()).outcome is RunOutcome.FINISHED

    first, second, third = (request for request in model.requests if request.role == "app")
    assert MARK not in prompt(first)
    assert f"{MARK}: click on button 'OK'. Say to yourself why" in prompt(second)
    assert f"{MARK}: click on textbox 'Text'; before that: click on button 'OK'. " in prompt(third)


def test_what_was_done_once_the_user_agreed_counts_too() -> None:
    steps = [app("CONFIRM", click("e101")), app("FINISH")]
    model, user = ScriptedModel(host=[assign(), host()], app=steps), ScriptedUser(confirms=[True])
    made = context(model, desk=PaperDesk(outcome=VAIN), user=user)
    run(made, Reflection())
    assert [note.partition(". ")[0] for note in notes(made)] == [f"{MARK}: click on button 'OK'"]


def test_without_the_choice_nothing_is_said() -> None:
    made = context(one_in_vain(), desk=PaperDesk(outcome=VAIN))
    run(made, None)
    assert notes(made) == []


@pytest.mark.parametrize(
    ("outcome", "act"),
    [
        (None, click("e101")),  # which works
        (ActionResult(outcome="done", text="seen"), click("e101")),  # as its result says, though nobody sees it
        (VAIN, ("wait", {"seconds": 0.01})),  # which is meant to change nothing
    ],
)
def test_a_step_that_did_something_or_waited_is_no_reason(outcome: ActionResult | None, act: object) -> None:
    steps = [app("CONTINUE", act), app("FINISH")]  # type: ignore[arg-type]  # a pair
    made = context(ScriptedModel(host=[assign(), host()], app=steps), desk=PaperDesk(outcome=outcome))
    run(made, Reflection())
    assert notes(made) == []


def test_a_model_that_is_asked_why_sees_the_steps_and_its_answer_goes_along() -> None:
    model = one_in_vain(evaluator=["<think>hm</think> It is\ndisabled.", ModelBusy("no time")])
    made = context(model, desk=PaperDesk(outcome=VAIN))

    assert run(made, Reflection(ReflectionReply())).outcome is RunOutcome.FINISHED

    asked = [request for request in model.requests if request.role == "evaluator"]
    assert "look over the shoulder" in asked[0].system
    assert 'click(element="e101") -> unverified' in prompt(asked[0])
    assert len(asked[0].turns[0].pictures) == 1
    first, second = notes(made)
    assert first.endswith("click on button 'OK'. Somebody who looked at it says: \"It is disabled.\"")
    assert "Say to yourself why" in second
    assert second.endswith("(Nobody else could be asked: no time)")


def test_a_reflecting_model_is_not_asked_beyond_the_limit_of_money() -> None:
    steps = [app("CONTINUE", click("e101")), app("FINISH")]
    model = ScriptedModel(host=[assign(), host()], app=steps, evaluator=["why"], usd=0.5)
    made = context(model, desk=PaperDesk(outcome=VAIN), limits=Limits(usd=1.0))

    assert run(made, Reflection(ReflectionReply())).outcome is RunOutcome.LIMIT
    assert [request.role for request in model.requests] == ["host", "app"]


def test_a_model_that_reflects_must_be_able_to() -> None:
    async def scene() -> None:
        settings = load(["reflection=model"], {}, Path("/"))
        async with deskhand.open_session("press ok", settings=settings):
            raise AssertionError("it was opened")

    with pytest.raises(SettingsError, match="reflection=model needs a model that can judge"):
        anyio.run(scene)


def test_on_a_real_application_a_key_without_effect_is_reflected_on_over_http(tmp_path: Path) -> None:
    def mind(received: Received) -> str:
        said = received.text
        if "look over the shoulder" in said:
            return "The key F7 has no meaning there: write instead."
        if "You are an app agent" not in said:
            return json.dumps(host("FINISH") if "written" in said else assign("mousepad", "greet"))
        if MARK in said:
            return json.dumps(app("CONTINUE", write("hello")))
        if "hello" in said:
            return json.dumps(app("FINISH", result="written"))
        return json.dumps(app("CONTINUE", ("press", {"keys": ["f7"]})))

    server = ScriptedServer(always=mind)
    with server:
        options = ["device=linux:virtual,size=1024x768", "reflection=model", f"models.default.base_url={server.url}"]
        settings = load([*options, "model=vllm:m", "limits.round_steps=8"], {}, tmp_path)
        result = anyio.run(lambda: deskhand.run("Greet", settings=settings, run_dir=tmp_path / "run"))

    told = [received for received in server.requests if MARK in received.text]
    assert result.outcome is RunOutcome.FINISHED, result
    assert len(told) == 1  # not again after what worked
    assert "The key F7 has no meaning there: write instead." in told[0].text
