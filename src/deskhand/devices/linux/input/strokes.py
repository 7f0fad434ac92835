"""A text as the keys to press for it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from deskhand.core.errors import Correctable, TargetNotFound
from deskhand.core.keys import key, keysym_of
from deskhand.devices.linux.input.keymap import Keymap, Stroke
from deskhand.devices.linux.input.remap import capacity, lend

_KEY_OF = {"\n": "Return", "\t": "Tab"}


class Batch(NamedTuple):
    """A stretch of text that can be typed without lending keys anew."""

    strokes: tuple[Stroke, ...]
    """One for each character."""
    lent: dict[int, Stroke]
    """The keys lent for it, by keysym."""


def refuse_controls(text: str) -> None:
    """Check that text can be entered.

    Raises:
        Correctable: it holds control characters other than line breaks and tabs, or halves of characters.
    """
    for at, char in enumerate(text):
        if char not in _KEY_OF and unicodedata.category(char) in {"Cc", "Cs"}:
            raise Correctable(
                f"the text holds U+{ord(char):04X} at {at}, which cannot be entered; of control characters only line "
                r"breaks (\n) and tabs (\t) can, and keys such as Escape are pressed by name"
            )


def batches(text: str, keymap: Keymap) -> Iterator[Batch]:
    """Cut a text into batches, as few as there are keys to lend for.

    Raises:
        TargetNotFound: there is no key for some characters, and none to lend.
    """
    missing = keymap.missing(text)
    room = capacity(keymap)
    if missing and not room:
        raise TargetNotFound(f"this keyboard has no key for {' '.join(sorted(missing)[:10])} and none to spare")
    for part in _parts(text, missing, room):
        lent = lend(keymap, [keysym_of(char) for char in dict.fromkeys(part) if char in missing])
        yield Batch(tuple(_stroke(char, keymap, lent) for char in part), lent)


def _parts(text: str, missing: set[str], room: int) -> Iterator[str]:
    start = 0
    needed: set[str] = set()
    for at, char in enumerate(text):
        if char in missing and char not in needed:
            if len(needed) == room:
                yield text[start:at]
                start, needed = at, set()
            needed.add(char)
    yield text[start:]


def _stroke(char: str, keymap: Keymap, lent: dict[int, Stroke]) -> Stroke:
    name = _KEY_OF.get(char)
    found = keymap.stroke(key(name)) if name else keymap.characters.get(char) or lent.get(keysym_of(char))
    if found is None:
        raise TargetNotFound(f"this keyboard has no {name or char}")
    return found
