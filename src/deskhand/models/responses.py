"""OpenAI's responses, with its tool for using a computer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deskhand.core.geometry import Size
from deskhand.core.message import ToolSpec
from deskhand.core.observation import Image
from deskhand.models.conversation import Message
from deskhand.models.responses_input import actions_in, detail_for, input_items, is_preview
from deskhand.models.wire import Answer, Call, Finish, Garbled, Read, Tokens, called, count, is_strict

_INCOMPLETE: Mapping[object, Finish] = {"max_output_tokens": "length", "content_filter": "filter"}
_CALLS = frozenset({"computer_call", "function_call"})


class Responses:
    """The form of `POST .../responses`. Every request tells the whole conversation; nothing is kept by the service.

    Actions of the computer come back as calls of a tool `computer`, in order, functions by their names. The items of a
    reply with calls go back as they came: the thoughts in them are sealed, and every call is answered by a picture.
    """

    sdk = "openai"
    client = "AsyncOpenAI"
    operation = "/responses"

    def encode(self, call: Call, read: Read) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": call.model,
            "input": input_items(call.messages, read, detail_for(call.model)),
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
        if call.platform and (size := _shown(call.messages)) is not None:
            body["tools"] = [computer_tool(call.model, call.platform, size), *map(_function, call.functions)]
            body["include"] = ["reasoning.encrypted_content"]
        return {key: value for key, value in (body | dict(call.extra)).items() if key not in call.shape.dropped}

    def decode(self, body: Mapping[str, Any]) -> Answer:
        output = body.get("output")
        if not isinstance(output, list):
            raise Garbled(f"the reply has no `output`: {str(dict(body))[:200]}")
        items = [item for item in output if isinstance(item, dict)]
        tokens = _tokens(body.get("usage"))
        if refusals := [text for item in items for text in _refusals(item)]:
            return Answer("\n".join(refusals), "refusal", tokens)
        finish = _finish(body)
        text = "\n".join(text for item in items for text in _texts(item)) if finish == "stop" else ""
        calls = [item for item in items if item.get("type") in _CALLS] if finish == "stop" else []
        for call in calls:
            _check_call(call)
        checks = tuple(_checked(check) for call in calls for check in call.get("pending_safety_checks") or ())
        return Answer(text, finish, tokens, tuple(map(_without_nothing, items)) if calls else (), checks)


def _check_call(call: Mapping[str, Any]) -> None:
    """See that a call is whole, and can be answered.

    Raises:
        Garbled: it is not, or cannot.
    """
    named = call["type"] != "function_call" or isinstance(call.get("name"), str)
    listed = isinstance(call.get("pending_safety_checks") or [], list) and isinstance(call.get("actions") or [], list)
    if not (isinstance(call.get("call_id"), str) and named and listed):
        raise Garbled(f"a call in the reply is none: {str(dict(call))[:200]}")
    if call.get("status") not in (None, "completed"):
        raise Garbled(f"a call in the reply is {call['status']!r}")


def _finish(body: Mapping[str, Any]) -> Finish:
    """Say how a reply ended.

    Raises:
        Garbled: it was not finished, and not for a reason that a person could do something about.
    """
    if body.get("status") not in (None, "completed", "incomplete"):
        raise Garbled(f"the response is {body['status']!r}: {body.get('error') or 'no more is said'}")
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    if body.get("status") == "incomplete" and reason not in _INCOMPLETE:
        raise Garbled(f"the response is incomplete: {reason or 'no reason is given'}")
    return _INCOMPLETE.get(reason, "stop")


def computer_tool(model: str, platform: str, size: Size) -> dict[str, Any]:
    """Give the entry of the tool; a model points in the pixels of the picture, whose size is `size`."""
    if not is_preview(model):
        return {"type": "computer"}
    return {
        "type": "computer_use_preview",
        "display_width": size.width,
        "display_height": size.height,
        "environment": "browser" if platform == "web" else "linux",
    }


def _function(tool: ToolSpec) -> dict[str, Any]:
    about = {"name": tool.name, "description": tool.description, "parameters": dict(tool.arguments)}
    return {"type": "function", "strict": False, **about}


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
            yield from map(_acted, actions_in(item))


def _checked(check: object) -> str:
    told = check if isinstance(check, Mapping) else {}
    said = ": ".join(str(told[name]) for name in ("code", "message") if told.get(name)) or "it does not say why"
    return f"the model's service asks you to look first ({said})"


def _without_nothing(item: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out fields without a value, which services give and do not take."""
    return {name: value for name, value in item.items() if value is not None}


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


def _format(schema: Mapping[str, Any], *, whole: bool) -> dict[str, Any]:
    if not whole:
        return {"type": "json_object"}
    return {"type": "json_schema", "name": "reply", "schema": dict(schema), "strict": is_strict(schema)}
