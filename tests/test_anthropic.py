from __future__ import annotations

import json
from typing import Any

import pytest

from deskhand.core.errors import ModelBusy, ModelRefused
from deskhand.core.message import ModelRequest
from deskhand.testing.server import Fail, Raw, Received, Say, ScriptedServer
from tests.sdk import check_sent
from tests.services import ELEMENTS, SCHEMA, at_most, replied, request, said, sent, user

SPEC = "anthropic:claude-x"


REFUSAL = {
    "content": [],
    "stop_reason": "refusal",
    "stop_details": {"type": "refusal", "category": "cyber", "explanation": "This could do harm."},
}


def messages(server: ScriptedServer, *requests: ModelRequest, **options: Any) -> list[str]:
    return [reply.text for reply in replied(server, *requests, spec=SPEC, **options)]


def marked(received: Received) -> list[str]:
    """Give the texts of blocks that are to be kept."""
    body = received.body
    blocks = [*body["system"], *(block for message in body["messages"] for block in message["content"])]
    return [block.get("text", "picture") for block in blocks if "cache_control" in block]


def test_what_is_sent_is_what_the_sdk_says_can_be_sent() -> None:
    asked = request(user(pictures=2, cache=True), said("a "), user(), reply_schema=SCHEMA)
    with ScriptedServer("ok") as server:
        messages(server, asked, key="k")

    body = server.requests[0].body
    check_sent(dict(body), "anthropic.types.message_create_params:MessageCreateParamsNonStreaming")
    assert (body["max_tokens"], "temperature" in body) == (8192, False)
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}
    assert server.requests[0].headers["authorization"] == "Bearer k"


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/messages"])
def test_every_form_of_the_base_url_works(end: str) -> None:
    with ScriptedServer("ok") as server:
        messages(server, base_url=server.root + end)

    assert [r.path for r in server.requests] == ["/v1/messages"]


def test_what_stays_the_same_is_marked_for_keeping() -> None:
    turns = [user(f"step {i}", pictures=i, cache=i < 3) for i in range(4)]
    with ScriptedServer("ok") as server:
        messages(server, request(turns[0], said("a"), turns[1], said("b"), turns[2], said("c"), turns[3]))

    assert marked(server.requests[0]) == ["be brief", "step 0", "step 1", "step 2"]


def test_only_the_last_marks_are_sent_as_the_service_takes_four() -> None:
    turns = [turn for i in range(9) for turn in (user(f"step {i}", cache=True), said("a"))]
    with ScriptedServer("ok") as server:
        messages(server, request(*turns))

    assert marked(server.requests[0]) == ["be brief", "step 6", "step 7", "step 8"]


def test_a_mark_keeps_its_place_when_a_speaker_goes_on() -> None:
    with ScriptedServer("ok", "ok") as server:
        messages(server, request(user("old", cache=True), user("new")), request(user("new")))

    assert [marked(r) for r in server.requests] == [["be brief", "old"], []]


def test_the_user_speaks_first() -> None:
    with ScriptedServer("ok") as server:
        messages(server, request(said("earlier"), user()))

    assert [m["role"] for m in server.requests[0].body["messages"]] == ["user", "assistant", "user"]


def test_a_call_is_read_as_text_and_thinking_is_not() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "so:"},
        {"type": "tool_use", "id": "1", "name": "click", "input": {"x": 1}},
    ]
    with ScriptedServer(Raw(json.dumps({"content": blocks, "stop_reason": "tool_use"}))) as server:
        assert messages(server) == ['so:\n<tool_call>\n{"name": "click", "arguments": {"x": 1}}\n</tool_call>']


def test_what_was_kept_costs_less() -> None:
    prices = {"input": 10, "output": 50, "cached": 1}
    with ScriptedServer(Say("ok", usage=(1_000_000, 100_000, 900_000))) as server:
        [reply] = replied(server, spec=SPEC, prices=prices)

    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1_000_000, 100_000)
    assert reply.usage.usd == pytest.approx(1.0 + 0.9 + 5.0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Say("no.", finish="refusal"), "the model declined: 'no.'"),
        (Raw(json.dumps(REFUSAL)), "the model declined: 'This could do harm.'"),
        (
            Fail(401, "invalid x-api-key", code="authentication_error"),
            "set the key with -c models.default.key_variable=NAME",
        ),
        (Fail(400, "prompt is too long: 250000 tokens > 200000 maximum"), "longer than the model takes"),
        (Fail(400, "Your credit balance is too low to access the Anthropic API."), "no credit left"),
    ],
)
def test_each_refusal_says_what_it_is(answer: Any, message: str) -> None:
    with ScriptedServer(answer) as server, pytest.raises(ModelRefused, match=message):
        messages(server)


def test_an_overloaded_service_is_tried_again() -> None:
    with ScriptedServer(Fail(529, "Overloaded", code="overloaded_error", headers={"retry-after": "0"}), "ok") as server:
        assert messages(server) == ["ok"]

    with ScriptedServer(always=Say("")) as server, pytest.raises(ModelBusy, match="an empty reply"):
        messages(server, attempts=2)


@pytest.mark.parametrize(
    ("message", "limit"),
    [
        ("max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens", 4096),
        ("input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000", 2000),
    ],
)
def test_the_longest_reply_is_what_the_service_allows(message: str, limit: int) -> None:
    def rule(received: Received) -> Fail | None:
        return Fail(400, message) if received.body["max_tokens"] > limit else None

    with ScriptedServer(always="ok", rules=[rule]) as server:
        messages(server, request(), request())

    assert sent(server, "max_tokens") == [8192, limit, limit]


def test_schemas_and_pictures_that_are_refused_are_left_out() -> None:
    def rule(received: Received) -> Fail | None:
        return Fail(400, "output_config: Extra inputs are not permitted") if "output_config" in received.body else None

    asked = request(user(pictures=5), parts=(ELEMENTS,), reply_schema=SCHEMA)
    with ScriptedServer(always="{}", rules=[rule, at_most(3, "too many images and documents: 5 + 0 > 3")]) as server:
        messages(server, asked, asked)

    assert ["output_config" in r.body for r in server.requests] == [True, False, False, False]
    assert [len(r.pictures) for r in server.requests] == [5, 5, 3, 3]


def test_what_the_environment_tells_the_sdk_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "of-the-environment")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-more: of-the-environment")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with ScriptedServer("ok") as server:
        messages(server)

    assert "of-the-environment" not in str(server.requests[0].headers)
