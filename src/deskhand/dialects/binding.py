"""Calls under the names and types of the action space, before anything is made of their coordinates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from deskhand.core.keys import find_key, split_chord
from deskhand.dialects.grammar import Bare, Call, Written, WrittenFloat, not_plain
from deskhand.dialects.points import finite, number_of, point_of
from deskhand.dialects.signatures import (
    ACTIONS,
    CLOSED,
    END_POINTS,
    MERE_TIMING,
    PARAMETER_ALIASES,
    PLACE_WORDS,
    POINTS,
    SAID_FOR,
    TABLE,
    Signature,
    key_of,
    said_by_name,
)
from deskhand.dialects.unreadable import Unreadable

_FROM_TO = {"swipe": ("from_coord", "to_coord"), "dragTo": ("start", "end_point")}
"""What a start and an end are called, by the action's name."""
_FOUR = (("x1", "y1", "x2", "y2"), ("start_x", "start_y", "end_x", "end_y"), ("from_x", "from_y", "to_x", "to_y"))
_CALLED = {"args": "keys"}
"""What a person calls a parameter."""
_SWITCHED = ("set_value", "select_option")
"""Actions whose value may be that of a switch."""
_ID_SPELLED = re.compile(r"\s*[#<(\[]?(e\d+)[)>\]]?\s*")
"""An element's id, with the signs that lists have around numbers."""
NOTCHES = 5
"""How far a wheel is turned when only the direction is said."""


class Bound(NamedTuple):
    """A call of the action space: its parameters by their own names, with values of their own types."""

    signature: Signature
    params: dict[str, object]
    repaired: bool = False
    """It was written in another way than the signature says, and could be meant in one way only."""

    @property
    def name(self) -> str:
        return self.signature.name


def bind(call: Call, *, placed: bool = True) -> Bound:
    """Put a call under the names of the action space; without `placed` its place may be left out.

    Raises:
        UnreadableReply: there is no such action, or the arguments do not fit it; says what would.
    """
    signature = signature_of(call.name)
    given, repaired = _named(signature, call)
    given, placing = _with_place(signature, {**said_by_name(call.name), **given})
    params: dict[str, object] = {}
    for key, value in given.items():
        params[key], changed = _typed(signature, key, value)
        repaired |= changed
    missing = [
        p for p in signature.required if params.get(p) is None and not (_stands_in(p, params) or _spared(p, placed))
    ]
    if missing:
        raise Unreadable(
            "missing_param",
            f"{signature.name} needs {_listed(missing, signature)}; it is {signature}",
        )
    spelled = call.name.rpartition(".")[2] == signature.name == call.name
    return Bound(signature, params, repaired or placing or not spelled)


def _listed(missing: Sequence[str], signature: Signature) -> str:
    names = [_CALLED.get(each, each) for each in missing]
    if names[:2] == ["x", "y"] and "element" in signature.names:
        names[:2] = ["a place (x and y, or element)"]
    return " and ".join(names)


def signature_of(name: str) -> Signature:
    """Find an action by any of its names.

    Raises:
        UnreadableReply: there is none; names the nearest.
    """
    found = TABLE.get(key_of(name))
    if found is None:
        near = [TABLE[match].name for match in get_close_matches(key_of(name), TABLE, n=1)]
        hint = f"the nearest is {near[0]}" if near else f"there are {ACTIONS}"
        raise Unreadable("unknown_action", f"there is no action called {name!r}; {hint}")
    return found


def with_checked_keys(bound: Bound) -> Bound:
    """Give keys in small letters, chords taken apart.

    Raises:
        UnreadableReply: one of them is the name of no key.
    """
    name = {"hotkey": "args", "press": "keys", "keyDown": "key", "keyUp": "key"}.get(bound.name, "modifiers")
    if (value := bound.params.get(name)) is None:
        return bound
    said = [value] if isinstance(value, str) else list(value) if isinstance(value, list) else [value]
    together = name in ("args", "modifiers")
    keys = [key for item in said for key in (_apart(item) if isinstance(item, str) and together else (item,))]
    for key in keys:
        if not (isinstance(key, str) and (find_key(key) or (name == "keys" and split_chord(key)))):
            raise Unreadable("invalid_key", f"{bound.name}: there is no key called {key!r}; it is {bound.signature}")
    small = [str(key).lower() if len(str(key)) > 1 or (name == "args" and len(keys) > 1) else key for key in keys]
    params = {**bound.params, name: small[0] if isinstance(value, str) and not together else small}
    return bound._replace(params=params, repaired=bound.repaired or small != said)


def _apart(text: str) -> tuple[str, ...]:
    """Take a chord apart; what is none stays whole."""
    return split_chord(text) or (text,)


