"""Replies of agents that answer with JSON objects, in whatever keys they put actions, thoughts and states."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deskhand.dialects.grammar import Call
from deskhand.dialects.json_mending import mended, without_duplicates
from deskhand.dialects.json_text import one_object
from deskhand.dialects.layout import fenced, labelled, without_thinking
from deskhand.dialects.unreadable import Unreadable
from deskhand.dialects.words import Words

_LABEL = re.compile(r"^[ \t]*(?P<label>reason|thought|action)[ \t]*[:：][ \t]*", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"</?\w+>")
_THOUGHTS = ("thinking", "thought", "reasoning", "observation", "memory")
_MEANT = ("next_goal", "comment", "thought", "reasoning")
_NAMES = ("function", "action_type", "next_action", "action", "name")
_ARGUMENTS = ("arguments", "args", "parameters", "params")
_SAID_BESIDE = frozenset(
    {*_THOUGHTS, *_MEANT, "reason", "evaluation_previous_goal", "plan", "save_screenshot", "result", "questions"}
)
_STATES = ("CONTINUE", "FINISH", "FAIL", "PENDING", "CONFIRM", "SCREENSHOT", "ERROR")
_DEVICES = frozenset({"mouse", "keyboard"})
_ENDS: Mapping[str, Mapping[str, object]] = {"FINISH": {"status": "success"}, "FAIL": {"status": "failure"}}


def read_objects(text: str) -> tuple[tuple[Call, ...], str, str]:
    """Give the calls of a reply, its thought, and what is meant by them.

    Raises:
        UnreadableReply: it holds no object, or one that is no action.
    """
    thought, rest = without_thinking(text)
    found = _value(rest)
    if isinstance(found, list):
        return tuple(_call(item) for item in found), thought, _before(rest)
    fields = _folded(found)
    said = next((fields[key] for key in _THOUGHTS if isinstance(fields.get(key), str)), "")
    meant = next((fields[key] for key in _MEANT if isinstance(fields.get(key), str)), "")
    items = fields.get("action") if "action" in fields else fields.get("actions")
    listed = items if isinstance(items, list) else [items] if isinstance(items, dict) else [found]
    acts = [item for item in listed if not _is_none(item)]
    asked = isinstance(items, list | dict)
    calls = [_call(item) for item in acts] if asked or not _is_over(fields) else []
    return (*_asking(fields), *calls, *_ending(fields, listed)), thought or said, meant or _before(rest)


def _before(text: str) -> str:
    return _LABEL.sub("", _TAG.sub("", re.split(r"[{\[]|```", text)[0])).strip()


def _value(text: str) -> Any:
    """Find the object, or the list of objects, that a reply is."""
    block, parted = fenced(text), labelled(text)
    plain = (block[0] if block else parted[1] if parted else text).strip()
    if plain[:1] != "[":
        return one_object(text)
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=without_duplicates)
    for source in (plain, mended(plain)):
        try:
            found, _ = decoder.raw_decode(source)
        except (ValueError, RecursionError):
            continue
        return found
    return one_object(text)


def _folded(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key.strip().lower().replace(" ", "_"): value for key, value in item.items()}


def _call(item: object) -> Call:
    """Read an object as the call it stands for; raises as `read_objects`."""
    if not isinstance(item, dict):
        raise Unreadable("no_action", f"{json.dumps(item, ensure_ascii=False)[:300]} is not an action, but no object")
    fields = _folded(item)
    key = next((key for key in _NAMES if isinstance(fields.get(key), str)), "")
    if key:
        rest = {k: v for k, v in fields.items() if k != key and k not in _SAID_BESIDE and v not in _STATES}
        inner = next((name for name in _ARGUMENTS if isinstance(rest.get(name), dict)), "")
        # Beside others `arguments` may be those of a tool; a function's stand apart.
        apart = inner and (key == "function" or len(rest) == 1)
        arguments = rest.pop(inner) if apart else {}
        # "left_click, click the first result": a word, and what is meant by it.
        return Call(fields[key].partition(",")[0], (), {**rest, **arguments})
    rest = {
        name: value
        for name, value in item.items()
        if name.lower() not in _SAID_BESIDE and value not in (None, *_STATES)
    }
    if len(rest) != 1:
        raise Unreadable("no_action", f"{json.dumps(item, ensure_ascii=False)[:300]} is not one action: name one")
    ((name, value),) = rest.items()
    if name.lower() in _DEVICES and isinstance(value, dict) and len(value) == 1:
        ((name, value),) = value.items()
    return Call(name, (), value) if isinstance(value, dict) else Call(name, (value,), {})


def _is_none(item: object) -> bool:
    """Tell whether an object names by "" that nothing is done."""
    return isinstance(item, dict) and any(_folded(item).get(key) == "" for key in _NAMES)


def _is_over(fields: Mapping[str, Any]) -> bool:
    """Tell whether a reply without an action says by its status how it goes on."""
    return bool(fields.get("status")) and not any(isinstance(fields.get(key), str) for key in _NAMES)


def _status(fields: Mapping[str, Any], items: Sequence[object]) -> str:
    last = items[-1] if items and isinstance(items[-1], dict) else {}
    said = fields.get("status") or last.get("status")
    return said.strip().upper() if isinstance(said, str) else ""


def _asking(fields: Mapping[str, Any]) -> Iterator[Call]:
    """Ask first where the reply waits for the user, or wants leave for what it does."""
    asked = fields.get("questions")
    questions = [str(one) for one in asked] if isinstance(asked, list) else [asked] if isinstance(asked, str) else []
    match _status(fields, ()):
        case "PENDING":
            yield Call("call_user", (), {"question": " ".join(questions)})
        case "CONFIRM":
            doing = json.dumps(fields.get("action"), ensure_ascii=False)
            yield Call("call_user", (), {"question": " ".join(questions) or f"May this be done: {doing[:300]}?"})


def _ending(fields: Mapping[str, Any], items: Sequence[object]) -> Iterator[Call]:
    if (ends := _ENDS.get(_status(fields, items).removesuffix("ED"))) is not None:
        result = fields.get("result")
        said = result if isinstance(result, str) or result is None else json.dumps(result, ensure_ascii=False)
        yield Call("terminate", (), {**ends, **({"info": said} if said else {})})


def write_objects(thought: str, calls: Sequence[Call], words: Words) -> str:
    """Write a thought and calls in the keys of an agent."""
    items = [_item(call, words) for call in calls]
    if words.thought.endswith(":"):
        acts = json.dumps(items[0] if len(items) == 1 else items, ensure_ascii=False)
        return f"{words.thought} {thought}\nAction: {acts}"
    if words.tool == "Next Action" and len(items) == 1:
        return json.dumps({words.thought: thought, **items[0]}, ensure_ascii=False)
    return json.dumps({words.thought: thought, "action": items}, ensure_ascii=False)


def _item(call: Call, words: Words) -> dict[str, Any]:
    device, _, name = call.name.rpartition(".")
    if device == "action":
        return {"action": name, **call.kwargs}
    if device:
        values = [*call.kwargs.values()]
        word = next(word for word in words.rows if word.name == call.name)
        alone = len(values) == 1 and [*call.kwargs] == [*word.params][:1]
        return {device: {name: values[0] if alone else call.kwargs}}
    if words.tool == "function":
        return {"function": call.name, "arguments": call.kwargs}
    return {words.tool: call.name, **call.kwargs} if words.tool else {call.name: call.kwargs}
