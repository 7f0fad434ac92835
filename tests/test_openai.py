from __future__ import annotations

import json
from typing import Any

import pytest

from deskhand.core.errors import ContractError, ModelBusy, ModelRefused
from deskhand.core.geometry import Box, Size
from deskhand.core.message import ApplicationsPart, Part, Turn, WindowsPart
from deskhand.core.observation import Application, Window
from deskhand.models.endpoint import endpoint
from deskhand.testing.server import Fail, Raw, Received, Say, ScriptedServer
from tests.sdk import check_sent
from tests.services import (
    ELEMENTS,
    SCHEMA,
    ask,
    at_most,
    model_at,
    picture,
    replied,
    request,
    said,
    sent,
    user,
    without,
)


def test_what_is_sent_is_what_the_sdk_says_can_be_sent() -> None:
    with ScriptedServer("ok") as server:
        replied(server, request(user(pictures=2), said("a"), user()), max_tokens=5, extra={"seed": 3})

    body = server.requests[0].body
    check_sent(dict(body), "openai.types.chat.completion_create_params:CompletionCreateParamsNonStreaming")
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0.0, 5, 3)


def test_pictures_come_before_their_text_and_only_as_pictures() -> None:
    turn = Turn(
        speaker="user", text="naïve 你好 😀 \ud800", pictures=(picture(1, Size(30, 20)), picture(2, kind="jpeg"))
    )
    with ScriptedServer("ok") as server:
        replied(server, request(turn))

    got = server.requests[0]
    assert [part["type"] for part in got.body["messages"][1]["content"]] == ["image_url", "image_url", "text"]
    assert [p.size for p in got.pictures] == [Size(30, 20), Size(8, 6)]
    assert got.texts == ("be brief", "naïve 你好 😀 �")


def test_a_message_without_pictures_is_one_text() -> None:
    with ScriptedServer("ok") as server:
        replied(server, request(user("a"), said("b"), user("c")))

    assert [m["content"] for m in server.requests[0].body["messages"]] == ["be brief", "a", "b", "c"]


def test_speakers_take_turns_and_nothing_empty_is_sent() -> None:
    with ScriptedServer("ok") as server:
        replied(server, request(user("a"), user("b"), said("  "), user(""), said("c"), system=""))

    messages = [(m["role"], m["content"]) for m in server.requests[0].body["messages"]]
    assert messages == [("user", "a\n\nb"), ("assistant", "c")]


@pytest.mark.parametrize("turns", [(), (user(""),)])
def test_a_request_without_turns_is_not_sent(turns: tuple[Turn, ...]) -> None:
    with ScriptedServer() as server, pytest.raises(ContractError, match="planner has no turns"):
        replied(server, request().model_copy(update={"turns": turns}))

    assert server.requests == []


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/"])
def test_r098_every_form_of_the_base_url_works(end: str) -> None:
    with ScriptedServer("ok") as server:
        replied(server, base_url=server.root + end)

    assert [r.path for r in server.requests] == ["/v1/chat/completions"]


@pytest.mark.parametrize("mount", ["/proxy", "/proxy/v1", "/api/v3", ""])
def test_r098_a_gateway_is_found_with_or_without_v1(mount: str) -> None:
    with ScriptedServer("ok", "ok", mount=mount) as server:
        replied(server, request(), request(), base_url=server.root + mount.removesuffix("/v1"))

    assert [r.path for r in server.requests] == [f"{mount}/chat/completions"] * 2


@pytest.mark.parametrize(
    "end", ["", "/", "/openai", "/openai/", "/openai/deployments/gpt-x/chat/completions?api-version=2024-06-01"]
)
def test_r096_every_form_of_an_azure_url_works(end: str) -> None:
    with ScriptedServer("ok", mount="/openai/deployments/gpt-x", key="secret-key") as server:
        options = {"key": "secret-key", "api_version": "2024-06-01"}
        replied(server, spec="azure:gpt-x", base_url=server.root + end, **options)

    [got] = server.requests
    assert got.query == {"api-version": "2024-06-01"}
    assert "authorization" not in got.headers


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://x.openai.azure.com", "https://x.openai.azure.com/openai/deployments/m"),
        ("https://x.openai.azure.com/openai/v1/", "https://x.openai.azure.com/openai/v1"),
        ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
    ],
)
def test_the_urls_of_well_known_services_are_read(url: str, base: str) -> None:
    assert endpoint(url, "m").bases[0] == base


def test_r098_a_server_that_is_only_greeted_at_its_root_is_no_riddle() -> None:
    with ScriptedServer(mount="/elsewhere") as server, pytest.raises(ModelRefused) as caught:
        replied(server, base_url=server.root)

    assert f"{server.root}/v1/chat/completions: answers 404" in str(caught.value)
    assert "see whether base_url" in str(caught.value)


