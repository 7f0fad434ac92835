"""The codec between names with arguments and the values of the unified action space, both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from deskhand.core.action import Action, At, Described, Hotkey, OnElement, Target
from deskhand.core.geometry import Frame, Point, Size
from deskhand.dialects.binding import Bound, bind
from deskhand.dialects.grammar import Call
from deskhand.dialects.signatures import PLACE_WORDS, Signature
from deskhand.dialects.unreadable import Unreadable

ELEMENT_ID = re.compile(r"e\d+")
_FIELDS = {"args": "keys"}
_PLACES = frozenset({"start", "from_coord", "to_coord"})
_BOUNDS = {
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be {ge:g} at least",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be {le:g} at most",
    "too_short": "must have {min_length} at least",
    "too_long": "must have {max_length} at most",
}
"""Pydantic's kinds of errors about how much a value may be, and how we say them of its parameter."""
_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def to_action(name: str, arguments: Mapping[str, object], frame: Frame) -> Action:
    """Build the action called `name`; a model's coordinates become device pixels here and nowhere else.

    `element` may be an element's id (e3) or words for it.

    Raises:
        UnreadableReply: no action is called so, or its arguments do not fit; says what would.
    """
    return call_to_action(Call(name, (), dict(arguments)), frame)


def call_to_action(call: Call, frame: Frame) -> Action:
    """Build the action of a call; positional arguments are taken in the order of the signature.

    Raises:
        UnreadableReply: as for `to_action`, and for an argument given twice.
    """
    return action_of(bind(call), frame)


def action_of(bound: Bound, frame: Frame, target: Target | None = None) -> Action:
    """Build the action of a bound call, aimed at `target` where one is given, else at its own place.

    Raises:
        UnreadableReply: a value is outside its range; says which and what is.
    """
    signature = bound.signature
    given = {key: value for key, value in bound.params.items() if value is not None}
    fields = {
        _FIELDS.get(key, key): _field(signature, key, value, frame)
        for key, value in given.items()
        if key not in PLACE_WORDS
    }
    place = {key: value for key, value in given.items() if key in PLACE_WORDS}
    if target is not None or place:
        fields["target"] = target or _place(signature, place, frame)
    try:
        return _ACTION.validate_python({"kind": signature.name, **fields})
    except ValidationError as error:
        raise _out_of_bounds(signature, error) from error


def is_ratio(bound: Bound) -> bool:
    """Tell whether the place of a call is surely given in parts of the whole screen: as fractions of one."""
    places = ("x", "y", "from_coord", "to_coord", "start", "corner", "size")
    numbers = [value for key in places for value in _numbers(bound.params.get(key))]
    return bool(numbers) and all(0 <= n <= 1 for n in numbers) and any(isinstance(n, float) for n in numbers)


def spell(action: Action, frame: Frame | None = None) -> str:
    """Write an action as a call that reads back to the same action in `frame`, by default one of device pixels."""
    parts = [*_spelled_target(getattr(action, "target", None), frame)]
    if isinstance(action, Hotkey):
        alone = len(action.keys) == 1 and _chord(action.keys[0]) != [action.keys[0]]
        parts += [f"args={_literal(action.keys)}"] if alone else [_literal(key) for key in action.keys]
    else:
        for name in type(action).model_fields:
            value = getattr(action, name)
            if name not in ("kind", "target") and value != type(action).model_fields[name].default:
                parts.append(f"{name}={_literal(value[0] if name == 'keys' and len(value) == 1 else value, frame)}")
    return f"{action.kind}({', '.join(parts)})"


def _out_of_bounds(signature: Signature, error: ValidationError) -> Unreadable:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    said = first["msg"].removeprefix("Value error, ")
    if limit := _BOUNDS.get(first["type"]):
        said = f"{where} {limit.format_map(first['ctx'])}"
    elif where:
        said = f"{where}: {said[:1].lower()}{said[1:]}"
    code = "out_of_range" if first["type"] in _BOUNDS else "type_error"
    code = "missing_param" if first["type"] == "too_short" else code
    return Unreadable(code, f"{signature.name}: {said}; it is {signature}")


def _numbers(value: object) -> list[float]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, int | float) and not isinstance(item, bool)]


def _field(signature: Signature, key: str, value: object, frame: Frame) -> object:
    if key in _PLACES:
        return _one_place(signature, value, frame)
    if key == "corner":
        return _point(signature, value, frame)
    if key == "size":
        return _size(signature, value, frame)
    if key == "path":
        return [_point(signature, point, frame) for point in _sequence(signature, key, value)]
    if key in ("keys", "args", "modifiers"):
        return _keys(signature, key, value)
    return value


