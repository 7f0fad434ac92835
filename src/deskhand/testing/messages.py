"""Anthropic's messages as a service has them: what is wrong with a request, and what is answered."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deskhand.testing.content import Content, Picture, Wrong, parts_of, picture_of, text_of
from deskhand.testing.said import Act, Say

_CACHE_POINTS = 4
"""It takes no more in a request."""
_LONGEST, _PATCH, _PATCHES = 1568, 28, 1568
"""What a picture may be so that it is looked at as it is."""
_BETA = re.compile(r"computer_(\d{4})(\d\d)(\d\d)")


def read_messages(body: Mapping[str, Any], content: Content) -> None:
    """Read what a request says and shows.

    Raises:
        Wrong: it is not as the service wants it, among that: a call is not answered at once, a thought is not given
            back as it was, a picture does not fit.
    """
    if not isinstance(body.get("max_tokens"), int):
        raise Wrong("max_tokens: field required")
    if system := body.get("system"):
        for part in parts_of({"content": system}):
            _read_block(part, "system", content)
    speakers = [message.get("role") for message in body["messages"]]
    if speakers[0] != "user" or not set(speakers) <= {"user", "assistant"}:
        raise Wrong(f"messages are of user and assistant, the first of the user; these are of {speakers}")
    asked: dict[str, Mapping[str, Any]] = {}
    for message in body["messages"]:
        parts = list(parts_of(message))
        if message["role"] == "user":
            _check_answers(parts, asked)
        else:
            _check_given(parts, content.given)
        for part in parts:
            _read_block(part, message["role"], content)
        asked = {part["id"]: part for part in parts if part.get("type") == "tool_use"}
    if content.cache_points > _CACHE_POINTS:
        raise Wrong(f"a maximum of {_CACHE_POINTS} blocks with cache_control may be provided")
    _check_tools(body, content)


def _read_block(block: Mapping[str, Any], role: str, content: Content) -> None:
    content.cache_points += "cache_control" in block
    match block.get("type"):
        case "text":
            content.texts.append(text_of(block))
        case "image":
            source = block["source"]
            if role != "user" or source.get("type") != "base64":
                raise Wrong(f"a picture in a message of the {role}, of {source.get('type')}")
            content.pictures.append(picture_of(source["media_type"], source["data"]))
        case "tool_result" if role == "user":
            _read_result(block, content)
        case "browser_state" if role == "user":
            content.texts.extend(f"{tab['tab_id']}: {tab['title']}" for tab in block["tabs"])
            if block["tabs"] and sum(tab["active"] for tab in block["tabs"]) != 1:
                raise Wrong("browser_state: exactly one of the tabs is active")
        case "tool_use" | "thinking" | "redacted_thinking" if role == "assistant":
            pass
        case kind:
            raise Wrong(f"there is no block of type {kind!r} of the {role}")


def _read_result(block: Mapping[str, Any], content: Content) -> None:
    parts = list(parts_of(block))
    kinds = {part.get("type") for part in parts}
    if block.get("is_error") and kinds != {"text"}:
        raise Wrong("tool_result: all content must be type 'text' if 'is_error' is true")
    if "browser_state" in kinds and len(parts) > 1:
        raise Wrong("tool_result: the state of the tabs stands alone here")
    for part in parts:
        _read_block(part, "user", content)


def _check_answers(parts: Sequence[Mapping[str, Any]], asked: Mapping[str, Mapping[str, Any]]) -> None:
    """See that a message begins with an answer to each call of the one before, in order."""
    answered = [part for part in parts if part.get("type") == "tool_result"]
    if [part["tool_use_id"] for part in answered] != list(asked) or list(parts[: len(asked)]) != answered:
        raise Wrong(f"tool_use ids {', '.join(asked)} were found without tool_result blocks immediately after")
    for part in answered:
        if part.get("toolset_name") != asked[part["tool_use_id"]].get("toolset_name"):
            raise Wrong(f"tool_result {part['tool_use_id']}: toolset_name is not that of the tool_use")


def _check_given(parts: Sequence[Mapping[str, Any]], given: Mapping[str, Any]) -> None:
    """See that a reply that called something comes back with all that it held."""
    calls = [part["id"] for part in parts if part.get("type") == "tool_use"]
    if calls and given.get(calls[0], parts) != parts:
        raise Wrong("thinking blocks in an assistant message cannot be modified; they must remain as they were")


def _check_tools(body: Mapping[str, Any], content: Content) -> None:
    tools = [tool for tool in body.get("tools", ()) if tool.get("type", "custom") != "custom"]
    betas = {f"computer-use-{'-'.join(found.groups())}" for t in tools if (found := _BETA.fullmatch(t["type"]))}
    sent = set(filter(None, content.headers.get("anthropic-beta", "").split(",")))
    if betas != sent:
        raise Wrong(f"anthropic-beta is {sorted(sent)} where the tools want {sorted(betas)}")
    for tool in tools:
        shown = content.pictures[-1].size if content.pictures else None
        if "display_width_px" in tool and (tool["display_width_px"], tool["display_height_px"]) != shown:
            raise Wrong(f"the display is said to be otherwise than the picture, which is {shown}")
    if tools and (large := [picture.size for picture in content.pictures if not _fits(picture)]):
        raise Wrong(f"a picture of {large[0].width} x {large[0].height} is too large")


def _fits(picture: Picture) -> bool:
    patches = math.prod(math.ceil(side / _PATCH) for side in picture.size)
    return max(picture.size) <= _LONGEST and patches <= _PATCHES


def converse(said: Say | Act, body: Mapping[str, Any], given: dict[str, Any]) -> dict[str, object]:
    """Answer a request, and keep what is wanted back."""
    finish = (
        {"stop": "end_turn", "length": "max_tokens"}.get(said.finish, "refusal")
        if isinstance(said, Say)
        else "tool_use"
    )
    if isinstance(said, Say):
        content: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    else:
        content = list(_called(said, body, len(given)))
        given |= {block["id"]: content for block in content if block["type"] == "tool_use"}
    made: dict[str, object] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": finish,
        "stop_sequence": None,
    }
    if said.usage is not None:
        read, written, cached = said.usage
        made["usage"] = {"input_tokens": read - cached, "output_tokens": written, "cache_read_input_tokens": cached}
    return made


def _called(said: Act, body: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Make a sealed thought, then the calls: of functions, of the one tool or of a set of tools, as offered."""
    tools = body.get("tools", ())
    functions = {tool["name"] for tool in tools if tool.get("type", "custom") == "custom"}
    own = next((tool["type"] for tool in tools if tool.get("type", "custom") != "custom"), "")
    yield {"type": "thinking", "thinking": said.thought, "signature": f"sealed-{number}"}
    for place, call in enumerate(said.calls):
        use: dict[str, Any] = {"type": "tool_use", "id": f"toolu_{number}_{place}", "caller": {"type": "direct"}}
        if call["name"] in functions:
            yield {**use, "name": call["name"], "input": call["input"]}
        elif "toolset" in own:
            yield {**use, "name": call["name"], "input": call["input"], "toolset_name": own.partition("_")[0]}
        else:
            yield {**use, "name": "computer", "input": {"action": call["name"], **call["input"]}}
