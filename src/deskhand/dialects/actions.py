"""The codec between names with arguments and the values of the unified action space, both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import TypeAdapter, ValidationError

from deskhand.core.action import Action, At, Described, Hotkey, OnElement, Target
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Frame, Point
from deskhand.dialects.grammar import Call
from deskhand.dialects.signatures import ALIASES, PARAMETER_ALIASES, PLACE_WORDS, SIGNATURES, TABLE, Signature

__all__ = ["SIGNATURES", "call_to_action", "spell", "to_action"]

ELEMENT_ID = re.compile(r"e\d+")
_ACTION: TypeAdapter[Action] = TypeAdapter(Action)
_PLACES = frozenset({"start", "from_coord", "to_coord"})
_TEXTS = frozenset({"message", "value", "answer", "question", "info", "app_name", "url", "window", "key"})


def to_action(name: str, arguments: Mapping[str, object], frame: Frame) -> Action:
    """Build the action called `name`; a model's coordinates become device pixels here and nowhere else.

    `element` may be an element's id (e3) or words for it.

    Raises:
        UnreadableReply: no action is called so, or its arguments do not fit; says what would.
    """
    signature = _signature(name)
    given = {_parameter(signature, key): value for key, value in arguments.items() if value is not None}
    missing = [p for p in signature.required if p not in given and not _stands_in(p, given)]
    if missing:
        raise UnreadableReply(f"{signature.name} needs {' and '.join(missing)}; it is {signature}")
    fields = {key: _field(signature, key, value, frame) for key, value in given.items() if key not in PLACE_WORDS}
    place = {key: value for key, value in given.items() if key in PLACE_WORDS}
    if place:
        fields["target"] = _place(signature, place, frame)
    try:
        return _ACTION.validate_python({"kind": signature.name, **fields})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "its arguments"
        raise UnreadableReply(f"{signature.name}: {where}: {first['msg']}; it is {signature}") from error


def call_to_action(call: Call, frame: Frame) -> Action:
    """Build the action of a call; positional arguments are taken in the order of the signature.

    Raises:
        UnreadableReply: as for `to_action`, and for an argument given twice.
    """
    signature = _signature(call.name)
    arguments: dict[str, object] = dict(call.kwargs)
    positional: tuple[tuple[str, object], ...]
    if signature.name == "hotkey" and call.args:
        positional = (("keys", call.args[0] if len(call.args) == 1 else list(call.args)),)
    else:
        if len(call.args) > len(signature.names):
            raise UnreadableReply(f"{signature.name} is given {len(call.args)} arguments; it is {signature}")
        positional = tuple(zip(signature.names, call.args, strict=False))
    for key, value in positional:
        if key in arguments:
            raise UnreadableReply(f"{signature.name} is given {key} twice; it is {signature}")
        arguments[key] = value
    return to_action(call.name, arguments, frame)


def spell(action: Action) -> str:
    """Write an action as a call that reads back to the same action in a frame of device pixels."""
    parts = [*_spelled_target(getattr(action, "target", None))]
    if isinstance(action, Hotkey):
        alone = len(action.keys) == 1 and _chord(action.keys[0]) != [action.keys[0]]
        parts += [f"keys={_literal(action.keys)}"] if alone else [_literal(key) for key in action.keys]
    else:
        for name in type(action).model_fields:
            value = getattr(action, name)
            if name not in ("kind", "target") and value != type(action).model_fields[name].default:
                parts.append(f"{name}={_literal(value[0] if name == 'keys' and len(value) == 1 else value)}")
    return f"{action.kind}({', '.join(parts)})"


def _signature(name: str) -> Signature:
    key = re.sub(r"[^a-z]", "", name.lower())
    found = TABLE.get(ALIASES.get(key, key))
    if found is None:
        names = {re.sub(r"[^a-z]", "", s.name.lower()): s.name for s in TABLE.values()}
        near = [names[match] for match in get_close_matches(key, names, n=1)]
        hint = f"the nearest is {near[0]}" if near else "there are: " + ", ".join(s.name for s in TABLE.values())
        raise UnreadableReply(f"there is no action called {name!r}; {hint}")
    return found


def _parameter(signature: Signature, key: str) -> str:
    name = key.strip().lower()
    name = PARAMETER_ALIASES.get((signature.name, name), name)
    if name in signature.names or (name in PLACE_WORDS and "element" in signature.names):
        return name
    near = get_close_matches(name, signature.names, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise UnreadableReply(f"{signature.name} has no parameter {key!r}{hint}; it is {signature}")


def _stands_in(parameter: str, given: Mapping[str, object]) -> bool:
    """Tell whether a place is given in another way than by the required `x` and `y`."""
    return parameter in ("x", "y") and not PLACE_WORDS.isdisjoint(given)


def _field(signature: Signature, key: str, value: object, frame: Frame) -> object:
    if key in _PLACES:
        return _one_place(signature, value, frame)
    if key == "path":
        return [_point(signature, point, frame) for point in _sequence(signature, key, value)]
    if key == "keys" or key == "modifiers":
        return _keys(signature, key, value)
    if key in _TEXTS:
        return _text(signature, key, value)
    return value


def _text(signature: Signature, key: str, value: object) -> object:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        raise UnreadableReply(f"{signature.name}: put {key} in quotes, a number may lose digits; it is {signature}")
    return value


def _keys(signature: Signature, key: str, value: object) -> tuple[object, ...]:
    if isinstance(value, str):
        return tuple(_chord(value)) if signature.name == "hotkey" or key == "modifiers" else (value,)
    return tuple(str(k) if isinstance(k, int) else k for k in _sequence(signature, key, value))


def _chord(text: str) -> list[str]:
    """Take `ctrl+shift+s`, `ctrl shift s` and `ctrl-s` apart; a lone sign stays a sign."""
    keys = re.findall(r"(?:(?<=\+)|(?<=^))\+|[^+\s]+", text.strip())
    return keys or [text]


def _sequence(signature: Signature, key: str, value: object) -> Sequence[object]:
    if isinstance(value, list | tuple):
        return value
    raise UnreadableReply(f"{signature.name}: {key} is a list; it is {signature}")


def _place(signature: Signature, place: Mapping[str, object], frame: Frame) -> Target:
    words = [key for key in ("element", "id", "described") if key in place]
    if len(words) > 1 or (words and ("x" in place or "y" in place)):
        raise UnreadableReply(f"{signature.name}: give x and y, or element, not both; it is {signature}")
    if not words:
        if "x" not in place or "y" not in place:
            raise UnreadableReply(f"{signature.name} needs both x and y; it is {signature}")
        return At(point=_point(signature, (place["x"], place["y"]), frame))
    text = place[words[0]]
    if not isinstance(text, str) or not text.strip():
        raise UnreadableReply(f"{signature.name}: {words[0]} is an element's id or words for it; it is {signature}")
    if words[0] == "id" or (words[0] == "element" and ELEMENT_ID.fullmatch(text)):
        return OnElement(id=text)
    return Described(text=text)


def _one_place(signature: Signature, value: object, frame: Frame) -> Target:
    if isinstance(value, str):
        return _place(signature, {"element": value}, frame)
    if isinstance(value, Mapping):
        return _place(signature, {str(key): inner for key, inner in value.items()}, frame)
    return At(point=_point(signature, value, frame))


def _point(signature: Signature, pair: object, frame: Frame) -> Point:
    match pair:
        case [x, y]:
            try:
                return frame.to_device(_number(signature, x), _number(signature, y))
            except ValueError as error:
                raise UnreadableReply(f"{signature.name}: {error}") from error
    raise UnreadableReply(f"{signature.name}: a point is two numbers, (x, y); it is {signature}")


def _number(signature: Signature, value: object) -> float:
    if isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d+(\.\d*)?\s*", value):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableReply(f"{signature.name}: {value!r} is not a coordinate; it is {signature}")
    return value


def _spelled_target(target: Target | None) -> list[str]:
    match target:
        case None:
            return []
        case At(point=point):
            return [f"x={point.x}", f"y={point.y}"]
        case OnElement(id=element):
            return [f"{'element' if ELEMENT_ID.fullmatch(element) else 'id'}={_literal(element)}"]
        case Described(text=text):
            return [f"{'described' if ELEMENT_ID.fullmatch(text) else 'element'}={_literal(text)}"]


def _literal(value: Any) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case bool() | int() | float() | None:
            return repr(value)
        case Point():
            return f"({value.x}, {value.y})"
        case At(point=point):
            return _literal(point)
        case OnElement(id=element):
            return _literal(element) if ELEMENT_ID.fullmatch(element) else _literal({"id": element})
        case Described(text=text):
            return _literal({"described": text}) if ELEMENT_ID.fullmatch(text) else _literal(text)
        case Mapping():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(inner)}" for key, inner in value.items()) + "}"
        case _:
            return "[" + ", ".join(_literal(item) for item in value) + "]"