def _keys(signature: Signature, key: str, value: object) -> tuple[object, ...]:
    if isinstance(value, str):
        return tuple(_chord(value)) if key != "keys" else (value,)
    return tuple(_sequence(signature, key, value))


def _chord(text: str) -> list[str]:
    """Take `ctrl+shift+s`, `ctrl shift s` and `ctrl-s` apart; a lone sign stays a sign."""
    keys = re.findall(r"(?:(?<=\+)|(?<=^))\+|[^+\s]+", text.strip())
    return keys or [text]


def _sequence(signature: Signature, key: str, value: object) -> Sequence[object]:
    if isinstance(value, list | tuple):
        return value
    raise Unreadable("type_error", f"{signature.name}: {key} is a list; it is {signature}")


def _place(signature: Signature, place: Mapping[str, object], frame: Frame) -> Target:
    words = [key for key in ("element", "id", "described") if key in place]
    if len(words) > 1 or (words and ("x" in place or "y" in place)):
        raise Unreadable("duplicate_param", f"{signature.name}: give x and y, or element, not both; it is {signature}")
    if not words:
        if "x" not in place or "y" not in place:
            raise Unreadable("missing_param", f"{signature.name} needs both x and y; it is {signature}")
        return At(point=_point(signature, (place["x"], place["y"]), frame))
    text = place[words[0]]
    if not isinstance(text, str) or not text.strip():
        raise Unreadable(
            "type_error", f"{signature.name}: {words[0]} is an element's id or words for it; it is {signature}"
        )
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
                raise Unreadable("out_of_range", f"{signature.name}: {error}") from error
    raise Unreadable("type_error", f"{signature.name}: a point is two numbers, (x, y); it is {signature}")


def _size(signature: Signature, pair: object, frame: Frame) -> Size:
    match pair:
        case [width, height]:
            try:
                across, down = frame.fraction(_number(signature, width), _number(signature, height))
            except ValueError as error:
                raise Unreadable("out_of_range", f"{signature.name}: {error}") from error
            return Size(round(across * frame.device.width), round(down * frame.device.height))
    raise Unreadable("type_error", f"{signature.name}: a size is two numbers, (width, height); it is {signature}")


def _number(signature: Signature, value: object) -> float:
    if isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d+(\.\d*)?\s*", value):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable("type_error", f"{signature.name}: {value!r} is not a coordinate; it is {signature}")
    return value


def _spelled_target(target: Target | None, frame: Frame | None) -> list[str]:
    match target:
        case None:
            return []
        case At(point=point):
            x, y = _shown(point, frame)
            return [f"x={x}", f"y={y}"]
        case OnElement(id=element):
            return [f"{'element' if ELEMENT_ID.fullmatch(element) else 'id'}={_literal(element)}"]
        case Described(text=text):
            return [f"{'described' if ELEMENT_ID.fullmatch(text) else 'element'}={_literal(text)}"]


def _shown(point: Point, frame: Frame | None) -> tuple[float, float]:
    """Give a pixel in the coordinates of `frame`, whole where such numbers lie no further than a pixel from it."""
    if frame is None or frame.device == frame.shown:
        return point
    if frame.shown == (1, 1):
        x, y = frame.to_shown(point)
        return round(x, 4), round(y, 4)
    (wide, high), (across, down) = frame.device, frame.shown
    return _on_grid(point.x, wide, across), _on_grid(point.y, high, down)


def _on_grid(pixel: int, device: int, shown: int) -> float:
    # The first whole number that lies on the pixel, if one does: what a model said is told as it said it.
    first = -(-pixel * shown // device)
    near = (whole for whole in (first, first - 1) if abs(whole * device // shown - pixel) <= 1)
    # A number below 1 would be taken for a part of the whole.
    return next(near, max(round((pixel + 0.5) * shown / device, 1), 1))


def _literal(value: Any, frame: Frame | None = None) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case bool() | int() | float() | None:
            return repr(value)
        case Point():
            return "({}, {})".format(*_shown(value, frame))
        case Size() if frame is not None:
            across, down = frame.shown.width / frame.device.width, frame.shown.height / frame.device.height
            return f"({round(value.width * across, 4):g}, {round(value.height * down, 4):g})"
        case Size():
            return f"({value.width}, {value.height})"
        case At(point=point):
            return _literal(point, frame)
        case OnElement(id=element):
            return _literal(element) if ELEMENT_ID.fullmatch(element) else _literal({"id": element})
        case Described(text=text):
            return _literal({"described": text}) if ELEMENT_ID.fullmatch(text) else _literal(text)
        case Mapping():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(inner)}" for key, inner in value.items()) + "}"
        case _:
            return "[" + ", ".join(_literal(item, frame) for item in value) + "]"
