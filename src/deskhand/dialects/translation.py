"""Calls in a family's own words, read as calls of ours, and actions told in a family's own words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote_plus

from deskhand.core.action import Action, Scroll, Swipe, Terminate, Wait
from deskhand.core.geometry import Frame
from deskhand.core.keys import find_key, split_chord
from deskhand.dialects.actions import spell
from deskhand.dialects.binding import NOTCHES
from deskhand.dialects.grammar import Bare, Call, parse_call
from deskhand.dialects.points import number_of, point_of
from deskhand.dialects.signatures import ALIASES, PARAMETER_ALIASES, TABLE, key_of
from deskhand.dialects.unreadable import Unreadable
from deskhand.dialects.words import Word, Words, letters

_SEARCH = "https://www.bing.com/search?q="
_EMPTY: tuple[object, ...] = ("", None, [], ())
_SAYS_NOTHING = frozenset({"element_info", "element_description", "description", "intent", "thought", "reason"})
"""Parameters in which families may say in words what they do; they change nothing."""


def heard(calls: Iterable[Call], words: Words) -> tuple[Call, ...]:
    """Read calls in a family's words as calls of ours; what is in none of them stays as it is.

    A word may stand for several of ours: keys that are held around an action, or a line that is submitted.

    Raises:
        UnreadableReply: a word has no meaning here, or a button is pressed and not let go.
    """
    return tuple(_without_buttons(call for said in calls for call in _heard(said, words)))


def told(action: Action, words: Words, frame: Frame | None) -> Call:
    """Tell an action in a family's words, its places in the coordinates of `frame`; what it has no word for, in ours.

    `heard` makes the same of it again.
    """
    own = parse_call(spell(action, frame))
    fields = {"keys" if name == "args" else name: value for name, value in own.kwargs.items()}
    fields |= ({"keys": list(own.args)} if own.args else {}) | _always(action)
    for word in words.rows:
        if (params := _params(word, action.kind, fields, words)) is not None:
            return Call(word.name, tuple(params.pop("*keys", ())), params)
    names = (action.kind, *(alias for alias, name in ALIASES.items() if name == key_of(action.kind)))
    free = next((n for n in names if _is_free(n, action.kind, words)), action.kind)
    return Call(free, (), _together(fields))


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


def _together(fields: Mapping[str, object]) -> dict[str, object]:
    """Give x and y as one, since not all forms know parameters of the two names."""
    rest = {key: value for key, value in fields.items() if key not in ("x", "y")}
    return {"coordinate": [fields["x"], fields["y"]], **rest} if "x" in fields else rest


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
    if kind == "scroll" and ("clicks" in rest or "right" in rest):
        return None
    return {**params, **_together(rest)}


def _theirs(word: Word, ours: str) -> str:
    return next(theirs for theirs, name in word.params.items() if name == ours)


def _taken(ours: str, rest: dict[str, Any], words: Words) -> object:
    """Take the value of one parameter out of `rest`; None when there is none."""
    unit, _, size = ours.partition("/")
    match unit:
        case "at" if "x" in rest and "y" in rest:
            return [rest.pop("x"), rest.pop("y")]
        case "at":
            return rest.pop("element", None)
        case "held":
            return _joined(keys, words) if (keys := rest.pop("modifiers", None)) else None
        case "up" if rest.get("clicks") and not rest.get("right"):
            return rest.pop("clicks") * int(size)
        case "right" if rest.get("right") and not rest.get("clicks"):
            return rest.pop("right") * int(size)
        case "direction" if ("clicks" in rest) != ("right" in rest):
            up, right = rest.get("clicks", 0), rest.get("right", 0)
            rest["notches"] = abs(up or right)
            rest.pop("clicks", None), rest.pop("right", None)
            return ("up" if up > 0 else "down") if up else "right" if right > 0 else "left"
        case "notches":
            notches = rest.pop("notches", None)
            return None if notches == NOTCHES else notches
        case "line":
            return rest.pop("message", None)
        case "*keys":
            return rest.pop("keys", None)
        case _:
            return rest.pop(ours, None)


def _joined(keys: Sequence[object], words: Words) -> object:
    named = ["space" if key == " " else str(key) for key in keys]
    return words.chord.join(named) if words.chord else named


def _heard(call: Call, words: Words) -> Iterator[Call]:
    word = _word(call, words)
    if word is None:
        yield call
        return
    if not word.ours:
        raise Unreadable("unknown_action", f"{word.name} has no meaning here; {word.said['instead']}")
    given = {**word.said, **_given(call, word)}
    held, submit = _keys(given.pop("held", None)), _yes(given.pop("submit", False))
    match word.ours:
        case "chord":
            yield _pressed(_keys(given.pop("chord", None)), given)
        case "hold":
            yield from _around(_keys(given.pop("chord", None)), [Call("wait", (), given)])
        case "hold_press":
            keys = _keys(given.pop("keys", None))
            yield from _around(held, [Call("press", (), {"keys": [*keys]})])
        case kind:
            yield from _acted(kind, given, held)
    if submit:
        yield Call("press", (), {"keys": "enter"})


def _acted(kind: str, given: dict[str, Any], held: tuple[str, ...]) -> Iterator[Call]:
    if "line" in given:
        yield from _line(given)
        return
    args = given.pop("*keys", ())
    if held and "modifiers" in TABLE.get(key_of(kind), TABLE["wait"]).names:
        given, held = {**given, "modifiers": list(held)}, ()
    yield from _around(held, [Call(kind, tuple(args), given)])


def _line(given: dict[str, Any]) -> Iterator[Call]:
    line = given.pop("line")
    submitted = isinstance(line, str) and line.endswith("\n")
    if not submitted or line != "\n":
        yield Call("write", (), {"message": line[:-1] if submitted else line, **given})
    if submitted:
        yield Call("press", (), {"keys": "enter"})


def _around(keys: Sequence[str], calls: Iterable[Call]) -> Iterator[Call]:
    """Hold keys while something is done."""
    yield from (Call("keyDown", (), {"key": key}) for key in keys)
    yield from calls
    yield from (Call("keyUp", (), {"key": key}) for key in reversed(keys))


def _pressed(keys: Sequence[str], rest: dict[str, Any]) -> Call:
    return Call("press", (), {"keys": [*keys], **rest}) if len(keys) == 1 else Call("hotkey", (), {"keys": [*keys]})


def _word(call: Call, words: Words) -> Word | None:
    """Find the word of a call by its name and by what is given."""
    key = letters(call.name)
    candidates = words.by_key.get(key) or (words.chords if key == "hotkey" else ())
    said = {name.lower(): value for name, value in call.kwargs.items() if value not in _EMPTY}
    fitting = [word for word in candidates if _fits(_named(call, word, said), word)]
    return max(fitting, key=lambda word: len(said.keys() & {n.lower() for n in word.params}), default=None)


def _fits(said: Mapping[str, object], word: Word) -> bool:
    return all(_plain(said.get(name)) == _plain(value) for name, value in word.when.items())


def _named(call: Call, word: Word, said: Mapping[str, object]) -> dict[str, object]:
    """Give what is said with and without names."""
    return {**dict(zip((*word.when, *word.params), call.args, strict=False)), **said}


def _plain(value: object) -> str:
    return str(value.word if isinstance(value, Bare) else value).strip().lower()


def _given(call: Call, word: Word) -> dict[str, Any]:
    """Give what a call says, by our names."""
    names = (*word.when, *word.params)
    if names[:1] == ("*keys",):
        return {"*keys": call.args, **call.kwargs} if call.args else dict(call.kwargs)
    if len(call.args) > len(names):
        problem = f"{word.name} takes {', '.join(names) or 'nothing'} and is given {len(call.args)} arguments"
        raise Unreadable("type_error", problem)
    said = [*zip(names, call.args, strict=False), *call.kwargs.items()]
    lowered = {name.lower(): ours for name, ours in word.params.items()}
    given: dict[str, Any] = {}
    for name, value in said:
        plain = name.strip().lower()
        aliased = PARAMETER_ALIASES.get((word.ours, plain), name)
        ours = lowered.get(plain, "-" if plain in _SAYS_NOTHING else aliased)
        if ours == "-" or name in word.when or (value in _EMPTY and ours not in ("message", "line")):
            continue
        given |= _meant(ours, value, word)
    if "start" in given and not {"end_point", "x"} & given.keys() and word.ours == "dragTo":
        given["end_point"] = given.pop("start")
    if given.pop("sideways", False):
        given["right"] = given.pop("clicks", 0)
    return given


def _meant(ours: str, value: Any, word: Word) -> dict[str, Any]:
    """Give one parameter by our name, in our unit."""
    unit, _, size = ours.partition("/")
    match unit:
        case "at":
            return {"end_point" if word.ours == "dragTo" else "point": value}
        case "up" | "right" if size:
            return {"clicks" if unit == "up" else "right": _notches(value, int(size), word)}
        case "notches":
            return {"amount": value}
        case "sideways":
            return {"sideways": _yes(value)}
        case "won":
            return {"status": "success" if _yes(value) else "failure"}
        case "search":
            return {"url": _SEARCH + quote_plus(str(value))}
        case "replace":
            return {"replace": _yes(value)}
        case _:
            return {ours: value}


def _notches(value: object, unit: int, word: Word) -> int:
    """Give turns of the wheel as notches: at least one for anything but 0."""
    number = number_of(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or abs(number) > 10**9:
        raise Unreadable("type_error", f"{word.name}: {value!r} is no amount to scroll; it is a number")
    notches = max(1, int(abs(number) / unit + 0.5)) if number else 0
    return notches if number > 0 else -notches


def _yes(value: object) -> bool:
    return _plain(value) in ("true", "1", "yes")


def _keys(value: object) -> tuple[str, ...]:
    """Read keys in any spelling: a chord, a list of names or of chords, or such a list as JSON in a text."""
    value = value.word if isinstance(value, Bare) else value
    if isinstance(value, str) and len(value) > 2 and value.strip()[:1] == "[":
        value = _listed(value)
    if value in (*_EMPTY, "None", "none"):
        return ()
    items = value if isinstance(value, list | tuple) else [value]
    texts = [str(item.word if isinstance(item, Bare) else item) for item in items]
    return tuple(key for text in texts for key in split_chord(text) or _apart(text))


def _listed(text: str) -> object:
    try:
        return json.loads(text.replace("'", '"'))
    except (ValueError, RecursionError):
        return text.strip("[] ").split(",")


def _apart(text: str) -> tuple[str, ...]:
    """Take keys apart that are no chord; what holds something else than keys stays whole."""
    parts = tuple(re.split(r"[\s+]+", text.strip()))
    return parts if all(map(find_key, parts)) else (text,)


def _without_buttons(calls: Iterable[Call]) -> Iterator[Call]:
    """Make drags, or clicks, of buttons that are pressed, moved and let go; a batch that leaves one down is refused."""
    pressed: list[Call] = []
    for call in calls:
        if call.name == "mouse_down" and not pressed:
            pressed = [call]
        elif not pressed and call.name != "mouse_up":
            yield call
        elif pressed and call.name in ("moveTo", "mouse_up"):
            pressed.append(call)
            if call.name == "mouse_up":
                yield _dragged(pressed)
                pressed = []
        else:
            raise _held_open()
    if pressed:
        raise _held_open()


def _held_open() -> Unreadable:
    problem = "a button is pressed and let go in one reply, with nothing but moves between; drag in one action"
    return Unreadable("unknown_action", problem)


def _dragged(calls: Sequence[Call]) -> Call:
    down = calls[0]
    places = [place for call in calls[1:] if (place := _place(call)) is not None]
    start, button = _place(down), down.kwargs.get("button", "left")
    if not places:
        return Call("click", (), {**({"point": start} if start else {}), "button": button})
    path = {"path": [point_of(place) or place for place in places[:-1]]} if places[:-1] else {}
    begun = {"start": start} if start else {}
    return Call("dragTo", (), {"end_point": places[-1], **begun, **path, "button": button})


def _place(call: Call) -> object:
    if "x" in call.kwargs and "y" in call.kwargs:
        return [call.kwargs["x"], call.kwargs["y"]]
    return call.kwargs.get("point")
