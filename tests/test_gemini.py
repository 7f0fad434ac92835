"""Gemini's own form with its tool for a computer: what is sent, what its calls mean, what it wants leave for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deskhand.core.decision import AppDecision
from deskhand.core.errors import ModelBusy, ModelRefused, SettingsError
from deskhand.core.family import family_of
from deskhand.core.geometry import Frame, Size
from deskhand.core.message import Answers, CameOf, ModelRequest, Reply, ToolSpec, Turn, Verbatim
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.actions import spell
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.models.factory import url_of
from deskhand.models.options import ModelSettings
from deskhand.testing.server import Act, Fail, Line, Raw, Received, Say, ScriptedServer
from tests.gemini_schema import Request
from tests.services import SCHEMA, model_at, replied, request, said, user

NEW, EARLY = "gemini-computer:gemini-3.5-flash", "gemini-computer:gemini-2.5-computer-use-preview-10-2025"
FRAME = Frame(Size(1920, 1080), Size(1920, 1080))
SIGNED = {"functionCall": {"id": "a", "name": "click", "args": {"x": 1, "y": 2}}, "thoughtSignature": "c2VhbGVk"}
PLAIN = {"functionCall": {"name": "type", "args": {"text": "hi"}}}
ASK = (ToolSpec(name="call_user", description="Ask.", arguments={"type": "object", "properties": {}}),)


def asked(server: ScriptedServer, *requests: ModelRequest, spec: str = NEW, **options: Any) -> list[Reply]:
    return replied(server, *requests, spec=spec, **options)


def body_of(*turns: Turn, spec: str = NEW, **more: Any) -> dict[str, Any]:
    """Send a request, and give it as it arrived."""
    with ScriptedServer("ok") as server:
        asked(server, request(*turns, **more), spec=spec)
    body = dict(server.requests[0].body)
    Request.model_validate(body)
    return body


def answer(*parts: dict[str, Any], **more: Any) -> Raw:
    return Raw(json.dumps({"candidates": [{"content": {"role": "model", "parts": list(parts)}, **more}]}))


def decided(*calls: tuple[str, dict[str, Any]], text: str = "") -> AppDecision:
    words: list[dict[str, Any]] = [{"text": text}] if text else []
    parts = [*words, *({"functionCall": {"name": name, "args": args}} for name, args in calls)]
    with ScriptedServer(answer(*parts)) as server:
        (reply,) = asked(server, request(user(pictures=1)))
    decision = make_dialect("tool_call", Wanted(family_of(NEW))).parse("app", reply, FRAME)
    assert isinstance(decision, AppDecision)
    return decision


BUTTONS, PAGES = (
    ["mouse_down", "mouse_up"],
    ["open_web_browser", "search", "navigate", "go_back", "go_forward"],
)


@pytest.mark.parametrize(
    ("spec", "platform", "environment", "left_out"),
    [
        (NEW, "linux", "DESKTOP", BUTTONS),
        (NEW, "web", "BROWSER", BUTTONS),
        (NEW, "android", "MOBILE", ["list_apps"]),
        (EARLY, "web", "BROWSER", None),
        (EARLY, "linux", "BROWSER", PAGES),
        ("gemini-computer:gemini-3-flash-preview", "linux", "BROWSER", PAGES),
        ("gemini-computer:gemini-3.1-pro-preview", "linux", "BROWSER", PAGES),
    ],
)
def test_the_tool_is_declared_for_what_it_is_used_on(
    spec: str, platform: str, environment: str, left_out: list[str] | None
) -> None:
    """2.2 Gemini: the tool."""
    body = body_of(user(pictures=1), spec=spec, platform=platform, functions=ASK)

    tool = body["tools"][0]["computerUse"]
    assert (tool["environment"], tool.get("excludedPredefinedFunctions")) == (f"ENVIRONMENT_{environment}", left_out)
    assert [one["name"] for one in body["tools"][1]["functionDeclarations"]] == ["call_user"]
    assert body["generationConfig"]["thinkingConfig"] == {"includeThoughts": True}


def test_a_plain_request_has_its_place_for_everything() -> None:
    turns = (user(pictures=1), said("a"), user("b"))
    with ScriptedServer("{}") as server:
        asked(server, request(*turns, reply_schema=SCHEMA, stop=("END",)), key="k", max_tokens=50, temperature=0.5)

    (received,) = server.requests
    body = received.body
    Request.model_validate(dict(body))
    assert received.path == "/v1/models/gemini-3.5-flash:generateContent"
    assert (received.headers["x-goog-api-key"], received.headers.get("authorization")) == ("k", None)
    assert body["systemInstruction"] == {"parts": [{"text": "be brief"}]}
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user"]
    assert body["generationConfig"] == {
        "temperature": 0.5,
        "maxOutputTokens": 50,
        "stopSequences": ["END"],
        "responseMimeType": "application/json",
        "responseJsonSchema": SCHEMA,
    }
    assert "tools" not in body


@pytest.mark.parametrize(
    "end", ["", "/", "/v1beta", "/v1beta/", "/v1beta/models", "/v1beta/models/gemini-3.5-flash:generateContent"]
)
def test_every_form_of_the_base_url_works(end: str) -> None:
    with ScriptedServer("ok", mount="/v1beta") as server:
        asked(server, base_url=server.root + end)

    assert [r.path for r in server.requests] == ["/v1beta/models/gemini-3.5-flash:generateContent"]


def test_without_a_base_url_it_is_the_public_service_which_needs_a_key() -> None:
    where = url_of(ModelSettings(model=NEW, key="k"))

    assert where == "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:generateContent"
    with pytest.raises(SettingsError, match="needs a key"), ScriptedServer() as server:
        model_at(server, NEW, base_url="")


def returned(*parts: dict[str, Any], shown: int = 1, **answers: Any) -> list[dict[str, Any]]:
    """Say again what was said and what came of it, and give the contents that makes of it."""
    told = Turn(speaker="assistant", text="(in words)", verbatim=Verbatim(by=NEW, pieces=parts))
    now = user("(all in words)", pictures=shown).model_copy(update={"answers": Answers(**answers)})
    contents: list[dict[str, Any]] = body_of(user(pictures=1), told, now, platform="linux")["contents"]
    return contents[1:]


def test_a_reply_goes_back_as_it_came_and_each_of_its_calls_is_answered_in_order() -> None:
    """2.2 Gemini: feed."""
    thought = {"text": "Hm.", "thought": True}
    gone = CameOf(text="failed: it is gone", outcome="failed")

    model, now = returned(thought, SIGNED, PLAIN, calls=(CameOf(text="done: seen"), gone), besides="Step 2.")

    assert model == {"role": "model", "parts": [thought, SIGNED, PLAIN]}
    first, second, words = now["parts"]
    assert first["functionResponse"] == {"id": "a", "name": "click", "response": {"output": "done: seen", "url": ""}}
    assert second["functionResponse"]["name"] == "type"
    assert second["functionResponse"]["response"] == {"error": "failed: it is gone", "url": ""}
    (picture,) = second["functionResponse"]["parts"]
    assert picture["inlineData"]["mimeType"] == "image/png"
    assert words == {"text": "Step 2."}


def test_an_old_picture_goes_and_the_calls_stay() -> None:
    model, now = returned(SIGNED, shown=0, calls=(CameOf(text="done"),))

    assert model["parts"] == [SIGNED]
    assert "parts" not in now["parts"][0]["functionResponse"]


GUARDED = {"decision": "require_confirmation", "explanation": "It accepts terms."}


def test_a_safety_decision_is_put_to_the_user_and_no_part_of_the_call() -> None:
    """2.2 Gemini: safety."""
    args = {"x": 500, "y": 500, "safety_decision": GUARDED}
    with ScriptedServer(answer({"functionCall": {"name": "click_at", "args": args}})) as server:
        (reply,) = asked(server, request(user(pictures=1)), spec=EARLY)

    assert reply.checks == ("the model's service asks you to look first (It accepts terms.)",)
    assert reply.text == '<tool_call>\n{"name": "click_at", "arguments": {"x": 500, "y": 500}}\n</tool_call>'
    assert reply.verbatim is not None
    assert reply.verbatim.pieces[0]["functionCall"]["args"]["safety_decision"] == GUARDED


@pytest.mark.parametrize(("leave", "acknowledged"), [(True, "true"), (False, None)])
def test_it_is_acknowledged_with_the_leave_of_the_user_and_never_without(leave: bool, acknowledged: str | None) -> None:
    """2.2 Gemini: safety."""
    call = {"functionCall": {"name": "click_at", "args": {"x": 1, "y": 2, "safety_decision": GUARDED}}}
    came = CameOf(text="done") if leave else CameOf(text="not done", outcome="not done")

    _, now = returned(call, PLAIN, calls=(came, CameOf(text="done")), leave=leave)

    first, second = (part["functionResponse"]["response"] for part in now["parts"])
    assert first.get("safety_acknowledgement") == acknowledged
    assert "safety_acknowledgement" not in second


def test_what_is_regular_is_not_asked_about() -> None:
    args = {"x": 1, "y": 2, "safety_decision": {"decision": "regular"}}
    with ScriptedServer(answer({"functionCall": {"name": "click_at", "args": args}})) as server:
        (reply,) = asked(server, request(user(pictures=1)), spec=EARLY)

    assert reply.checks == ()


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        (("click", {"x": 500, "y": 500, "intent": "open it"}), "click(x=960, y=540)"),
        (
            ("type_text_at", {"x": 500, "y": 250, "text": "hi"}),
            'write(x=960, y=270, message="hi", replace=True); press(keys="enter")',
        ),
        (
            ("drag_and_drop", {"x": 100, "y": 100, "destination_x": 500, "destination_y": 500}),
            "dragTo(x=960, y=540, start=(192, 108))",
        ),
        (("scroll_at", {"x": 500, "y": 500, "direction": "down", "magnitude": 300}), "scroll(x=960, y=540, clicks=-3)"),
        (("key_combination", {"keys": "control+c"}), 'hotkey("control", "c")'),
        (("open_app", {"app_name": "mousepad"}), 'open_app(app_name="mousepad")'),
        (("take_screenshot", {}), "wait(seconds=1.0)"),
        (("long_press", {"x": 500, "y": 500}), "long_press(x=960, y=540, duration=2.0)"),
        (("scroll", {"x": 500, "y": 500, "direction": "up"}), "scroll(x=960, y=540, clicks=3)"),
        (("wait", {"intent": "It loads."}), "wait(seconds=1.0)"),
        (("wait_5_seconds", {}), "wait(seconds=5.0)"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_calls_mean_what_they_say(call: tuple[str, dict[str, Any]], actions: str) -> None:
    """2.0 and 2.2 Gemini; both sets of functions are in tests/cases/families.jsonl, too."""
    assert "; ".join(map(spell, decided(call).actions)) == actions


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ({"name": "open_web_browser", "args": {}}, "wait(seconds=1.0)"),
        ({"name": "go_back", "args": {}}, "go_backward()"),
        ({"name": "go_forward", "args": {}}, "go_forward()"),
        ({"name": "search", "args": {}}, 'open_url(url="https://www.google.com")'),
        (
            {"name": "navigate", "args": {"url": "https://www.wikipedia.org"}},
            'open_url(url="https://www.wikipedia.org")',
        ),
        ({"name": "click_at", "args": {"y": 300, "x": 500}}, "click(x=960, y=324)"),
        ({"name": "hover_at", "args": {"y": 150, "x": 250}}, "moveTo(x=480, y=162)"),
        (
            {"name": "type_text_at", "args": {"y": 250, "x": 400, "text": "search", "press_enter": False}},
            'write(x=768, y=270, message="search", replace=True)',
        ),
        ({"name": "key_combination", "args": {"keys": "Control+A"}}, 'hotkey("control", "a")'),
        ({"name": "scroll_document", "args": {"direction": "down"}}, "scroll(clicks=-5)"),
        ({"name": "scroll_at", "args": {"y": 500, "x": 500, "direction": "down"}}, "scroll(x=960, y=540, clicks=-7)"),
        (
            {"name": "drag_and_drop", "args": {"y": 100, "destination_y": 500, "destination_x": 500, "x": 100}},
            "dragTo(x=960, y=540, start=(192, 108))",
        ),
        ({"name": "click_at", "args": {"x": 60, "y": 100, "safety_decision": GUARDED}}, "click(x=115, y=108)"),
    ],
    ids=lambda value: value["name"] if isinstance(value, dict) else "",
)
def test_the_examples_of_its_reference_are_read(call: dict[str, Any], actions: str) -> None:
    """Samples of Google's page on computer use, of 2026-07-30: legacy actions, and the one with a decision."""
    assert "; ".join(map(spell, decided((call["name"], call["args"])).actions)) == actions


