"""Calls in a family's own words, read as calls of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from deskhand.core.keys import find_key, split_chord
from deskhand.dialects.grammar import Bare, Call
from deskhand.dialects.marks import element_of
from deskhand.dialects.points import number_of, point_of
from deskhand.dialects.sendkeys import keys_and_texts
from deskhand.dialects.signatures import PARAMETER_ALIASES, TABLE, key_of
from deskhand.dialects.unreadable import Unreadable
from deskhand.dialects.words import Word, Words, letters

_SEARCH = "https://www.bing.com/search?q="
_EMPTY: tuple[object, ...] = ("", None, [], ())
_PAGE = 10
"""How many notches of the wheel count as a page."""
_STAND_INS = frozenset({"*keys", "chord", "downward", "held", "line", "pages", "sendkeys", "sideways", "submit"})
"""Names under which something waits here that becomes parameters of ours."""
_NOWHERE_ELSE = frozenset({"click", "doubleClick", "rightClick", "dragTo", "moveTo", "long_press"})
"""What is done in a place; one that is left empty is not that of the pointer."""
_UNIT = re.compile(r"(?<=\d)\s*s(?:ec(?:onds?|s)?)?\.?\s*\Z", re.IGNORECASE)
_MOST_TIMES = 100
_TURNS = frozenset({"clicks", "right"})
_YES, _NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off", "none")
_SAYS_NOTHING = frozenset({"element_info", "element_description", "description", "intent", "thought", "reason"})
"""Parameters in which families may say in words what they do; they change nothing."""


def heard(calls: Iterable[Call], words: Words) -> tuple[Call, ...]:
    """Read calls in a family's words as calls of ours; what is in none of them stays as it is.

    A word may stand for several of ours: keys that are held around an action, or a line that is submitted.

    Raises:
        UnreadableReply: a word has no meaning here, or a button is pressed and not let go.
    """
    return tuple(one.call for one in heard_apart(calls, words))


class Heard(NamedTuple):
    """A call of ours, and the numbers of the first and the last of the calls that were said for it."""

    call: Call
    first: int
    last: int


def heard_apart(calls: Iterable[Call], words: Words) -> tuple[Heard, ...]:
    """Do the same as `heard`, and also say what was said for what; raises as `heard`."""
    said = enumerate(calls)
    return tuple(without_buttons(Heard(call, number, number) for number, one in said for call in in_ours(one, words)))


def in_ours(call: Call, words: Words) -> Iterator[Call]:
    """Read one call; pressing a button and letting it go are still calls of their own. Raises as `heard`."""
    word = _word(call, words)
    if word is None:
        yield call
        return
    if not word.ours:
        raise Unreadable("unknown_action", f"{word.name} has no meaning here; {word.said['instead']}")
    given = {**word.said, **_given(call, word)}
    if (decision := given.pop("safety_decision", None)) is not None:
        yield Call("call_user", (), {"question": _asked(decision)})
    held, submit = _keys(given.pop("held", None)), _yes(given.pop("submit", False))
    match word.ours:
        case "chord":
            keys = next((given.pop(name) for name in ("chord", "keys", "key") if name in given), None)
            yield from _pressed(_keys(keys), given)
        case "hold":
            yield from _around(_keys(given.pop("chord", None)), [Call("wait", (), given)])
        case "sendkeys":
            line = str(given.pop("sendkeys", ""))
            yield from [Call("click", (), given)] if given else []
            yield from keys_and_texts(line)
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


def _pressed(keys: Sequence[str], rest: dict[str, Any]) -> Iterator[Call]:
    if len(keys) == 1:
        yield Call("press", (), {"keys": [*keys], **rest})
        return
    times = rest.pop("presses", 1)
    for _ in range(min(int(times), _MOST_TIMES) if isinstance(times, int) else 1):
        yield Call("hotkey", (), {"keys": [*keys], **rest})


def _asked(decision: object) -> str:
    """Put a safety decision of the model's service as a question to the user."""
    why = decision.get("explanation") if isinstance(decision, Mapping) else decision
    return f"The model's service wants your leave: {why}"


def _word(call: Call, words: Words) -> Word | None:
    """Find the word of a call by its name and by what is given."""
    key = letters(call.name.rpartition(":")[2])
    candidates = words.by_key.get(key) or (words.chords if key == "hotkey" else ())
    said = {name.lower(): value for name, value in call.kwargs.items() if value not in _EMPTY}
    fitting = [word for word in candidates if _fits(_named(call, word, said), word)]
    return max(fitting, key=lambda word: len(said.keys() & _all_of(word)), default=None)


def _all_of(word: Word) -> set[str]:
    return {name.lower() for name in (*word.when, *word.params)}


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
        plain = name.strip().lower().replace(" ", "_")
        ours = lowered.get(plain, "-" if plain in _SAYS_NOTHING else "")
        if value in ("", [], ()) and ours in ("at", "start") and word.ours in _NOWHERE_ELSE:
            raise _no_place(str(value), word)
        if ours == "-" or name in word.when or (value in _EMPTY and ours not in ("message", "line")):
            continue
        meant = _meant(ours, value, word) if ours else {_unlisted(word, name): value}
        if meant.keys() & given.keys():
            raise Unreadable("duplicate_param", f"{word.name} says by {name} what it has said before; say it once")
        given |= meant
    return _with_what_is_usual(given, word)


