"""A family's words as it is told of them: a line each, a schema, an example."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from deskhand.core.action import At, Click, Described, OnElement, Target
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.message import ToolSpec
from deskhand.dialects.grammar import Call
from deskhand.dialects.signatures import CLOSED, TABLE, Signature, key_of
from deskhand.dialects.telling import told
from deskhand.dialects.words import Word, Words

_OURS: Mapping[str, tuple[str, ...]] = {
    "android": ("swipe", "long_press", "navigate_home", "navigate_back", "open_app", "open_url"),
}
_USUALLY = ("open_app", "open_url")
"""What families are told of besides their own words, where they have none for it; `_OURS` is by platform."""
_OF_PHONES = frozenset({"navigate_home", "navigate_back"})
_MEANINGS = {row.name: row.meaning for row in TABLE.values()} | {
    "click": "Click a place; without one, where the pointer is.",
    "chord": "Press a key, or keys together.",
    "hold": "Hold keys down for so many seconds.",
    "hold_press": "Hold keys while others are pressed one after the other.",
    "sendkeys": "Press keys and enter texts: names in braces, as in {ENTER}; ^, + and % hold ctrl, shift and alt.",
    "scroll": "Turn the wheel.",
    "dragTo": "Drag to a place, with the left button unless said.",
    "wait": "Wait so many seconds.",
    "terminate": "End the task.",
    "select_option": "Choose an option of a list by its text.",
}
"""What words of families mean, by ours."""
_NOTES = {
    "line": "a line break at its end submits it",
    "direction": "up, down, left or right",
    "at": "a place",
    "words": "a place in words, as exactly as can be",
    "mark": "the number of a control",
    "start": "where it begins",
    "ends": "where it begins and ends",
    "points": "the points of the way, each with x and y",
    "held": "keys held meanwhile",
    "submit": "true presses Enter after it",
    "replace": "true takes the old text away",
    "cleared": "false keeps the old text",
    "downward": "false goes up",
    "sideways": "true goes right",
    "notches": "how many notches, 5 unless said",
    "search": "words to search the web for",
    "status": "success or failure",
    "won": "whether it was done",
    "double": "true clicks twice",
    "safety_decision": "where the user must agree first, what it is about",
    "secret": "the name of a secret, whose text is entered",
    "pages/10": "how many pages, 1 unless said",
}
_TYPES: Mapping[str, Mapping[str, object]] = {
    **{ours: {"type": "array", "items": {"type": "number"}} for ours in ("at", "start", "ends")},
    **{ours: {"type": "number"} for ours in ("mark", "seconds", "notches", "clicks", "presses")},
    **{ours: {"type": "boolean"} for ours in ("submit", "replace", "won")},
}
_LISTED: Mapping[str, object] = {"type": "array", "items": {"type": "string"}}
_TEXT: Mapping[str, object] = {"type": "string"}


def listed(words: Words, platform: str, more: Sequence[str] = ()) -> str:
    """List a family's words with their parameters and meanings, and `more` of ours that it has no word for."""
    told_of = _told_of(words, platform)
    known = {word.ours for word in told_of}
    others = [TABLE[key_of(name)] for name in (*_OURS.get(platform, _USUALLY), *more) if name not in known]
    own = [f"{word.name}({_parameters(word)}): {_meaning(word)}" for word in told_of]
    return "\n".join([*own, *(f"{row}: {row.meaning}" for row in others)])


def _told_of(words: Words, platform: str) -> list[Word]:
    """Give the words that a model is told of there; of those with one name, the one with the most parameters."""
    chosen: dict[tuple[str, str], Word] = {}
    for word in words.rows:
        if word.ours in _OF_PHONES and platform != "android":
            continue
        key = word.name, str(word.when)
        if word.told and (key not in chosen or len(word.params) > len(chosen[key].params)):
            chosen[key] = word
    return [word for word in chosen.values() if word.ours in _MEANINGS]