def test_a_reply_that_is_told_in_parts_or_as_a_call_is_read_as_text() -> None:
    call = {"function": {"name": "click", "arguments": '{"x": 50, "y": 60}'}}
    parts = [{"type": "text", "text": "thus:"}, {"type": "thinking", "thinking": "hm"}]
    message = {"role": "assistant", "content": parts, "tool_calls": [call]}
    with ScriptedServer(Raw(json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}))) as server:
        [reply] = replied(server)

    expected = 'thus:\n<tool_call>\n{"name": "click", "arguments": {"x": 50, "y": 60}}\n</tool_call>'
    assert reply.text == expected


def test_the_reply_is_held_to_its_schema() -> None:
    with ScriptedServer("{}", "{}") as server:
        replied(server, request(reply_schema=SCHEMA), request(reply_schema={"type": "object"}))

    [strict, loose] = [f["json_schema"] for f in sent(server, "response_format")]
    assert (strict["schema"], strict["strict"], "strict" in loose) == (SCHEMA, True, False)


def test_no_schema_is_sent_when_the_settings_say_so() -> None:
    with ScriptedServer("{}") as server:
        replied(server, request(reply_schema=SCHEMA), structured=False)

    assert sent(server, "response_format") == [None]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("response_format", "response_format is not supported"),
        ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model."),
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ("seed", "Unrecognized request argument supplied: seed"),
    ],
)
def test_a_field_that_is_refused_is_dropped_once_and_for_all(
    field: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    asked = request(reply_schema=SCHEMA)
    with ScriptedServer(always="{}", rules=[without(field, message)]) as server:
        replied(server, asked, asked, extra={"seed": 1}, max_tokens=9)

    assert [field in r.body for r in server.requests] == [True, False, False]
    assert len(caplog.records) == 1
    assert message[:20] not in server.requests[-1].text


def test_a_server_without_schemas_is_asked_for_an_object_when_it_takes_that() -> None:
    def rule(received: Received) -> Fail | None:
        wanted = received.body.get("response_format", {}).get("type")
        return Fail(400, "json_schema is unavailable, use json_object") if wanted == "json_schema" else None

    with ScriptedServer(always="{}", rules=[rule]) as server:
        replied(server, request(reply_schema=SCHEMA), request(reply_schema=SCHEMA))

    assert [f["type"] for f in sent(server, "response_format")] == ["json_schema", "json_object", "json_object"]


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize(
    "message",
    ["At most {} image(s) may be provided in one request.", "too many images in the request", "max images: {}, got 7"],
)
def test_no_more_pictures_are_sent_than_the_server_takes(most: int, message: str) -> None:
    asked = request(*[user(f"step {i}", pictures=1) for i in range(7)], parts=(ELEMENTS,))
    with ScriptedServer(always="ok", rules=[at_most(most, message.format(most))]) as server:
        replied(server, *[asked] * 12)

    numbers = [len(r.pictures) for r in server.requests]
    assert numbers[-12:] == [numbers[-1]] * 12
    assert most / 2 <= numbers[-1] <= most
    assert "step 0" in server.requests[-1].text
    assert server.requests[-1].pictures[-1].data == server.requests[0].pictures[-1].data


TEXT_ONLY = [
    Fail(400, "content must be string"),
    Fail(422, "messages[1]: unknown variant `image_url`, expected `text` at line 1"),
    Fail(400, "x is not a multimodal model"),
    Fail(500, "image input is not supported - hint: you may need to provide the mmproj"),
    Fail(404, "No endpoints found that support image input"),
    Fail(400, "At most 0 image(s) may be provided in one request."),
]


@pytest.mark.parametrize("refusal", TEXT_ONLY, ids=lambda f: f.message[:24])
def test_r098_a_model_that_sees_nothing_goes_on_by_the_elements(
    refusal: Fail, caplog: pytest.LogCaptureFixture
) -> None:
    asked = request(user(pictures=1), parts=(ELEMENTS,))
    with ScriptedServer(always="ok", rules=[lambda r: refusal if r.pictures else None]) as server:
        replied(server, asked, asked)

    assert [len(r.pictures) for r in server.requests] == [1, 0, 0]
    assert "takes no pictures" in caplog.text
    assert all(isinstance(m["content"], str) for m in server.requests[-1].body["messages"])


@pytest.mark.parametrize(("role", "parts"), [("grounder", (ELEMENTS,)), ("app", ())])
def test_nobody_acts_blind(role: str, parts: tuple[Any, ...]) -> None:
    asked = request(user(pictures=1), role=role, parts=parts)
    with ScriptedServer(always="ok", rules=[at_most(0, "content must be string")]) as server:
        with pytest.raises(ModelRefused, match="takes no pictures"):
            replied(server, asked)
        with pytest.raises(ModelRefused, match=rf"models\.{role}\.model"):
            replied(server, asked, images=0)

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "part",
    [
        ApplicationsPart(applications=(Application(id="ed", name="Editor"),)),
        WindowsPart(windows=(Window(id="w", title="t", box=Box(0, 0, 9, 9)),)),
    ],
    ids=lambda part: part.part,
)
def test_a_planner_without_pictures_goes_by_what_it_can_start_or_bring_up(part: Part) -> None:
    with ScriptedServer(always="ok") as server:
        replied(server, request(user(pictures=1), role="planner", parts=(part,)), images=0)

    assert [len(r.pictures) for r in server.requests] == [0]


