"""Text of an editor set bold, italic or underlined: selected by the keyboard, then by the keys that editors share."""

from __future__ import annotations

import re

from deskhand.core.action import Action, Click, Hotkey, KeyDown, KeyUp, OnElement, Press
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import look_again, said, text_area
from deskhand.perception.quoting import mask

_KEYS = {"bold": "b", "italic": "i", "italics": "i", "underline": "u", "underlined": "u"}
_ALL = re.compile(
    r"(?i)^(?:everything|all|all (?:of )?(?:the |its )?text|all of it|it all|the (?:whole|entire) text|it)$"
)
_MOST = 100
"""How often a key is pressed at once."""


def style(turn: Turn) -> Move:
    """Select a text where it stands once, or all of it, and press the keys for its style."""
    clause = turn.clause
    key, words = _KEYS[clause.what], mask(clause.target).plain.strip()
    if turn.tries:
        return Fail(f"it could not be set: {turn.failed}") if turn.failed else Done(f"set {words!r} {clause.what}")
    area = text_area(turn)
    if area is None:
        return look_again(turn, "an editor") or Fail("there is no editor here")
    # "the text Neque, the style bold": a sign behind the words is theirs where the text has it too.
    behind = re.search(rf"{re.escape(words)}[,;:.]", clause.text)
    if behind and behind.group() in area.value:
        words = behind.group()
    selecting = _selecting(area.value, words)
    if selecting is None:
        return look_again(turn, words) or Ask(
            f"“{clause.text}”: {words!r} does not stand there just once. Which is meant?"
        )
    actions = (Click(target=OnElement(id=area.id)), *selecting, Hotkey(keys=("ctrl", key)))
    return turn.act(*actions, thought=f"set {words!r} {clause.what} in the {said(area, turn.scene)[:60]}")


def _selecting(text: str, words: str) -> tuple[Action, ...] | None:
    if _ALL.match(words):
        return (Hotkey(keys=("ctrl", "a")),)
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]
    if len(places) != 1 or len(words) > _MOST:
        return None
    before: list[Action] = [
        Press(keys=("right",), presses=min(_MOST, places[0] - done)) for done in range(0, places[0], _MOST)
    ]
    marking = (KeyDown(key="shift"), Press(keys=("right",), presses=len(words)), KeyUp(key="shift"))
    return (Hotkey(keys=("ctrl", "home")), *before, *marking)
