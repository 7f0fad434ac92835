"""Gemini's own form, with its tool for using a computer."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any

from deskhand.core.message import CameOf, ToolSpec
from deskhand.core.observation import Image
from deskhand.models.conversation import Message, Piece
from deskhand.models.wire import Answer, Call, Finish, Garbled, Read, Tokens, called, count

_EARLY = re.compile(r"gemini-(?:2\.|3-|3\.1-)")
"""Models whose tool knows pages in a browser only; on anything else it is the same without what only pages have."""
_ENVIRONMENTS = {"linux": "DESKTOP", "web": "BROWSER", "android": "MOBILE"}
_PAGES = ("open_web_browser", "search", "navigate", "go_back", "go_forward")
_BUTTONS = ("mouse_down", "mouse_up")
_NOT_WANTED = {"BROWSER": _BUTTONS, "DESKTOP": _BUTTONS, "MOBILE": ("list_apps",)}
"""A button is not left pressed from one reply to the next, as a drag is one call; what can be started is told of."""
_OF_PHONES = "open_app"
"""What the tool has for phones itself, and is not to be declared again."""
_UNSAID: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "scroll": ("magnitude", {"magnitude_in_pixels": 300}),
    "wait": ("seconds", {"seconds": 1}),
    "long_press": ("seconds", {"seconds": 2}),
}
"""What a call means that does not say how much: how the parameter begins, and its value."""
_WITHHELD = frozenset(
    ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR")
)

_FREE = frozenset({"", "regular", "allowed", "allow"})


class Gemini:
    """The form of `POST .../models/MODEL:generateContent`; the client is that of another SDK, which sends any body.

    Calls come back in order, in the service's own words. The parts of a reply with calls go back as they came, with the
    signatures of its thoughts, and each call is answered.
    """

    sdk = "openai"
    client = "AsyncOpenAI"

    def __init__(self, model: str) -> None:
        self.operation = f"/models/{model.removeprefix('models/')}:generateContent"

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        body: dict[str, Any] = {"contents": list(_contents(call, read)), "generationConfig": _config(call)}
        if call.system:
            body["systemInstruction"] = {"parts": [{"text": call.system}]}
        if call.platform:
            body["tools"] = [{"computerUse": computer_use(call.model, call.platform)}]
            if declared := [_function(tool) for tool in call.functions if _is_new(tool, call.platform)]:
                body["tools"].append({"functionDeclarations": declared})
        return {key: value for key, value in (body | dict(call.extra)).items() if key not in call.shape.dropped}

    def decode(self, body: Mapping[str, Any]) -> Answer:
        tokens = _tokens(body.get("usageMetadata"))
        match body:
            case {"candidates": [dict() as candidate, *_]}:
                return _answer(candidate, tokens)
            case {"promptFeedback": {"blockReason": reason}}:
                return Answer("", "filter", tokens, why=str(reason))
        raise Garbled(f"the reply has no `candidates`: {str(dict(body))[:200]}")


def computer_use(model: str, platform: str) -> dict[str, Any]:
    """Give the entry of the tool for a platform."""
    early = bool(_EARLY.match(model.removeprefix("models/")))
    environment = "BROWSER" if early else _ENVIRONMENTS.get(platform, "DESKTOP")
    left_out = _NOT_WANTED[environment] if not early else () if platform == "web" else _PAGES
    entry: dict[str, Any] = {"environment": f"ENVIRONMENT_{environment}"}
    return {**entry, **({"excludedPredefinedFunctions": [*left_out]} if left_out else {})}


def _is_new(tool: ToolSpec, platform: str) -> bool:
    return tool.name != _OF_PHONES or platform != "android"


def _function(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parametersJsonSchema": dict(tool.arguments)}


def _config(call: Call) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if call.temperature is not None:
        config["temperature"] = call.temperature
    if call.longest is not None:
        config["maxOutputTokens"] = call.longest
    if call.stop:
        config["stopSequences"] = list(call.stop)
    if call.platform:
        config["thinkingConfig"] = {"includeThoughts": True}
    if call.schema is not None and call.shape.schema != "none":
        config["responseMimeType"] = "application/json"
        if call.shape.schema == "schema":
            config["responseJsonSchema"] = dict(call.schema)
    return config


def _contents(call: Call, read: Read) -> Iterator[dict[str, Any]]:
    before: Message | None = None
    if call.messages[0].speaker == "assistant":
        yield {"role": "user", "parts": [{"text": "(The conversation goes on.)"}]}
    for place, message in enumerate(call.messages):
        last = place + 1 == len(call.messages)
        if message.speaker == "assistant":
            given = message.verbatim if not last else ()
            yield {"role": "model", "parts": [dict(part) for part in given] or _parts(message.pieces, read)}
        else:
            answers = _answers(before, message, read) if before is not None and before.verbatim else []
            shown = [piece for piece in message.pieces if not (answers and isinstance(piece, Image))]
            yield {"role": "user", "parts": [*answers, *_parts(shown, read)]}
        before = message


def _parts(pieces: tuple[Piece, ...] | list[Piece], read: Read) -> list[dict[str, Any]]:
    return [{"text": piece} if isinstance(piece, str) else {"inlineData": _data(piece, read)} for piece in pieces]


def _data(image: Image, read: Read) -> dict[str, str]:
    return {"mimeType": image.media_type, "data": base64.b64encode(read(image)).decode()}


def _answers(reply: Message, message: Message, read: Read) -> list[dict[str, Any]]:
    """Answer each call of a reply; the picture, taken when all have been done, stands with the last."""
    told = message.answers.calls if message.answers is not None else ()
    leave = message.answers is not None and message.answers.leave
    shown = [{"inlineData": _data(piece, read)} for piece in message.pieces if isinstance(piece, Image)]
    calls = [part["functionCall"] for part in reply.verbatim if isinstance(part.get("functionCall"), Mapping)]
    answers: list[dict[str, Any]] = []
    for place, call in enumerate(calls):
        came = told[place] if place < len(told) else CameOf(text="done")
        named = {"id": call["id"]} if "id" in call else {}
        answers.append({**named, "name": call.get("name", ""), "response": _response(call, came, leave)})
    if answers and shown:
        answers[-1]["parts"] = shown
    return [{"functionResponse": answer} for answer in answers]


def _response(call: Mapping[str, Any], came: CameOf, leave: bool) -> dict[str, Any]:
    """Tell what came of a call; its tool wants a URL, which nothing has but a page."""
    told = {"error" if came.outcome in ("failed", "not done") else "output": came.text, "url": ""}
    agreed = leave and _decision(call) is not None
    return {**told, "safety_acknowledgement": "true"} if agreed else told


def _decision(call: Mapping[str, Any]) -> object:
    """Give what the service decided about a call; None where that may be done without asking."""
    args = call.get("args")
    decision = args.get("safety_decision") if isinstance(args, Mapping) else None
    said = decision.get("decision") if isinstance(decision, Mapping) else decision
    return None if said is None or str(said) in _FREE else decision


def _answer(candidate: Mapping[str, Any], tokens: Tokens | None) -> Answer:
    """Read the first candidate.

    Raises:
        Garbled: the service could not make anything of what the model said.
    """
    finish, why = _finish(candidate)
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, Mapping) else None
    said = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    calls = [part["functionCall"] for part in said if "functionCall" in part] if finish == "stop" else []
    for call in calls:
        if not (isinstance(call, Mapping) and isinstance(call.get("name"), str)):
            raise Garbled(f"a call in the reply has no name: {str(call)[:200]}")
    text = "\n".join(text for part in said for text in _texts(part)) if finish == "stop" else ""
    checks = tuple(_checked(decision) for call in calls if (decision := _decision(call)) is not None)
    return Answer(text, finish, tokens, tuple(said) if calls else (), checks, why)


def _finish(candidate: Mapping[str, Any]) -> tuple[Finish, str]:
    reason = str(candidate.get("finishReason") or "STOP")
    if reason == "MAX_TOKENS":
        return "length", reason
    if reason in _WITHHELD:
        return "filter", reason
    if reason not in ("STOP", "FINISH_REASON_UNSPECIFIED"):
        raise Garbled(f"the reply ended with {reason}: {candidate.get('finishMessage') or 'no more is said'}")
    return "stop", ""


def _texts(part: Mapping[str, Any]) -> Iterator[str]:
    match part:
        case {"text": str() as text, "thought": True}:
            yield f"<think>\n{text}\n</think>"
        case {"text": str() as text}:
            yield text
        case {"functionCall": {"name": name, **call}}:
            args = call.get("args")
            given = dict(args) if isinstance(args, Mapping) else {}
            given.pop("safety_decision", None)
            begins, usual = _UNSAID.get(str(name), ("", {}))
            said = any(key.startswith(begins) for key in given)
            yield called(name, given if said else {**given, **usual})


def _checked(decision: object) -> str:
    told = decision if isinstance(decision, Mapping) else {}
    why = told.get("explanation") or told.get("decision") or decision
    return f"the model's service asks you to look first ({why})"


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, Mapping) or "promptTokenCount" not in usage:
        return None
    written = count(usage.get("candidatesTokenCount")) + count(usage.get("thoughtsTokenCount"))
    return Tokens(count(usage["promptTokenCount"]), written, count(usage.get("cachedContentTokenCount")))