def _named(signature: Signature, call: Call) -> tuple[dict[str, object], bool]:
    """Give the arguments by their names, and whether they had to be sorted out."""
    args: tuple[object, ...] = call.args
    kwargs, repaired = dict(call.kwargs), False
    if signature.name in _FROM_TO and (ends := _four(args, kwargs)):
        args, kwargs, repaired = (), {**ends[1], **dict(zip(_FROM_TO[signature.name], ends[0], strict=True))}, True
    if len(args) == 1 and isinstance(args[0], Mapping) and not kwargs:
        kwargs, repaired = {str(key): value for key, value in args[0].items()}, True
        args = ()
    if signature.name == "scroll" and any(key.lower() == "direction" for key in kwargs):
        kwargs, repaired = _in_notches(signature, kwargs), True
    positional: dict[str, object]
    if signature.name == "hotkey" and args:
        repaired |= isinstance(args[0], list | tuple)
        positional = {"args": args[0] if len(args) == 1 else list(args)}
    else:
        if len(args) > (1 if signature.name == "write" else len(signature.names)):
            raise Unreadable("type_error", f"{signature.name} is given {len(args)} arguments; it is {signature}")
        names = signature.names
        if signature.name == "swipe" and args and isinstance(args[0], str) and args[0].lower() in CLOSED["direction"]:
            names = ("direction", "amount")
        positional = dict(zip(names, args, strict=False))
    named: dict[str, object] = positional
    for key, value in kwargs.items():
        if key.lower() in MERE_TIMING and key.lower() not in signature.names:
            repaired = True
            continue
        parameter = _parameter(signature, key)
        if parameter in named:
            raise Unreadable("duplicate_param", f"{signature.name} is given {parameter} twice; it is {signature}")
        repaired |= parameter != key and not (signature.name == "hotkey" and key == "keys")
        named[parameter] = value
    return named, repaired


def _four(
    args: tuple[object, ...], kwargs: Mapping[str, object]
) -> tuple[tuple[object, object], dict[str, object]] | None:
    """Give a start and an end that are written as four numbers, and the other arguments."""
    names = next((names for names in _FOUR if kwargs.keys() >= set(names)), ())
    four = args if len(args) == 4 else tuple(kwargs[name] for name in names) if not args else ()
    if len(four) != 4 or not all(isinstance(number, int | float) for number in four):
        return None
    return ([*four[:2]], [*four[2:]]), {key: value for key, value in kwargs.items() if key not in names}


def _in_notches(signature: Signature, kwargs: dict[str, object]) -> dict[str, object]:
    """Write a direction and an amount, as other systems have them, as notches of the wheel."""
    named = {PARAMETER_ALIASES.get((signature.name, key.lower()), key.lower()): value for key, value in kwargs.items()}
    said = named.pop("direction")
    direction = _closed(signature, "direction", said.word if isinstance(said, Bare) else said)
    amount, _ = _number(signature, "clicks", named.pop("clicks", NOTCHES))
    assert isinstance(amount, int | float)
    notches = abs(amount) if direction in ("up", "right") else -abs(amount)
    return {**named, "right" if direction in ("left", "right") else "clicks": notches}