def _parameters(word: Word) -> str:
    given = [f"{name}={json.dumps(value)}" for name, value in word.when.items()]
    return ", ".join([*given, *(_parameter(*pair) for pair in word.params.items() if pair[1] != "-")])


def _parameter(theirs: str, ours: str) -> str:
    unit, _, size = ours.partition("/")
    note = _NOTES.get(ours) or (f"{size} a notch, positive is {unit}" if size else "")
    return f"{theirs}: {note}" if note else theirs


def _meaning(word: Word) -> str:
    said = ", ".join(f"{name} {value}" for name, value in word.said.items())
    return f"{_MEANINGS[word.ours]}{f' Here: {said}.' if said else ''}"


def schema(words: Words, platform: str) -> str:
    """Describe the one tool that all words are actions of, where there is one, else each as a tool."""
    told_of = _told_of(words, platform)
    if not words.tool:
        return "\n".join(_tool(word.name, _fields([word], words), ()) for word in told_of)
    names = list(dict.fromkeys(word.name for word in told_of))
    action = {"action": {"type": "string", "enum": names}}
    return _tool(words.tool, {**action, **_fields(told_of, words)}, ("action",))


def _fields(rows: Sequence[Word], words: Words) -> dict[str, object]:
    keys: Mapping[str, object] = _TEXT if words.chord else _LISTED
    fields: dict[str, object] = {name: _TEXT for word in rows for name in word.when}
    for word in rows:
        for theirs, ours in word.params.items():
            usual = keys if ours in ("chord", "held") else _TEXT
            fields[theirs] = {"type": "number"} if "/" in ours else _TYPES.get(ours, usual)
    return fields


def _tool(name: str, fields: Mapping[str, object], required: Sequence[str]) -> str:
    parameters = {"type": "object", "properties": fields, "required": list(required)}
    about = {"name": name, "description": "Uses the screen, the mouse and the keyboard.", "parameters": parameters}
    return json.dumps({"type": "function", "function": about})


def example(words: Words, frame: Frame | None) -> Call:
    """Give a click as an example: in the middle, or on what is named by a number or in words where that is the way."""
    size = frame.device if frame else Size(1000, 1000)
    target: Target = At(point=Point(size.width // 2, size.height // 2))
    if words.marked:
        target = OnElement(id="e12")
    if words.described:
        target = Described(text="the Save button at the bottom of the dialog")
    return told(Click(target=target), words, frame)


_WITH_A_TOOL: Mapping[str, tuple[str, ...]] = {
    "linux": ("open_app", "focus_window", "close_window"),
    "android": ("open_app",),
}
_ALWAYS = ("open_url", "call_user", "terminate")
_KINDS: Mapping[str, Mapping[str, object]] = {
    "float": {"type": "number"},
    "int": {"type": "integer"},
    "bool": {"type": "boolean"},
    "dict": {"type": "object"},
}


def functions(words: Words, platform: str, more: Sequence[str] = ()) -> tuple[ToolSpec, ...]:
    """Give what can be called besides a service's own tool for computers: what a family has no word for.

    Pages are opened by such tools in browsers only.
    """
    known = {word.ours for word in words.rows if word.told and (platform == "web" or word.ours != "open_url")}
    names = [name for name in (*_WITH_A_TOOL.get(platform, ()), *_ALWAYS, *more) if name not in known]
    return tuple(_function(TABLE[key_of(name)]) for name in names)


def _function(row: Signature) -> ToolSpec:
    properties = {name: _kind(name, row.kinds[name]) for name in row.names}
    schema = {"type": "object", "properties": properties, "required": list(row.required)}
    return ToolSpec(name=row.name, description=f"{row.meaning} {row.more}".strip(), arguments=schema)


def _kind(name: str, kind: str) -> Mapping[str, object]:
    return {**_TEXT, "enum": list(CLOSED[name])} if name in CLOSED else _KINDS.get(kind, _TEXT)
