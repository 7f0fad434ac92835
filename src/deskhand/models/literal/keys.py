"""Keys and chords in plain words: "Ctrl+Shift+S", "control and a", "the down arrow", "Escape"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

Chord = tuple[str, ...]
_SEQUENCE = re.compile(
    r"\s*(?:,\s*(?:and\s+)?(?:then\s+)?|\s+(?:and\s+)?then\s+|\s+followed\s+by\s+"
    r"|\s+and\s+(?=(?:ctrl|control|strg|alt|shift|super|meta|cmd|command)\s*[+-]))\s*",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\s*\+\s*|\s*(?<=\w)-(?=\w)\s*|\s+and\s+|\s+", re.IGNORECASE)


class _Names(NamedTuple):
    modifiers: Mapping[str, str]
    keys: Mapping[str, str]


def read_keys(text: str) -> tuple[Chord, ...] | None:
    """Read one or several keys or chords, pressed one after the other; None when the text names none."""
    chords = tuple(_chord(part) for part in _SEQUENCE.split(_bare(text)) if part)
    read = tuple(chord for chord in chords if chord is not None)
    return read if chords and len(read) == len(chords) else None


def is_modified(chords: tuple[Chord, ...]) -> bool:
    """Tell whether some chord has a modifier, so that no control could be called like it."""
    return any(len(chord) > 1 for chord in chords)


def _bare(text: str) -> str:
    return re.sub(r"^(?:the|keys?)\s+|\s+keys?$", "", text.strip().rstrip(".,;!"), flags=re.IGNORECASE).strip()


def _chord(text: str) -> Chord | None:
    single = _key(text)
    if single:
        return (single,)
    held: list[str] = []
    rest = text.strip()
    while True:
        first, joint, rest_of_it = _split_joint(rest)
        modifier = _names().modifiers.get(first.lower())
        if not joint or not modifier:
            break
        held.append(modifier)
        rest = rest_of_it
    last = _key(rest)
    return (*held, last) if held and last else None


def _split_joint(text: str) -> tuple[str, str, str]:
    found = _JOINT.search(text)
    return (text[: found.start()], found.group(), text[found.end() :]) if found else (text, "", "")


def _key(text: str) -> str:
    name = " ".join(text.strip().lower().split())
    names = _names()
    if name in names.keys:
        return names.keys[name]
    if name in names.modifiers:
        return names.modifiers[name]
    if re.fullmatch(r"f([1-9]|1\d|2[0-4])", name):
        return name
    return name if len(name) == 1 and not name.isspace() else ""


@cache
def _names() -> _Names:
    data = tomllib.loads((files("deskhand.models.literal.words") / "keys.toml").read_text(encoding="utf-8"))
    keys = {said: key for key, names in data["keys"].items() for said in names}
    modifiers = {said: key for key, names in data["modifiers"].items() for said in names}
    return _Names(modifiers, {**keys, **data["signs"]})