def _parameter(signature: Signature, key: str) -> str:
    name = key.strip().lower()
    name = PARAMETER_ALIASES.get((signature.name, name), name)
    if name in signature.names or (name in PLACE_WORDS and "element" in signature.names):
        return name
    if "x" in signature.names and (name in POINTS or name in END_POINTS):
        return name
    near = get_close_matches(name, signature.names, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise Unreadable("unknown_param", f"{signature.name} has no parameter {key!r}{hint}; it is {signature}")


def _with_place(signature: Signature, given: dict[str, object]) -> tuple[dict[str, object], bool]:
    """Give x and y their own places where they were written as one; also say whether they were."""
    ends = [key for key in given if key in END_POINTS]
    starts = [key for key in given if key in POINTS]
    if len(ends) > 1 or len(starts) > 1 or (ends and "start" not in signature.names):
        raise Unreadable("duplicate_param", f"{signature.name}: give one place; it is {signature}")
    if starts and (ends or "start" in given):
        given["start"] = given.pop(starts[0])
        starts = []
    for key in (*ends, *starts):
        if "x" in given or "y" in given:
            raise Unreadable("duplicate_param", f"{signature.name}: {key} and x, y say the same; it is {signature}")
        given = {"x": given.pop(key), **given}
    x = given.get("x")
    pair = None if "y" in given or isinstance(x, int | float) else point_of(x)
    if pair is not None:
        given = {"x": pair[0], "y": pair[1], **{key: value for key, value in given.items() if key != "x"}}
    elif isinstance(x, str) and "y" not in given and "element" not in given and number_of(x) is None:
        given = {"element": x, **{key: value for key, value in given.items() if key != "x"}}
    return given, bool(ends or starts or pair is not None or x != given.get("x"))


def _stands_in(parameter: str, given: Mapping[str, object]) -> bool:
    """Tell whether a place is given in another way than by the required `x` and `y`."""
    return parameter in ("x", "y") and any(given.get(key) is not None for key in PLACE_WORDS)


def _spared(parameter: str, placed: bool) -> bool:
    return parameter in ("x", "y") and not placed


def _typed(signature: Signature, key: str, value: object) -> tuple[object, bool]:
    """Give a value the type of its parameter, and say whether it had another."""
    if value is None:
        return None, False
    kind = signature.kinds.get(key, "str")
    value = list(value) if isinstance(value, tuple) else value
    if isinstance(value, Bare):
        return _bare(signature, key, value.word), True
    if key in CLOSED and kind == "str":
        word = _closed(signature, key, value)
        return word, word != value
    if key == "args" or kind in ("str | list[str]", "list[str]"):
        return _names(value)
    if kind in ("int", "float"):
        return _number(signature, key, value)
    if kind == "str":
        return _text(signature, key, value)
    if kind.startswith("point"):
        return _point(signature, key, value)
    if kind == "bool" and isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true", True
    return _without_bare(value), False


def _bare(signature: Signature, key: str, word: str) -> object:
    """Take a word without quotes for a text where only certain words can stand, since a name means nothing here."""
    if key in CLOSED:
        return _closed(signature, key, word)
    if key in ("args", "keys", "key") and split_chord(word):
        return word
    raise not_plain(repr(word))


def _closed(signature: Signature, key: str, value: object) -> str:
    word = value.strip().lower() if isinstance(value, str) else ""
    word = SAID_FOR.get(word, word)
    if word not in CLOSED[key]:
        allowed = ", ".join(CLOSED[key])
        raise Unreadable(f"invalid_{key}", f"{signature.name}: there is no {key} {value!r}; there are {allowed}")
    return word


def _names(value: object) -> tuple[object, bool]:
    """Give names of keys as they were written: one as a text, several as a list."""
    if isinstance(value, list):
        named = [_name(item) for item in value]
        return named, named != value
    return _name(value), _name(value) != value


def _name(item: object) -> object:
    if isinstance(item, Bare):
        if not split_chord(item.word):
            raise not_plain(repr(item.word))
        return item.word
    return str(item) if isinstance(item, int) and not isinstance(item, bool) else item


def _number(signature: Signature, key: str, value: object) -> tuple[object, bool]:
    what = "a coordinate" if key in ("x", "y") else f"a number, which {key} is"
    read = number_of(value) if isinstance(value, str) else value
    if isinstance(read, bool) or not isinstance(read, int | float):
        raise Unreadable("type_error", f"{signature.name}: {value!r} is not {what}; it is {signature}")
    return finite(read), isinstance(value, str)


def _text(signature: Signature, key: str, value: object) -> tuple[object, bool]:
    if key == "element" and not isinstance(value, str):
        raise Unreadable("type_error", f'{signature.name}: element is an id, such as "e3", or words, in quotes')
    if key == "element" and isinstance(value, str) and (found := _ID_SPELLED.fullmatch(value)):
        return found[1], found[1] != value
    match value:
        case str():
            return value, False
        case bool() if signature.name in _SWITCHED:
            return "on" if value else "off", True
        case Written() | WrittenFloat():
            return value.text, True
        case [str() as key] if signature.name in ("keyDown", "keyUp"):
            return key, True
        case bool():
            pass
        case int():
            return str(value), True
        case float():
            problem = f"put {key} in quotes, a number may lose digits"
            raise Unreadable("type_error", f"{signature.name}: {problem}; it is {signature}")
    raise Unreadable("type_error", f"{signature.name}: {key} is a text in quotes; it is {signature}")


def _point(signature: Signature, key: str, value: object) -> tuple[object, bool]:
    """Give a point as a list of two numbers; an element stays as it is."""
    if isinstance(value, list) and len(value) == 2 and not any(isinstance(v, str | list | tuple) for v in value):
        if any(isinstance(v, bool) or not isinstance(v, int | float) for v in value):
            raise Unreadable("type_error", f"{signature.name}: {key} is a point (x, y); it is {signature}")
        return [finite(v) for v in value], False
    pair = point_of(value)
    if pair is not None:
        return [*pair], True
    if isinstance(value, str | Mapping):
        return _without_bare(value), False
    raise Unreadable("type_error", f"{signature.name}: {key} is a point (x, y); it is {signature}")


def _without_bare(value: object) -> object:
    match value:
        case Bare():
            raise not_plain(repr(value.word))
        case list() | tuple():
            return [_without_bare(item) for item in value]
        case Mapping():
            return {key: _without_bare(item) for key, item in value.items()}
    return value
