"""Anthropic's messages."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from deskhand.core.geometry import Size
from deskhand.core.message import Answers, CameOf
from deskhand.core.observation import Image
from deskhand.models.anthropic_computer import ToolUse, calls_in, results_of, tools_of, uses_of
from deskhand.models.anthropic_pictures import Fitting, shown_size
from deskhand.models.conversation import Message, Piece
from deskhand.models.wire import Answer, Call, Finish, Garbled, Read, Tokens, called, count, is_strict

LONGEST = 8192
"""The form demands a limit; this one stands where none is set."""
CACHE_POINTS = 4
"""The form takes no more; one is for the instructions."""
FINISHES: Mapping[object, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "refusal": "refusal",
}


class Messages:
    """The form of `POST .../messages`."""

    sdk = "anthropic"
    client = "AsyncAnthropic"
    operation = "/messages"

    def __init__(self) -> None:
        self._fitting = Fitting()

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        kept = _kept(call.messages)
        told = _Telling(read, self._fitting if call.platform else None)
        body: dict[str, Any] = {
            "model": call.model,
            "max_tokens": call.longest or LONGEST,
            "messages": list(_messages(_from_user(call.messages), kept, told)),
        }
        if call.temperature is not None:
            body["temperature"] = call.temperature  # only old models know it
        if call.stop:
            body["stop_sequences"] = list(call.stop)
        if call.system:
            body["system"] = [_block(call.system, told, cache=bool(kept))]
        if call.platform:
            body |= tools_of(call, _shown(call.messages))
        if call.schema is not None and call.shape.schema == "schema" and is_strict(call.schema):
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(call.schema)}}
        return {key: value for key, value in (body | dict(call.extra)).items() if key not in call.shape.dropped}

    def decode(self, body: Mapping[str, Any]) -> Answer:
        blocks = body.get("content")
        if not isinstance(blocks, list):
            raise Garbled(f"the reply has no `content`: {str(dict(body))[:200]}")
        finish = FINISHES.get(body.get("stop_reason"), "stop")
        pieces = tuple(block for block in blocks if isinstance(block, dict))
        texts = [text for piece in pieces for text in _texts(piece)]
        if finish == "refusal":
            texts = [_explanation(body.get("stop_details")) or "\n".join(texts)]
        return Answer("\n".join(texts), finish, _tokens(body.get("usage")), pieces if calls_in(pieces) else ())


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


class _Telling(NamedTuple):
    """How pictures are sent: as they are, or `fitting` what the service's own tools take."""

    read: Read
    fitting: Fitting | None


def _shown(messages: tuple[Message, ...]) -> Size | None:
    """Give the size of the latest picture as it is sent; None where there is none."""
    pictures = (p for m in reversed(messages) for p in reversed(m.pieces) if isinstance(p, Image))
    return next(map(shown_size, pictures), None)


def _messages(messages: tuple[Message, ...], kept: set[tuple[int, int]], told: _Telling) -> Iterator[dict[str, Any]]:
    uses: tuple[ToolUse, ...] = ()
    for place, message in enumerate(messages):
        marks = {number for at, number in kept if at == place}
        if message.verbatim:
            yield {"role": "assistant", "content": [dict(piece) for piece in message.verbatim]}
        else:
            answers = message.answers or Answers()
            results = [_result(*one, message, told) for one in results_of(uses, answers.calls)]
            yield {"role": message.speaker, "content": [*_with_picture(results, message, marks, told)]}
        uses = uses_of(message.verbatim)


def _result(result: dict[str, Any], came: CameOf, message: Message, told: _Telling) -> dict[str, Any]:
    """Add what a call wanted to see larger, as long as the pictures of its time are shown."""
    if came.closer is None or told.fitting is None or not any(isinstance(piece, Image) for piece in message.pieces):
        return result
    return {**result, "content": [*result["content"], _picture(*told.fitting.enlarged(came.closer, told.read))]}


def _with_picture(
    results: list[dict[str, Any]], message: Message, marks: set[int], told: _Telling
) -> Iterator[dict[str, Any]]:
    """Give the results, the picture in the last of them where it may be, and what else is said."""
    blocks = [_block(piece, told, cache=number in marks) for number, piece in enumerate(message.pieces)]
    if results and _takes_pictures(results[-1]) and blocks and blocks[0]["type"] == "image":
        picture = blocks.pop(0)
        marked = {"cache_control": picture.pop("cache_control")} if "cache_control" in picture else {}
        results[-1] = {**results[-1], "content": [*results[-1]["content"], picture], **marked}
    if message.speaker == "assistant":
        blocks[-1]["text"] = blocks[-1]["text"].rstrip()  # refused at the end of the last message
    yield from (*results, *blocks)


def _takes_pictures(result: dict[str, Any]) -> bool:
    return not result["is_error"] and result["content"][0]["type"] == "text"


def _block(piece: Piece, told: _Telling, *, cache: bool) -> dict[str, Any]:
    marked = {"cache_control": {"type": "ephemeral"}} if cache else {}
    if isinstance(piece, str):
        return {"type": "text", "text": piece, **marked}
    kind, data = told.fitting.fitted(piece, told.read) if told.fitting else (piece.media_type, told.read(piece))
    return _picture(kind, data) | marked


def _picture(media_type: str, data: bytes) -> dict[str, Any]:
    encoded = base64.b64encode(data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": encoded}}