def test_a_phone_is_not_told_twice_how_to_open_an_application() -> None:
    more = ToolSpec(name="open_app", description="Start.", arguments={"type": "object", "properties": {}})
    tools = body_of(user(pictures=1), platform="android", functions=(*ASK, more))["tools"]

    assert [one["name"] for one in tools[1]["functionDeclarations"]] == ["call_user"]


def test_what_it_says_beside_a_call_is_its_thought() -> None:
    decision = decided(("click", {"x": 1, "y": 1}), text="Press it.")

    assert (decision.thought, decision.status) == ("Press it.", AppAgentStatus.CONTINUE)


def test_words_alone_end_the_task() -> None:
    decision = decided(text="The sum is 42.")

    assert (decision.status, decision.result) == (AppAgentStatus.FINISH, "The sum is 42.")


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        (Say("x", "filter"), ModelRefused, r"withheld the reply \(SAFETY\)"),
        (Raw('{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}'), ModelRefused, "PROHIBITED_CONTENT"),
        (Say("x", "length"), ModelRefused, "cut off twice"),
        (answer(finishReason="MALFORMED_FUNCTION_CALL", finishMessage="bad call"), ModelBusy, "CALL: bad call"),
        (answer(finishReason="MISSING_THOUGHT_SIGNATURE"), ModelBusy, "MISSING_THOUGHT_SIGNATURE"),
        (Raw("{}"), ModelBusy, "no `candidates`"),
        (answer({"functionCall": {"args": {"x": 1}}}), ModelBusy, "has no name"),
        (Fail(400, "API key not valid.", code="INVALID_ARGUMENT"), ModelRefused, "API key not valid"),
        (Fail(429, "slow down"), ModelBusy, "slow down"),
    ],
)
def test_each_ending_is_told_as_what_it_is(line: Line, error: type[Exception], message: str) -> None:
    with ScriptedServer(always=line) as server, pytest.raises(error, match=message):
        asked(server, attempts=1)


