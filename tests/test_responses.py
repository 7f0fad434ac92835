"""OpenAI's responses with its tool for a computer: what is sent, what its actions mean, what it wants leave for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deskhand.core.action import At, Click, DragTo, Hotkey, Scroll, Wait, Write
from deskhand.core.decision import AppDecision
from deskhand.core.errors import ModelBusy, ModelError, ModelRefused, UnreadableReply
from deskhand.core.family import family_of
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.message import Answers, CameOf, ModelRequest, Reply, ToolSpec, Turn, Verbatim
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.actions import spell
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.testing.server import Fail, Line, Raw, Say, ScriptedServer
from tests.sdk import check_sent, sdk
from tests.services import SCHEMA, replied, request, said, sent, user

SPEC = "openai-computer:gpt-5.4"
REQUEST = "openai.types.responses.response_create_params:ResponseCreateParamsNonStreaming"
SCREENSHOT = "openai.types.conversations.computer_screenshot_content:ComputerScreenshotContent"
PREVIEW = "openai-computer:computer-use-preview"
FUNCTIONS = (ToolSpec(name="call_user", description="Ask.", arguments={"type": "object", "properties": {}}),)
FRAME = Frame(Size(1024, 768), Size(1024, 768))


def responses(server: ScriptedServer, *requests: ModelRequest, spec: str = SPEC, **options: Any) -> list[str]:
    return [reply.text for reply in replied(server, *requests, spec=spec, **options)]


def output(*items: dict[str, Any], **more: Any) -> Raw:
    made = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5.4", "output": list(items), **more}
    made |= {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
    sdk("openai.types.responses.response:Response").validate_python(made)
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
        asked = request(user(pictures=1), said("a"), user(pictures=1), platform="linux", functions=FUNCTIONS)
        responses(server, asked, spec=spec, key="k")

    (received,) = server.requests
    check_sent(dict(received.body), REQUEST)
    assert (received.path, received.headers["authorization"]) == ("/v1/responses", "Bearer k")
    assert (received.body["tools"][0], received.body["truncation"]) == (tool, "auto")
    assert [function["name"] for function in received.body["tools"][1:]] == ["call_user"]
    assert (received.body["store"], received.body["include"]) == (False, ["reasoning.encrypted_content"])
    assert received.body["instructions"] == "be brief"
    assert [message["role"] for message in received.body["input"]] == ["user", "assistant", "user"]
    assert received.body["input"][0]["content"][0]["detail"] == detail


def test_who_is_to_answer_in_json_is_held_to_the_schema_and_given_no_computer() -> None:
    with ScriptedServer("{}") as server:
        responses(server, request(user(pictures=1), reply_schema=SCHEMA), max_tokens=50)

    (body,) = (received.body for received in server.requests)
    check_sent(dict(body), REQUEST)
    assert body["text"]["format"] == {"type": "json_schema", "name": "reply", "schema": SCHEMA, "strict": True}
    assert (body["max_output_tokens"], "tools" in body) == (50, False)


def test_without_a_picture_there_is_nothing_to_point_at() -> None:
    with ScriptedServer("ok") as server:
        assert responses(server, request(platform="linux")) == ["ok"]

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


AT = {"x": 156, "y": 50}


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        ({"type": "click", "button": "left", **AT}, "click(x=156, y=50)"),
        ({"type": "click", "button": "wheel", **AT}, 'click(x=156, y=50, button="middle")'),
        ({"type": "click", "button": "back", **AT}, 'click(x=156, y=50, button="back")'),
        ({"type": "double_click", "keys": None, **AT}, "doubleClick(x=156, y=50)"),
        ({"type": "double_click", "keys": ["SHIFT"], **AT}, 'click(x=156, y=50, clicks=2, modifiers=["shift"])'),
        ({"type": "move", "keys": None, **AT}, "moveTo(x=156, y=50)"),
        ({"type": "drag", "path": [AT, {"x": 9, "y": 9}], "keys": []}, "dragTo(x=9, y=9, start=(156, 50))"),
        ({"type": "keypress", "keys": ["CTRL", "C"]}, 'hotkey("ctrl", "c")'),
        ({"type": "keypress", "keys": ["ENTER"]}, 'press(keys="enter")'),
        ({"type": "screenshot"}, "wait(seconds=1.0)"),
        ({"type": "scroll", "scroll_x": 0, "scroll_y": 300, **AT}, "scroll(x=156, y=50, clicks=-3)"),
        ({"type": "scroll", "scroll_x": -240, "scroll_y": 0, **AT}, "scroll(x=156, y=50, right=-2)"),
        ({"type": "type", "text": "naïve"}, 'write(message="naïve")'),
        ({"type": "wait"}, "wait()"),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
@pytest.mark.parametrize("one", [True, False], ids=["alone", "in a batch"])
def test_every_action_means_the_same_alone_and_in_a_batch(action: dict[str, Any], meant: str, one: bool) -> None:
    """2.2 OpenAI: actions; 2.0: scrolling down is down."""
    decision = decided(output(computer_call(action, one=one)))

    assert "; ".join(map(spell, decision.actions)) == meant


FOREIGN = {
    "nvidia's post on gpt-5.4": (
        {
            "type": "computer_call",
            "call_id": "call_abc123",
            "actions": [
                {"type": "screenshot"},
                {"type": "click", "button": "left", "x": 405, "y": 157},
                {"type": "type", "text": "NVIDIA Nemotron"},
            ],
        },
        'wait(seconds=1.0); click(x=405, y=157); write(message="NVIDIA Nemotron")',
        (),
    ),
    "zhivex's contract": (
        {
            "type": "computer_call",
            "id": "item-1",
            "call_id": "call-1",
            "actions": [{"type": "click", "x": 1, "y": 2, "button": "left"}, {"type": "screenshot"}],
            "pending_safety_checks": [{"id": "safety-1", "code": "irreversible", "message": "Confirm this effect."}],
        },
        "click(x=1, y=2); wait(seconds=1.0)",
        ("irreversible: Confirm this effect.",),
    ),
    "smg's shape of the preview": (
        {
            "type": "computer_call",
            "id": "cc_1",
            "call_id": "call_1",
            "action": {"type": "screenshot"},
            "status": "completed",
            "pending_safety_checks": [],
        },
        "wait(seconds=1.0)",
        (),
    ),
}
"""Samples that are not ours: of a post, of another client's contract, of a gateway's tests."""


@pytest.mark.parametrize("where", FOREIGN)
def test_what_others_saw_of_it_is_read(where: str) -> None:
    call, actions, checks = FOREIGN[where]
    with ScriptedServer(Raw(json.dumps({"output": [call]}))) as server:
        (reply,) = replied(server, request(user(pictures=1)), spec=SPEC)
    decision = make_dialect("tool_call", Wanted(family_of(SPEC))).parse("app", reply, FRAME)

    assert isinstance(decision, AppDecision)
    assert "; ".join(map(spell, decision.actions)) == actions
    assert [check in told for check, told in zip(checks, reply.checks, strict=True)] == [True] * len(checks)


def test_a_single_action_of_the_preview_is_read_too() -> None:
    decision = decided(output(computer_call({"type": "click", "button": "right", "x": 1, "y": 2}, one=True)))

    assert decision.actions == (Click(target=At(point=Point(1, 2)), button="right"),)


CLICK = {"type": "click", "button": "left", "x": 1, "y": 2}
CHECK = {"id": "sc_1", "code": "malicious_instructions", "message": "The page tells the model what to do."}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAAB"}
ASKED = {"type": "function_call", "id": "fc_1", "call_id": "call_9", "name": "call_user", "status": "completed"}
ASKED |= {"arguments": '{"question": "Which?"}'}
DONE, FAILED = CameOf(text="done: seen"), CameOf(text="failed: it is gone", outcome="failed")


def returned(*items: dict[str, Any], shown: int = 1, **answers: Any) -> list[dict[str, Any]]:
    """Say again what was said and what came of it, and give the input that makes of it."""
    told = Turn(speaker="assistant", text="(in words)", verbatim=Verbatim(by=SPEC, pieces=items))
    now = user("(all in words)", pictures=shown).model_copy(update={"answers": Answers(**answers)})
    with ScriptedServer("ok") as server:
        responses(server, request(user(pictures=1), told, now, platform="linux"))
    (body,) = (received.body for received in server.requests)
    # The SDK has the detail of a screenshot where it is read, and forgot it where it is sent.
    plain = json.loads(json.dumps(body))
    for item in plain["input"]:
        if isinstance(item.get("output"), dict):
            check_sent(item["output"], SCREENSHOT)
            del item["output"]["detail"]
    check_sent(plain, REQUEST)
    sent_back: list[dict[str, Any]] = body["input"][1:]
    return sent_back


def test_a_reply_goes_back_as_it_came_and_each_of_its_calls_is_answered() -> None:
    call = computer_call(CLICK, {"type": "wait"})

    *items, shown, asked = returned(THOUGHT, call, ASKED, calls=(DONE, DONE, CameOf(text="blue")))

    assert items == [THOUGHT, call, ASKED]
    assert (shown["type"], shown["call_id"]) == ("computer_call_output", "call_1")
    assert (shown["output"]["type"], shown["output"]["detail"]) == ("computer_screenshot", "original")
    assert "acknowledged_safety_checks" not in shown
    assert asked == {"type": "function_call_output", "call_id": "call_9", "output": "blue"}


def test_what_else_is_to_be_said_follows_the_answers() -> None:
    *_, shown, told = returned(computer_call(CLICK, CLICK), calls=(DONE, FAILED), besides="The user said: blue.")

    assert shown["type"] == "computer_call_output"
    assert told == {"role": "user", "content": "Of your actions:\n- failed: it is gone\n\nThe user said: blue."}


def test_a_check_is_acknowledged_with_the_leave_of_the_user_and_never_without() -> None:
    call = computer_call(CLICK, checks=(CHECK,))

    *_, shown = returned(call, calls=(DONE,), leave=True)
    words = returned(call, calls=(CameOf(text="not done", outcome="not done"),))

    assert shown["acknowledged_safety_checks"] == [CHECK]
    assert [item.get("role") for item in words] == ["assistant", "user"]
    assert "not done" in str(words[-1]["content"])


def test_a_call_whose_picture_is_not_shown_any_more_is_told_in_words() -> None:
    assert [item.get("role") for item in returned(THOUGHT, computer_call(CLICK), shown=0, calls=(DONE,))] == [
        "assistant",
        "user",
    ]


def test_what_another_model_said_is_told_in_words() -> None:
    told = Turn(speaker="assistant", text="(in words)", verbatim=Verbatim(by="another", pieces=(THOUGHT,)))
    now = user("(all in words)", pictures=1).model_copy(update={"answers": Answers(calls=(DONE,))})
    with ScriptedServer("ok") as server:
        responses(server, request(user(pictures=1), told, now, platform="linux"))

    assert ["(in words)" in server.requests[0].texts, "(all in words)" in server.requests[0].texts] == [True, True]


def test_what_the_service_wants_to_be_made_sure_of_is_told_apart_from_what_the_model_says() -> None:
    with ScriptedServer(output(THOUGHT, computer_call(CLICK, checks=(CHECK,)))) as server:
        (reply,) = replied(server, request(user(pictures=1)), spec=SPEC)

    assert reply.checks == (
        "the model's service asks you to look first (malicious_instructions: The page tells the model what to do.)",
    )
    assert reply.verbatim == Verbatim(by=SPEC, pieces=(THOUGHT, computer_call(CLICK, checks=(CHECK,))))


@pytest.mark.parametrize(
    ("ended", "message"),
    [
        ({"incomplete_details": {"reason": "max_output_tokens"}}, "was cut off twice"),
        ({"incomplete_details": {"reason": "content_filter"}}, "content filter"),
        ({"incomplete_details": None}, "incomplete: no reason is given"),
        ({"incomplete_details": {"reason": "max_tool_calls"}}, "incomplete: max_tool_calls"),
    ],
)
def test_nothing_is_done_of_a_response_that_is_incomplete_and_it_is_said_why(
    ended: dict[str, Any], message: str
) -> None:
    """2.2 OpenAI: `incomplete`."""
    broken = Raw(json.dumps({"status": "incomplete", "output": [THOUGHT, computer_call(CLICK)], **ended}))

    with ScriptedServer(always=broken) as server, pytest.raises(ModelError, match=message):
        responses(server, request(user(pictures=1)), attempts=1)


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "computer_call", "actions": [CLICK]},
        {"type": "computer_call", "call_id": "c", "actions": "click"},
        {"type": "computer_call", "call_id": "c", "actions": []},
        {"type": "computer_call", "call_id": "c", "actions": [{"x": 1}]},
        {"type": "computer_call", "call_id": "c", "actions": [CLICK], "status": "in_progress"},
        {"type": "computer_call", "call_id": "c", "actions": [CLICK], "pending_safety_checks": "yes"},
        {"type": "function_call", "call_id": "c", "arguments": "{}"},
    ],
)
def test_a_call_that_cannot_be_answered_is_asked_for_again(broken: dict[str, Any]) -> None:
    with ScriptedServer(Raw(json.dumps({"output": [broken]})), always=Raw('{"output": []}')) as server:
        with pytest.raises(ModelBusy, match="an empty reply"):
            responses(server, request(user(pictures=1)), attempts=2)
        assert len(server.requests) == 2


def test_a_text_without_a_call_ends_the_task_and_is_its_result() -> None:
    part = {"type": "output_text", "text": "The sum is 42.", "annotations": []}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}

    decision = decided(output(message))

    assert (decision.status, decision.result, decision.actions) == (AppAgentStatus.FINISH, "The sum is 42.", ())


def test_a_thought_alone_is_no_decision() -> None:
    """2.6: an empty message with only reasoning."""
    summary = {**THOUGHT, "summary": [{"type": "summary_text", "text": "Hm."}]}

    with pytest.raises(UnreadableReply, match="no action"):
        decided(output(summary))


def test_a_reply_that_broke_off_is_not_taken_for_the_whole() -> None:
    with ScriptedServer(*[Say("Action: cl", "length")] * 2) as server, pytest.raises(ModelRefused, match="cut off"):
        responses(server, request(user(pictures=1)))


def test_a_refusal_of_the_model_is_told_as_one() -> None:
    with ScriptedServer(Say("I will not.", "refusal")) as server, pytest.raises(ModelRefused, match="I will not"):
        responses(server)


def test_a_model_that_seals_no_thoughts_is_not_asked_for_them_again() -> None:
    refused = Fail(400, "Encrypted content is not supported with this model.", param="include")
    asked = request(user(pictures=1), platform="linux")
    with ScriptedServer(refused, always="ok") as server:
        assert responses(server, asked, asked) == ["ok", "ok"]

    assert sent(server, "include") == [["reasoning.encrypted_content"], None, None]


def test_errors_are_those_of_the_service() -> None:
    with ScriptedServer(Fail(429, "slow down")) as server, pytest.raises(ModelBusy, match="slow down"):
        responses(server, attempts=1)


def test_tokens_are_counted() -> None:
    with ScriptedServer(Say("ok", usage=(1000, 20, 600))) as server:
        (reply,) = replied(server, spec=SPEC)

    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cached_tokens) == (1000, 20, 600)
