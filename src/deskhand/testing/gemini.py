"""Gemini's own form as the service has it: what is wrong with a request, and what is answered."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deskhand.testing.content import Content, Wrong, picture_of, text_of
from deskhand.testing.said import Act, Say

_FINISHES = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY", "refusal": "STOP"}


def read_gemini(body: Mapping[str, Any], content: Content) -> None:
    """Read what a request says and shows.

    Raises:
        Wrong: a call is not answered in its place, or something that was given is not given back as it was.
    """
    for part in body.get("systemInstruction", {}).get("parts", ()):
        content.texts.append(text_of(part))
    turns: Sequence[Mapping[str, Any]] = body["contents"]
    if turns[0].get("role") != "user":
        raise Wrong("the first content is the user's")
    called: list[Mapping[str, Any]] = []
    for turn in turns:
        parts = turn.get("parts")
        if turn.get("role") not in ("user", "model") or not parts:
            raise Wrong(f"a content has a role, user or model, and parts: {str(turn)[:100]}")
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        _check_answers(called, answers)
        called = [part["functionCall"] for part in parts if "functionCall" in part]
        for part in parts:
            _read_part(part, turn["role"], content)
    if called:
        raise Wrong("the last function calls have no function responses")


def _check_answers(called: Sequence[Mapping[str, Any]], answers: Sequence[Mapping[str, Any]]) -> None:
    if [(call.get("id"), call["name"]) for call in called] != [(one.get("id"), one["name"]) for one in answers]:
        raise Wrong("the number of function response parts must be equal to the number of function call parts")
    for call, answer in zip(called, answers, strict=True):
        answered = answer.get("response")
        if not isinstance(answered, Mapping):
            raise Wrong(f"the function response for {call['name']} has no response")
        wanted, done = "safety_decision" in call.get("args", {}), "error" not in answered
        if wanted and done and answered.get("safety_acknowledgement") != "true":
            raise Wrong(f"{call['name']} was done, and its safety decision is not acknowledged")


def _read_part(part: Mapping[str, Any], role: str, content: Content) -> None:
    match part:
        case {"text": _}:
            content.texts.append(text_of(part))
        case {"inlineData": {"mimeType": media_type, "data": data}} if role == "user":
            content.pictures.append(picture_of(media_type, data))
        case {"functionCall": {"id": str() as name}} if role == "model":
            if content.given.get(name, part) != part:
                raise Wrong(f"the function call {name} is not as it was given, with its thought signature")
        case {"functionResponse": {"parts": list() as shown}} if role == "user":
            for inner in shown:
                content.pictures.append(picture_of(inner["inlineData"]["mimeType"], inner["inlineData"]["data"]))
        case {"functionResponse": _} if role == "user":
            pass
        case {"functionCall": _} if role == "model":
            pass
        case _:
            raise Wrong(f"there is no such part of the {role}: {str(part)[:100]}")


def generate(said: Say | Act, model: str, given: dict[str, Any]) -> dict[str, object]:
    """Answer, and keep what is wanted back."""
    parts = list(_calls(said, len(given)) if isinstance(said, Act) else _words(said))
    given |= {part["functionCall"]["id"]: part for part in parts if "functionCall" in part}
    finish = _FINISHES[said.finish] if isinstance(said, Say) else "STOP"
    made: dict[str, object] = {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}],
        "modelVersion": model,
    }
    if said.usage is not None:
        read, written, cached = said.usage
        counts = {"promptTokenCount": read, "candidatesTokenCount": written, "cachedContentTokenCount": cached}
        made["usageMetadata"] = {**counts, "totalTokenCount": read + written}
    return made


def _words(said: Say) -> Iterator[dict[str, Any]]:
    if said.text:
        yield {"text": said.text}


def _calls(said: Act, number: int) -> Iterator[dict[str, Any]]:
    """Make the parts of calls; the first bears the signature of the thought, and the safety decision."""
    if said.thought:
        yield {"text": said.thought, "thought": True}
    for place, call in enumerate(said.calls):
        args = dict(call.get("args", {}))
        if said.checks and not place:
            args["safety_decision"] = {"decision": "require_confirmation", "explanation": "; ".join(said.checks)}
        part: dict[str, Any] = {"functionCall": {"id": f"fc{number}_{place}", "name": call["name"], "args": args}}
        sealed = base64.b64encode(f"sealed-{number}".encode()).decode()
        yield part if place else {**part, "thoughtSignature": sealed}