def test_a_schema_that_is_refused_is_left_out_and_the_conversation_never() -> None:
    def rule(received: Received) -> Fail | None:
        wrong = "Invalid value at 'contents[0]': generation_config.response_json_schema has too many states"
        return Fail(400, wrong) if "responseJsonSchema" in received.body["generationConfig"] else None

    with ScriptedServer(always="{}", rules=[rule]) as server:
        asked(server, *[request(reply_schema=SCHEMA)] * 2)

    told = [sorted(received.body["generationConfig"]) for received in server.requests]
    assert told == [["responseJsonSchema", "responseMimeType"], [], []]
    assert all(received.body["contents"] for received in server.requests)


def test_tokens_are_counted_those_of_thoughts_among_them() -> None:
    counts = {"promptTokenCount": 1000, "candidatesTokenCount": 20, "thoughtsTokenCount": 5}
    counts["cachedContentTokenCount"] = 600
    body = {"candidates": [{"content": {"parts": [{"text": "ok"}]}}], "usageMetadata": counts}
    with ScriptedServer(Raw(json.dumps(body))) as server:
        (reply,) = asked(server)

    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cached_tokens) == (1000, 25, 600)


def test_the_double_itself_wants_signatures_back_unchanged() -> None:
    with ScriptedServer(Act(({"name": "click", "args": {"x": 1, "y": 1}},)), "ok") as server:
        (reply,) = asked(server, request(user(pictures=1), platform="linux"))
        assert reply.verbatim is not None
        (part,) = reply.verbatim.pieces
        changed = Verbatim(by=NEW, pieces=({**part, "thoughtSignature": "other"},))
        again = user("now", pictures=1).model_copy(update={"answers": Answers(calls=(CameOf(text="done"),))})
        told = Turn(speaker="assistant", text="x", verbatim=changed)
        with pytest.raises(ModelRefused, match="is not as it was given"):
            asked(server, request(user(pictures=1), told, again, platform="linux"))
        server.faults.clear()