def test_a_refused_system_message_becomes_the_beginning_of_the_first_turn() -> None:
    def rule(received: Received) -> Fail | None:
        system = received.body["messages"][0]["role"] == "system"
        return Fail(400, "System role not supported") if system else None

    with ScriptedServer(always="ok", rules=[rule]) as server:
        replied(server, request(), request())

    assert [r.body["messages"][0]["content"] for r in server.requests[1:]] == ["be brief\n\nwhat now?"] * 2


@pytest.mark.parametrize(
    "message",
    ["image dimensions exceed max allowed size: 8000 pixels", "image exceeds 5 MB maximum", "invalid image data"],
)
def test_a_refusal_of_one_picture_is_none_of_their_number(message: str) -> None:
    asked = request(user(pictures=3), parts=(ELEMENTS,))
    with ScriptedServer(always=Fail(400, message)) as server, pytest.raises(ModelRefused, match=message):
        replied(server, asked)

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Say("I cannot help with that.", finish="refusal"), "the model declined: 'I cannot help with that.'"),
        (Say("half a", finish="filter"), "a content filter of the service withheld the reply"),
        (Fail(400, "triggering Azure's content management policy", code="content_filter"), "content filter"),
        (Fail(400, "This model's maximum context length is 4096 tokens."), "longer than the model takes"),
        (Fail(429, "You exceeded your current quota", code="insufficient_quota"), "no credit left"),
        (Fail(402, "pay first"), "no credit left"),
        (Fail(404, "The model `m` does not exist"), "name of the model"),
        (Raw("", 307, headers={"location": "http://127.0.0.1:9/v1"}), "set base_url to where it redirects"),
    ],
)
def test_each_refusal_says_what_it_is_and_is_not_tried_again(answer: Any, message: str) -> None:
    with ScriptedServer(answer) as server, pytest.raises(ModelRefused) as caught:
        replied(server)

    assert message in str(caught.value)
    assert str(caught.value).startswith(f"planner: openai:m at {server.url}/chat/completions: ")


def test_a_reply_that_is_cut_off_is_asked_for_again_in_short() -> None:
    with ScriptedServer(Say("half a", finish="length", usage=(5, 7, 0)), "whole") as server:
        [reply] = replied(server)

    assert reply.text == "whole"
    assert "cut off" in server.requests[1].texts[-1]
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (105, 17)


def test_a_reply_that_is_cut_off_twice_names_the_setting() -> None:
    long = Say("half a", finish="length")
    with ScriptedServer(long, long) as server, pytest.raises(ModelRefused, match=r"raise models\.planner\.max_tokens"):
        replied(server)


def test_a_wrong_key_is_told_without_telling_the_key() -> None:
    with ScriptedServer(key="right-key-0001") as server, pytest.raises(ModelRefused) as caught:
        replied(server, key="wrong-key-0002")

    assert "401: Incorrect API key provided: Bearer ...0002" in str(caught.value)
    assert "wrong-key" not in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [
        Raw('{"choices": []}'),
        Say(""),
        Say(None),
        Raw(""),
        Raw("<html><body>Welcome</body></html>", media_type="text/html"),
        Raw('{"error": {"message": "overloaded", "code": 503}}'),
        Raw("[]"),
    ],
    ids=["no choices", "empty", "null", "no body", "page", "error with 200", "a list"],
)
def test_an_empty_or_garbled_reply_is_tried_again(bad: Any) -> None:
    with ScriptedServer("fine", bad, "click(x=1, y=2)") as server:
        assert [r.text for r in replied(server, request(), request())] == ["fine", "click(x=1, y=2)"]

    assert len(server.requests) == 3


def test_a_service_that_never_says_anything_readable_is_quoted() -> None:
    with ScriptedServer(always=Raw("<h1>Sign in</h1>")) as server, pytest.raises(ModelBusy, match="'Sign in'"):
        replied(server, attempts=2)


def test_connections_are_kept_and_closed() -> None:
    with ScriptedServer("a", "b", Fail(400, "no"), always="c") as server:
        model = model_at(server)
        ask(model, request(), request())
        with pytest.raises(ModelRefused):
            ask(model)
        ask(model)

    assert [r.connection for r in server.requests] == [1, 1, 2, 3]


def test_what_the_environment_tells_the_sdk_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-more: of-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ScriptedServer("ok") as server:
        replied(server)

    assert "of-the-environment" not in str(server.requests[0].headers)
    assert "authorization" not in server.requests[0].headers
