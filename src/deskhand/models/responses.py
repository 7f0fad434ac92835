"""OpenAI's responses, with its tool for using a computer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deskhand.core.geometry import Size
from deskhand.core.observation import Image
from deskhand.models.conversation import Message, Piece
from deskhand.models.openai import data_url
from deskhand.models.wire import Answer, Call, Finish, Garbled, Read, Tokens, called, count, is_strict

_PREVIEW = "computer-use-preview"
"""The model that is told of its tool with the size of the screen; later ones see it from the picture."""
_INCOMPLETE: Mapping[object, Finish] = {"max_output_tokens": "length", "content_filter": "filter"}


class Responses:
    """The form of `POST .../responses`. Every request tells the whole conversation; nothing is kept by the service.

    Actions of the computer come back as calls of a tool `computer`, in order. What the service wants to be made sure
    of first comes as a question to the user, before them.
    """

    sdk = "openai"
    client = "AsyncOpenAI"
    operation = "/responses"

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        detail = "auto" if _PREVIEW in call.model else "original"
        body: dict[str, Any] = {
            "model": call.model,
            "input": [_message(message, read, detail) for message in call.messages],
            "store": False,
            "truncation": "auto",
        }
        if call.system:
            body["instructions"] = call.system
        if call.temperature is not None:
            body["temperature"] = call.temperature
        if call.longest is not None:
            body["max_output_tokens"] = call.longest
        if call.schema is not None and call.shape.schema != "none":
            body["text"] = {"format": _format(call.schema, whole=call.shape.schema == "schema")}
        elif (size := _shown(call.messages)) is not None and call.schema is None:
            body["tools"] = [computer_tool(call.model, size)]
        return {key: value for key, value in (body | dict(call.extra)).items() if key not in call.shape.dropped}

    def decode(self, body: Mapping[str, Any]) -> Answer:
        output = body.get("output")
        if not isinstance(output, list):
            raise Garbled(f"the reply has no `output`: {str(dict(body))[:200]}")
        texts = [text for item in output if isinstance(item, dict) for text in _texts(item)]
        refusals = [text for item in output if isinstance(item, dict) for text in _refusals(item)]
        details = body.get("incomplete_details")
        finish = _INCOMPLETE.get(details.get("reason") if isinstance(details, Mapping) else None, "stop")
        if refusals:
            return Answer("\n".join(refusals), "refusal", _tokens(body.get("usage")))
        return Answer("\n".join(texts), finish, _tokens(body.get("usage")))


def computer_tool(model: str, size: Size) -> dict[str, Any]:
    """Give the entry of the tool; a model points in the pixels of the picture, whose size is `size`."""
    if _PREVIEW not in model:
        return {"type": "computer"}
    return {
        "type": "computer_use_preview",
        "display_width": size.width,
        "display_height": size.height,
        "environment": "linux",
    }


def _shown(messages: tuple[Message, ...]) -> Size | None:
    """Give the size of the latest picture; None where there is none, and nothing to point at."""
    return next((p.size for m in reversed(messages) for p in reversed(m.pieces) if isinstance(p, Image)), None)


def _texts(item: Mapping[str, Any]) -> Iterator[str]:
    match item:
        case {"type": "message", "content": list() as parts}:
            yield from (part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
        case {"type": "reasoning", "summary": list() as parts}:
            thoughts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
            if thoughts:
                yield "<think>\n{}\n</think>".format("\n".join(thoughts))
        case {"type": "function_call", "name": name, "arguments": arguments}:
            yield called(name, arguments)
        case {"type": "computer_call"}:
            yield from map(_checked, item.get("pending_safety_checks") or ())
            yield from map(_acted, item.get("actions") or [item.get("action")])


def _checked(check: object) -> str:
    """Put what the service wants to be made sure of as a question to the user."""
    told = check if isinstance(check, Mapping) else {}
    said = ": ".join(str(told[name]) for name in ("code", "message") if told.get(name))
    return called("call_user", {"question": f"The model's service asks you to look first ({said}). Shall it go on?"})


def _acted(action: object) -> str:
    if not (isinstance(action, Mapping) and isinstance(action.get("type"), str)):
        raise Garbled(f"a call of the computer says no action: {str(action)[:200]}")
    given = {name: value for name, value in action.items() if name != "type" and value is not None}
    return called("computer", {"action": action["type"], **given})


def _refusals(item: Mapping[str, Any]) -> Iterator[str]:
    parts = item.get("content")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and isinstance(part.get("refusal"), str):
            yield part["refusal"]


def _tokens(usage: object) -> Tokens | None:
    if not isinstance(usage, Mapping) or "input_tokens" not in usage:
        return None
    details = usage.get("input_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, Mapping) else 0
    return Tokens(count(usage["input_tokens"]), count(usage.get("output_tokens")), cached)


def _message(message: Message, read: Read, detail: str) -> dict[str, Any]:
    text = message.text
    content = text if text is not None else [_part(piece, read, detail) for piece in message.pieces]
    return {"role": message.speaker, "content": content}


def _part(piece: Piece, read: Read, detail: str) -> dict[str, Any]:
    if isinstance(piece, str):
        return {"type": "input_text", "text": piece}
    return {"type": "input_image", "image_url": data_url(piece, read), "detail": detail}


def _format(schema: Mapping[str, Any], *, whole: bool) -> dict[str, Any]:
    if not whole:
        return {"type": "json_object"}
    return {"type": "json_schema", "name": "reply", "schema": dict(schema), "strict": is_strict(schema)}
