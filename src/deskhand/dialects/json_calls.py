"""Actions written as JSON objects, read as calls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from deskhand.core.text import whole_in
from deskhand.dialects.calls import find_calls
from deskhand.dialects.grammar import Call
from deskhand.dialects.json_mending import mended, without_duplicates
from deskhand.dialects.json_text import one_object
from deskhand.dialects.signatures import is_action
from deskhand.dialects.unreadable import Unreadable

_NAMES = ("function", "name", "action", "actiontype", "type")
_ARGUMENTS = ("arguments", "args", "parameters", "params", "input")
WRAPPERS = frozenset({"computeruse", "mobileuse", "computer", "browseruse"})
"""Tools whose argument `action` says what is to be done with them."""
_BETWEEN = re.compile(r"(?:[\s,;]|(?://|\#)[^\n]*)*")
_FENCE = re.compile(r"\A\s*(?:```\w*\s*)?|\s*(?:```)?\s*\Z")


class ToolCall(Call):
    """A call made through a tool for using a computer, whose coordinates need not be those of other calls."""


def folded(fields: Mapping[str, object]) -> dict[str, object]:
    """Make keys comparable: `CurrentSubtask`, `current_subtask` and `current subtask` are one."""
    return {re.sub(r"[^a-z]", "", key.lower()): value for key, value in fields.items()}


class JsonCalls(NamedTuple):
    """Calls that were written as JSON."""

    calls: tuple[Call, ...]
    exact: bool
    """They were written in the form that was asked for."""


def calls_of_json(text: str) -> JsonCalls | None:
    """Read a text that is one or more JSON objects, or a list of them; None when it is something else.

    Raises:
        UnreadableReply: an object in it is no action.
    """
    plain = _FENCE.sub("", text)
    if plain[:1] not in ("{", "["):
        return None
    strict = _values(plain)
    values = _values(mended(plain)) if strict is None else strict
    if values is None:
        return None
    items = [item for value in values for item in (value if isinstance(value, list) else [value])]
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    calls = tuple(call for item in items for call in calls_of(item).calls)
    return JsonCalls(calls, strict is not None and all(isinstance(call, ToolCall) for call in calls))


def calls_of(item: object) -> JsonCalls:
    """Read an object as the call it stands for, or a text as the calls in it.

    Raises:
        UnreadableReply: it names no action.
    """
    match item:
        case str() if calls := find_calls(item).calls:
            return JsonCalls(calls, False)
        case {"action": dict() as inner, **rest} if not rest:
            return JsonCalls((_call_of(inner),), False)
        case {"function": str() as text, **rest} if "(" in text and not rest:
            return calls_of(text)
        case dict() if len(item) == 1 and _is_call(*(only := next(iter(item.items())))):
            return JsonCalls((Call(only[0], (), dict(only[1])),), False)
    return JsonCalls((_call_of(item),), True)


def _is_call(name: object, arguments: object) -> bool:
    return isinstance(name, str) and isinstance(arguments, dict) and is_action(name)


def _call_of(item: object) -> Call:
    """Read an object as the call it stands for; its parts may go by any of their usual names; raises as `calls_of`."""
    fields = folded(item) if isinstance(item, dict) else {}
    key = next((key for key in _NAMES if isinstance(fields.get(key), str) and fields[key]), "")
    if not key or not isinstance(item, dict):
        shown = json.dumps(item, ensure_ascii=False)[:300]
        wanted = 'write {"function": "click", "arguments": {"element": "e3"}}'
        raise Unreadable("no_action", f"{shown} is not an action; {wanted}")
    name = str(fields[key])
    arguments: object = next((fields[k] for k in _ARGUMENTS if fields.get(k) is not None), None)
    if arguments is None and key != "function":
        arguments = {k: v for k, v in item.items() if re.sub(r"[^a-z]", "", k.lower()) not in (key, *_ARGUMENTS)}
    if isinstance(arguments, str):
        arguments = one_object(arguments) if arguments.strip() else {}
    arguments = {} if arguments is None else arguments
    if isinstance(arguments, list) and key == "function":
        return Call(name, tuple(arguments), {})
    if not isinstance(arguments, dict):
        raise Unreadable("type_error", f"the arguments of {name} are an object of names and values")
    if re.sub(r"[^a-z]", "", name.lower()) in WRAPPERS and isinstance(arguments.get("action"), str):
        inner = {k: v for k, v in arguments.items() if k != "action"}
        verb = arguments["action"]
        return ToolCall("hotkey" if verb == "key" else verb, (), inner)
    return Call(name, (), arguments)


def _values(text: str) -> list[object] | None:
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=without_duplicates)
    values: list[object] = []
    at = 0
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            values.append(whole_in(value))
            at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]  # it matches anywhere
    except (ValueError, RecursionError):
        return None
    return values