def _with_what_is_usual(given: dict[str, Any], word: Word) -> dict[str, Any]:
    """Add what a word means where something is left out, and put together what two parameters say."""
    if given.pop("sideways", False):
        given["right"] = given.pop("clicks", 0)
    if "direction" in word.params.values() and word.ours == "scroll" and not {"direction", *_TURNS} & given.keys():
        raise Unreadable("missing_param", f"{word.name} needs a direction: up, down, left or right")
    if "entered" in word.params.values():
        given.setdefault("submit", True)
    if "cleared" in word.params.values():
        given.setdefault("replace", True)
    if "downward" in word.params.values() and not _TURNS & given.keys():
        notches = given.pop("pages", _PAGE)
        given["clicks"] = -notches if given.pop("downward", True) else notches
    return given


def _unlisted(word: Word, name: str) -> str:
    """Give our name for a parameter that a family's word does not have.

    Raises:
        UnreadableReply: it is none of an action's, but one of those that stand for something else.
    """
    if name.lower() in _STAND_INS:
        raise Unreadable("unknown_param", f"{word.name} has no parameter {name!r}; it has {', '.join(word.params)}")
    return PARAMETER_ALIASES.get((word.ours, name.strip().lower()), name)


def _meant(ours: str, value: Any, word: Word) -> dict[str, Any]:
    """Give one parameter by our name, in our unit."""
    unit, _, size = ours.partition("/")
    if size:
        return _turned(unit, value, int(size), word)
    if unit in _FLAGS:
        return {unit: _yes(value)}
    if (made := _MADE_OF.get(unit)) is not None:
        return made(value)
    if unit in ("at", "start", "mark", "words"):
        place = _control(value, word) if unit == "mark" else value
        if isinstance(value, str) and unit in ("at", "start") and not _described(word) and point_of(value) is None:
            raise _no_place(value, word)
        return {"start" if unit == "start" else "end_point" if word.ours == "dragTo" else "point": place}
    return {ours: value}


def _control(value: object, word: Word) -> object:
    """Give the id of the control of a number, or what is said instead of one."""
    if (element := element_of(value)) is None and isinstance(value, int | float):
        raise Unreadable("type_error", f"{word.name}: {value} is the number of no control; give one that is listed")
    return element or value


def _no_place(value: str, word: Word) -> Unreadable:
    return Unreadable("type_error", f"{word.name}: {value[:100]!r} is no place; give two numbers, x and y")


def _described(word: Word) -> bool:
    return "words" in word.params.values()


_FLAGS = frozenset({"sideways", "downward", "replace"})
_MADE_OF: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "notches": lambda value: {"amount": value},
    "won": lambda value: {"status": "success" if _yes(value) else "failure"},
    "seconds": lambda value: {"seconds": _UNIT.sub("", value) if isinstance(value, str) else value},
    "search": lambda value: {"url": _SEARCH + quote_plus(str(value))},
    "points": lambda value: _along(value),
    "entered": lambda value: {"submit": _yes(value)},
    "cleared": lambda value: {"replace": _yes(value)},
    "double": lambda value: {"clicks": 2} if _yes(value) else {},
    "secret": lambda value: {"message": f"{{{{secret:{value}}}}}"},
    "ends": lambda value: dict(zip(("start", "end_point"), value, strict=False)) if isinstance(value, list) else {},
}


def _along(value: object) -> dict[str, Any]:
    """Take a path apart: where it begins, where it ends, and what is between."""
    points = [point_of(point) for point in value] if isinstance(value, list) else []
    if len(points) < 2 or None in points:
        raise Unreadable("type_error", "a path is a list of at least two points")
    return {"start": points[0], "end_point": points[-1], **({"path": points[1:-1]} if points[2:] else {})}


def _turned(unit: str, value: object, size: int, word: Word) -> dict[str, Any]:
    """Give a turn of the wheel, in whose unit `size` is a notch, or a page so many notches."""
    if unit == "measure":
        return {"amount": abs(_notches(value, size, word))}
    if unit == "pages":
        return {"pages": abs(_notches(value, 1 / size, word))}
    notches = _notches(value, size, word)
    return {"right": notches} if unit == "right" else {"clicks": -notches if unit == "down" else notches}


def _notches(value: object, unit: float, word: Word) -> int:
    """Give turns of the wheel as notches: at least one for anything but 0."""
    number = number_of(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or abs(number) > 10**9:
        raise Unreadable("type_error", f"{word.name}: {value!r} is no amount to scroll; it is a number")
    notches = max(1, int(abs(number) / unit + 0.5)) if number else 0
    return notches if number > 0 else -notches


def _yes(value: object) -> bool:
    said = _plain(value)
    if said not in _YES and said not in _NO:
        raise Unreadable("type_error", f"{said[:100]!r} is neither true nor false")
    return said in _YES


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


def without_buttons(heard: Iterable[Heard]) -> Iterator[Heard]:
    """Make drags, or clicks, of buttons that are pressed, moved and let go; a batch that leaves one down is refused."""
    pressed: list[Heard] = []
    for one in heard:
        name = one.call.name
        if name == "mouse_down" and not pressed:
            pressed = [one]
        elif not pressed and name != "mouse_up":
            yield one
        elif pressed and name in ("moveTo", "mouse_up"):
            pressed.append(one)
            if name == "mouse_up":
                yield Heard(_dragged([each.call for each in pressed]), pressed[0].first, one.last)
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
