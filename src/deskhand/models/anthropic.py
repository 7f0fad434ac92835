"""Anthropic's messages."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

from deskhand.models.conversation import Message, Piece
from deskhand.models.wire import Answer, Call, Finish, Garbled, Read, Tokens, called, count, is_strict

LONGEST = 8192
"""The form demands a limit; this one stands where none is set."""
CACHE_POINTS = 4
"""The form takes no more; one is for the instructions."""
FINISHES: Mapping[object, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class Messages:
    """The form of `POST .../messages`."""

    sdk = "anthropic"
    client = "AsyncAnthropic"
    operation = "/messages"

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        kept = _kept(call.messages)
        body: dict[str, Any] = {
            "model": call.model,
            "max_tokens": call.longest or LONGEST,
            "messages": [_message(m, place, kept, read) for place, m in enumerate(_from_user(call.messages))],
        }
        if call.temperature is not None:
            body["temperature"] = call.temperature  # only old models know it
        if call.stop:
            body["stop_sequences"] = list(call.stop)
        if call.system:
            body["system"] = [_block(call.system, read, cache=bool(kept))]
        if call.schema is not None and call.shape.schema == "schema" and is_strict(call.schema):
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(call.schema)}}
        return {key: value for key, value in (body | dict(call.extra)).items() if key not in call.shape.dropped}

    def decode(self, body: Mapping[str, Any]) -> Answer:
        blocks = body.get("content")
        if not isinstance(blocks, list):
            raise Garbled(f"the reply has no `content`: {str(dict(body))[:200]}")
        finish = FINISHES.get(body.get("stop_reason"), "stop")
        texts = [text for block in blocks if isinstance(block, dict) for text in _texts(block)]
        if finish == "refusal":
            texts = [_explanation(body.get("stop_details")) or "\n".join(texts)]
        return Answer("\n".join(texts), finish, _tokens(body.get("usage")))


def _explanation(details: object) -> str:
    said = details.get("explanation") if isinstance(details, Mapping) else ""
    return said if isinstance(said, str) else ""


def _texts(block: Mapping[str, Any]) -> Iterator[str]:
    match block:
        case {"type": "text", "text": str() as text}:
            yield text
        case {"type": "tool_use", "name": name, "input": given}:
            yield called(name, given)


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, Mapping) or "input_tokens" not in usage:
        return None
    cached, kept = count(usage.get("cache_read_input_tokens")), count(usage.get("cache_creation_input_tokens"))
    return Tokens(count(usage["input_tokens"]) + cached + kept, count(usage.get("output_tokens")), cached, kept)


def _from_user(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Let the user speak first, which the form demands."""
    return messages if messages[0].speaker == "user" else (Message("user", ("(The conversation goes on.)",)), *messages)


def _kept(messages: tuple[Message, ...]) -> set[tuple[int, int]]:
    """Choose the marks that are sent, as numbers of message and piece: the last ones."""
    marks = [(m, mark) for m, message in enumerate(_from_user(messages)) for mark in sorted(message.marks)]
    return set(marks[-(CACHE_POINTS - 1) :])


def _message(message: Message, place: int, kept: set[tuple[int, int]], read: Read) -> dict[str, Any]:
    blocks = [_block(piece, read, cache=(place, number) in kept) for number, piece in enumerate(message.pieces)]
    if message.speaker == "assistant":
        blocks[-1]["text"] = blocks[-1]["text"].rstrip()  # refused at the end of the last message
    return {"role": message.speaker, "content": blocks}


def _block(piece: Piece, read: Read, *, cache: bool) -> dict[str, Any]:
    marked = {"cache_control": {"type": "ephemeral"}} if cache else {}
    if isinstance(piece, str):
        return {"type": "text", "text": piece, **marked}
    data = base64.b64encode(read(piece)).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": piece.media_type, "data": data}, **marked}
