"""Actions told in a family's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from deskhand.core.action import Action, Scroll, Swipe, Terminate, Wait
from deskhand.core.geometry import Frame
from deskhand.dialects.actions import spell
from deskhand.dialects.binding import NOTCHES
from deskhand.dialects.grammar import Call, parse_call
from deskhand.dialects.signatures import ALIASES, key_of
from deskhand.dialects.words import Word, Words, letters

_WHEEL = frozenset({"up", "down", "right", "direction", "notches", "downward", "pages"})


def told(action: Action, words: Words, frame: Frame | None) -> Call:
    """Tell an action in a family's words, its places in the coordinates of `frame`; what it has no word for, in ours.

    `heard` makes the same of it again.
    """
    own = parse_call(spell(action, frame))
    fields = {"keys" if name == "args" else name: value for name, value in own.kwargs.items()}
    fields |= ({"keys": list(own.args)} if own.args else {}) | _always(action)
    for word in filter(lambda word: word.told, words.rows):
        if (params := _params(word, action.kind, fields, words)) is not None:
            return Call(word.name, tuple(params.pop("*keys", ())), params)
    names = (action.kind, *(alias for alias, name in ALIASES.items() if name == key_of(action.kind)))
    free = next((n for n in names if _is_free(n, action.kind, words)), action.kind)
    return Call(free, (), _together(fields, action.kind))


def _is_free(name: str, kind: str, words: Words) -> bool:
    return all(word.ours == kind for word in words.by_key.get(letters(name), ()))


def _always(action: Action) -> dict[str, object]:
    """Give what is said even where it is as usual with us."""
    match action:
        case Wait():
            return {"seconds": action.seconds}
        case Terminate():
            return {"status": action.status}
        case Swipe() if action.from_coord is None or action.to_coord is None:
            return {"direction": action.direction}
        case Scroll() if not action.clicks and not action.right:
            return {"clicks": 0}
        case _:
            return {}


def _together(fields: Mapping[str, object], kind: str) -> dict[str, object]:
    """Give x and y as one, since not all forms know parameters of the two names."""
    rest = {key: value for key, value in fields.items() if key not in ("x", "y")}
    if "x" not in fields:
        return rest
    return {"end_point" if kind == "dragTo" else "coordinate": [fields["x"], fields["y"]], **rest}


def _params(word: Word, kind: str, fields: Mapping[str, object], words: Words) -> dict[str, Any] | None:
    """Give the parameters with which a word says an action of ours; None when it cannot."""
    rest = dict(fields)
    if word.ours == "chord" and kind in ("press", "hotkey"):
        keys = rest.pop("keys", [])
        keys = [keys] if isinstance(keys, str) else keys
        if rest or not isinstance(keys, list) or (kind == "press" and len(keys) > 1):
            return None
        return {_theirs(word, "chord"): _joined(keys, words)}
    if word.ours != kind or any(rest.pop(key, None) != value for key, value in word.said.items()):
        return None
    if "line" in word.params.values() and str(rest.get("message", "")).endswith("\n"):
        return None
    params: dict[str, Any] = dict(word.when)
    for theirs, ours in word.params.items():
        if (value := _taken(ours, rest, words)) is not None:
            params[theirs] = value
    left = _together(rest, kind)
    if (kind == "scroll" and ("clicks" in rest or "right" in rest)) or left.keys() & word.params.keys():
        return None
    return {**params, **left}


def _theirs(word: Word, ours: str) -> str:
    return next(theirs for theirs, name in word.params.items() if name == ours)


def _taken(ours: str, rest: dict[str, Any], words: Words) -> object:
    """Take the value of one parameter out of `rest`; None when there is none."""
    unit, _, size = ours.partition("/")
    if unit in _WHEEL:
        return _turned(unit, int(size or 1), rest)
    match unit:
        case "points":
            if "start" not in rest or "x" not in rest:
                return None
            middle = rest.pop("path", [])
            return [dict(zip("xy", place, strict=True)) for place in (rest.pop("start"), *middle, _point(rest))]
        case "at" | "mark" | "ends" | "words":
            return _placed(unit, rest)
        case "start":
            said_in_words = isinstance(rest.get("start"), str) and not words.described
            return None if said_in_words else rest.pop("start", None)
        case "held":
            return _joined(keys, words) if (keys := rest.pop("modifiers", None)) else None
        case "line":
            return rest.pop("message", None)
        case "replace" | "cleared" | "won" | "double":
            return _whether(unit, rest)
        case _:
            return rest.pop(ours.lstrip("*"), None)


def _whether(unit: str, rest: dict[str, Any]) -> bool | None:
    """Take what is said by a yes or no; None when it is none of it."""
    if unit == "double":
        return rest.pop("clicks") == 2 if rest.get("clicks") == 2 else None
    return bool(rest.pop("status", "") == "success" if unit == "won" else rest.pop("replace", False))


def _point(rest: dict[str, Any]) -> list[Any]:
    return [rest.pop("x"), rest.pop("y")]


def _placed(unit: str, rest: dict[str, Any]) -> object:
    element = rest.get("element")
    if unit == "mark":
        return int(rest.pop("element")[1:]) if isinstance(element, str) and re.fullmatch(r"e\d+", element) else None
    if "x" not in rest:
        return rest.pop("element", None) if unit == "words" else None
    if unit == "ends" and "start" not in rest:
        return None
    place = _point(rest)
    return place if unit != "ends" else [rest.pop("start"), place]


def _turned(unit: str, size: int, rest: dict[str, Any]) -> object:
    """Take what a wheel is turned, which is one way only, in a family's unit."""
    up, right = rest.get("clicks", 0), rest.get("right", 0)
    if unit == "notches":
        notches = rest.pop("notches", None)
        return None if notches == NOTCHES else notches
    if unit == "pages":
        return rest.pop("pages") / size if "pages" in rest else None
    if unit == "direction":
        if ("clicks" in rest) == ("right" in rest):
            return None
        rest.pop("clicks", None), rest.pop("right", None)
        rest["notches"] = abs(up or right)
        return ("up" if up > 0 else "down") if up else "right" if right > 0 else "left"
    if (right if unit != "right" else up) or not (up if unit != "right" else right):
        return None
    turned = rest.pop("right" if unit == "right" else "clicks")
    if unit == "downward":
        rest["pages"] = abs(turned)
        return turned < 0
    return turned * (-size if unit == "down" else size)


def _joined(keys: Sequence[object], words: Words) -> object:
    named = ["space" if key == " " else str(key) for key in keys]
    return words.chord.join(named) if words.chord else named
