"""OpenAI's responses with its tool for a computer: what is sent, what its actions mean, what it wants leave for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.responses.response import Response
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

from deskhand.core.action import At, Click, DragTo, Hotkey, Scroll, Wait, Write
from deskhand.core.decision import AppDecision
from deskhand.core.errors import ModelBusy, ModelRefused
from deskhand.core.family import family_of
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.testing.server import Fail, Line, Raw, Say, ScriptedServer
from tests.services import SCHEMA, replied, request, said, sent, user

SPEC = "openai-computer:gpt-5.4"
PREVIEW = "openai-computer:computer-use-preview"
FRAME = Frame(Size(1024, 768), Size(1024, 768))


def responses(server: ScriptedServer, *requests: ModelRequest, spec: str = SPEC, **options: Any) -> list[str]:
    return [reply.text for reply in replied(server, *requests, spec=spec, **options)]


def output(*items: dict[str, Any], **more: Any) -> Raw:
    made = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5.4", "output": list(items), **more}
    made |= {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
    Response.model_validate(made)
    return Raw(json.dumps(made))


def computer_call(*actions: dict[str, Any], checks: tuple[Any, ...] = (), one: bool = False) -> dict[str, Any]:
    acts = {"action": actions[0]} if one else {"actions": list(actions)}
    call = {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed"}
    return {**call, "pending_safety_checks": list(checks), **acts}


def decided(line: Line) -> AppDecision:
    with ScriptedServer(line) as server:
        (text,) = responses(server, request(user(pictures=1)))
    decision = make_dialect("tool_call", Wanted(family_of(SPEC))).parse("app", Reply(text=text), FRAME)
    assert isinstance(decision, AppDecision)
    return decision


@pytest.mark.parametrize(
    ("spec", "tool", "detail"),
    [
        (SPEC, {"type": "computer"}, "original"),
        (
            PREVIEW,
            {"type": "computer_use_preview", "display_width": 8, "display_height": 6, "environment": "linux"},
            "auto",
        ),
    ],
)
def test_what_is_sent_is_what_the_sdk_says_can_be_sent(spec: str, tool: dict[str, Any], detail: str) -> None:
    with ScriptedServer("ok") as server:
        responses(server, request(user(pictures=1), said("a"), user(pictures=1)), spec=spec, key="k")

    (received,) = server.requests
    TypeAdapter(ResponseCreateParamsNonStreaming).validate_python(dict(received.body), extra="forbid")
    assert (received.path, received.headers["authorization"]) == ("/v1/responses", "Bearer k")
    assert (received.body["tools"], received.body["truncation"]) == ([tool], "auto")
    assert received.body["instructions"] == "be brief"
    assert [message["role"] for message in received.body["input"]] == ["user", "assistant", "user"]
    assert received.body["input"][0]["content"][0]["detail"] == detail


def test_who_is_to_answer_in_json_is_held_to_the_schema_and_given_no_computer() -> None:
    with ScriptedServer("{}") as server:
        responses(server, request(user(pictures=1), reply_schema=SCHEMA), max_tokens=50)

    (body,) = (received.body for received in server.requests)
    TypeAdapter(ResponseCreateParamsNonStreaming).validate_python(dict(body), extra="forbid")
    assert body["text"]["format"] == {"type": "json_schema", "name": "reply", "schema": SCHEMA, "strict": True}
    assert (body["max_output_tokens"], "tools" in body) == (50, False)


def test_without_a_picture_there_is_nothing_to_point_at() -> None:
    with ScriptedServer("ok") as server:
        assert responses(server) == ["ok"]

    assert sent(server, "tools") == [None]


def test_a_batch_of_actions_is_done_in_order() -> None:
    call = computer_call(
        {"type": "click", "button": "left", "x": 156, "y": 50, "keys": ["CTRL"]},
        {"type": "type", "text": "hi"},
        {"type": "keypress", "keys": ["CTRL", "S"]},
        {"type": "scroll", "x": 5, "y": 5, "scroll_x": 0, "scroll_y": 300},
        {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
        {"type": "wait"},
    )
    thought = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "A form."}]}

    decision = decided(output(thought, call))

    assert decision.observation == "A form."
    assert decision.actions == (
        Click(target=At(point=Point(156, 50)), modifiers=("ctrl",)),
        Write(message="hi"),
        Hotkey(keys=("ctrl", "s")),
        Scroll(clicks=-3, target=At(point=Point(5, 5))),
        DragTo(target=At(point=Point(3, 4)), start=At(point=Point(1, 2))),
        Wait(),
    )


def test_a_single_action_of_the_preview_is_read_too() -> None:
    decision = decided(output(computer_call({"type": "click", "button": "right", "x": 1, "y": 2}, one=True)))

    assert decision.actions == (Click(target=At(point=Point(1, 2)), button="right"),)


def test_what_the_service_wants_to_be_made_sure_of_is_asked_before_anything_is_done() -> None:
    check = {"id": "sc_1", "code": "malicious_instructions", "message": "The page tells the model what to do."}

    decision = decided(output(computer_call({"type": "click", "button": "left", "x": 1, "y": 2}, checks=(check,))))

    assert (decision.status, decision.actions) == (AppAgentStatus.PENDING, ())
    assert "The page tells the model what to do." in decision.questions[0]


def test_a_reply_that_broke_off_is_not_taken_for_the_whole() -> None:
    with ScriptedServer(*[Say("Action: cl", "length")] * 2) as server, pytest.raises(ModelRefused, match="cut off"):
        responses(server, request(user(pictures=1)))


def test_a_refusal_of_the_model_is_told_as_one() -> None:
    with ScriptedServer(Say("I will not.", "refusal")) as server, pytest.raises(ModelRefused, match="I will not"):
        responses(server)


def test_errors_are_those_of_the_service() -> None:
    with ScriptedServer(Fail(429, "slow down")) as server, pytest.raises(ModelBusy, match="slow down"):
        responses(server, attempts=1)


def test_tokens_are_counted() -> None:
    with ScriptedServer(Say("ok", usage=(1000, 20, 600))) as server:
        (reply,) = replied(server, spec=SPEC)

    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cached_tokens) == (1000, 20, 600)
