"""OpenAI's chat completions, which most servers and gateways speak."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from deskhand.core.observation import Image
from deskhand.models.conversation import Message, Piece
from deskhand.models.wire import Answer, Call, Finish, Garbled, Read, Tokens, called, count, is_strict

FINISHES: Mapping[object, Finish] = {"length": "length", "content_filter": "filter"}


class ChatCompletions:
    """The form of `POST .../chat/completions`."""

    sdk = "openai"
    client = "AsyncOpenAI"
    operation = "/chat/completions"

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": call.model,
            "messages": [*_system(call), *(_message(m, read) for m in _turns(call))],
            "temperature": call.temperature or 0.0,
        }
        if call.longest is not None:
            body[call.shape.limit_field or "max_tokens"] = call.longest
        if call.stop:
            body["stop"] = list(call.stop)
        if call.schema is not None and call.shape.schema != "none":
            body["response_format"] = _response_format(call.schema, whole=call.shape.schema == "schema")
        return {key: value for key, value in (body | dict(call.extra)).items() if key not in call.shape.dropped}

    def decode(self, body: Mapping[str, Any]) -> Answer:
        match body:
            case {"choices": [{"message": dict() as message, **choice}, *_]}:
                return _answer(message, choice.get("finish_reason"), _tokens(body.get("usage")))
            case {"choices": []} | {"choices": None}:
                return Answer("", "stop", _tokens(body.get("usage")))
        raise Garbled(f"the reply has no `choices`: {str(dict(body))[:200]}")


def _answer(message: Mapping[str, Any], finish: object, tokens: Tokens | None) -> Answer:
    if (refusal := message.get("refusal")) and isinstance(refusal, str):
        return Answer(refusal, "refusal", tokens)
    calls = [c["function"] for c in message.get("tool_calls") or () if isinstance(c.get("function"), dict)]
    texts = [*_texts(message.get("content")), *(called(c.get("name"), c.get("arguments")) for c in calls)]
    return Answer("\n".join(texts), FINISHES.get(finish, "stop"), tokens)


def _texts(content: object) -> Iterable[str]:
    match content:
        case str():
            yield content
        case list():
            yield from (
                part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
            )


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, Mapping) or "prompt_tokens" not in usage:
        return None
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    cached, kept = count(details.get("cached_tokens")), count(details.get("cache_write_tokens"))
    return Tokens(count(usage["prompt_tokens"]), count(usage.get("completion_tokens")), cached, kept)


def _system(call: Call) -> list[dict[str, Any]]:
    return [{"role": "system", "content": call.system}] if call.system and call.shape.system else []


def _turns(call: Call) -> tuple[Message, ...]:
    """Give the messages; the first begins with the instructions when they cannot stand alone."""
    first, *rest = call.messages
    if call.shape.system or not call.system:
        return call.messages
    if first.speaker == "user":
        return (first._replace(pieces=(call.system, *first.pieces)), *rest)
    return (Message("user", (call.system,)), *call.messages)


def _message(message: Message, read: Read) -> dict[str, Any]:
    text = message.text
    # Servers that see no pictures take a message as one text only.
    content = text if text is not None else [_part(piece, read) for piece in message.pieces]
    return {"role": message.speaker, "content": content}


def _part(piece: Piece, read: Read) -> dict[str, Any]:
    if isinstance(piece, str):
        return {"type": "text", "text": piece}
    return {"type": "image_url", "image_url": {"url": data_url(piece, read)}}


def data_url(image: Image, read: Read) -> str:
    return f"data:{image.media_type};base64,{base64.b64encode(read(image)).decode()}"


def _response_format(schema: Mapping[str, Any], *, whole: bool) -> dict[str, Any]:
    if not whole:
        return {"type": "json_object"}
    named = {"name": "reply", "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": named | ({"strict": True} if is_strict(schema) else {})}
