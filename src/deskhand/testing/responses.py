"""OpenAI's responses as a service has them: what is wrong with a request, and what is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from deskhand.testing.content import Content, Wrong, parts_of, picture_of_url, text_of
from deskhand.testing.said import Act, Say

_CALLS = {"computer_call": "computer_call_output", "function_call": "function_call_output"}


def read_responses(body: Mapping[str, Any], content: Content) -> None:
    """Read what a request says and shows.

    Raises:
        Wrong: a call is not answered, a check not acknowledged, something that was given is not given back as it was.
    """
    if "instructions" in body:
        content.texts.append(text_of({"text": body["instructions"]}))
    preview = any(tool.get("type") == "computer_use_preview" for tool in body.get("tools", ()))
    if preview and body.get("truncation") != "auto":
        raise Wrong("truncation must be 'auto' with this tool")
    items: Sequence[Mapping[str, Any]] = body["input"]
    for place, item in enumerate(items):
        match item.get("type", "message"):
            case "message":
                _read_message(item, content)
            case "reasoning":
                if place + 1 == len(items) or items[place + 1].get("role") == "user":
                    raise Wrong("an item of type 'reasoning' was provided without its required following item")
                _same(item, content.given)
            case "computer_call" | "function_call" as kind:
                _same(item, content.given)
                _answered(item, kind, items[place + 1 :])
            case "computer_call_output" | "function_call_output" as kind:
                _read_output(item, kind, items[:place], content)
            case kind:
                raise Wrong(f"there is no item of type {kind!r}")


def _read_message(message: Mapping[str, Any], content: Content) -> None:
    if message.get("role") not in ("system", "developer", "user", "assistant"):
        raise Wrong(f"there is no role {message.get('role')!r}")
    for part in parts_of(message):
        match part.get("type"):
            case "input_text" | "output_text" | "text":
                content.texts.append(text_of(part))
            case "input_image" if message["role"] == "user":
                content.pictures.append(picture_of_url(part["image_url"]))
            case kind:
                raise Wrong(f"there is no part of type {kind!r} of the {message['role']}")


def _same(item: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    before = given.get(item["id"])
    if before is not None and before != item:
        raise Wrong(f"the item {item['id']!r} is not as it was given: {str(item)[:200]}")


def _answered(call: Mapping[str, Any], kind: str, after: Sequence[Mapping[str, Any]]) -> None:
    output = next((o for o in after if o.get("type") == _CALLS[kind] and o.get("call_id") == call["call_id"]), None)
    if output is None:
        raise Wrong(f"no tool output found for {kind} {call['call_id']}")
    wanted = {check["id"] for check in call.get("pending_safety_checks") or ()}
    if missing := wanted - {check["id"] for check in output.get("acknowledged_safety_checks") or ()}:
        raise Wrong(f"pending safety checks are not acknowledged: {', '.join(sorted(missing))}")


def _read_output(item: Mapping[str, Any], kind: str, before: Sequence[Mapping[str, Any]], content: Content) -> None:
    if not any(_CALLS.get(call.get("type", "")) == kind and call["call_id"] == item["call_id"] for call in before):
        raise Wrong(f"no tool call found for {kind} with call_id {item['call_id']}")
    if kind == "function_call_output":
        content.texts.append(text_of({"text": item["output"]}))
        return
    if item["output"].get("type") != "computer_screenshot":
        raise Wrong("the output of a computer is a computer_screenshot")
    content.pictures.append(picture_of_url(item["output"]["image_url"]))


def respond(said: Say | Act, model: str, given: dict[str, Any]) -> dict[str, object]:
    """Answer, and keep what is wanted back."""
    output = [_message(said)] if isinstance(said, Say) else _items(said, len(given), "preview" in model)
    given |= {str(item["id"]): item for item in output}
    reasons = {"length": "max_output_tokens", "filter": "content_filter"}
    incomplete = {"reason": reasons[said.finish]} if isinstance(said, Say) and said.finish in reasons else None
    made: dict[str, object] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": model,
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": incomplete,
        "output": output,
    }
    if said.usage is not None:
        read, written, cached = said.usage
        details = {"cached_tokens": cached}
        made["usage"] = {"input_tokens": read, "output_tokens": written, "input_tokens_details": details}
    return made


def _message(said: Say) -> dict[str, Any]:
    part: dict[str, object] = {"type": "output_text", "text": said.text or "", "annotations": []}
    if said.finish == "refusal":
        part = {"type": "refusal", "refusal": said.text}
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}


def _items(said: Act, number: int, preview: bool) -> list[dict[str, Any]]:
    """Make a thought that only the service can read, then the calls; the preview does one action a call."""
    summary = [{"type": "summary_text", "text": said.thought}] if said.thought else []
    thought = {"type": "reasoning", "id": f"rs_{number}", "summary": summary, "encrypted_content": f"sealed-{number}"}
    actions = [dict(call) for call in said.calls if "type" in call]
    batches: list[dict[str, Any]] = [{"action": action} for action in actions] if preview else [{"actions": actions}]
    checks = [{"id": f"sc_{number}_{i}", "code": "sensitive_domain", "message": c} for i, c in enumerate(said.checks)]
    calls: list[dict[str, Any]] = [
        {"type": "computer_call", "id": f"cu_{number}_{i}", "call_id": f"call_{number}_{i}", "status": "completed"}
        | {"pending_safety_checks": checks if i == 0 else [], **batch}
        for i, batch in enumerate(batches)
        if actions
    ]
    functions: list[dict[str, Any]] = [
        {"type": "function_call", "id": f"fc_{number}_{i}", "call_id": f"call_f{number}_{i}", "status": "completed"}
        | {"name": call["name"], "arguments": json.dumps(call["arguments"])}
        for i, call in enumerate(call for call in said.calls if "name" in call)
    ]
    return [thought, *calls, *functions]
