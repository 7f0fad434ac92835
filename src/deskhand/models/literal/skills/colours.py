"""Colours by name: set in fields that hold one, as #ffff00, whatever picker hangs on them."""

from __future__ import annotations

import re

from PIL import ImageColor

from deskhand.core.action import Action, OnElement, Press, SetValue, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import ask_which, has, look_again, pick, said
from deskhand.perception.ground import Choice
from deskhand.perception.scene import FIELDS

_COLOUR = re.compile(r"(?i)\bcolou?r")
_HEX = re.compile(r"^#?[0-9a-fA-F]{6}$")
_MERE_KIND = re.compile(r"(?i)^(?:colou?r[ -]?)?(?:picker|wheel|chooser|selector|palette|field|box|input)?$")


def hex_of(name: str) -> str:
    """Give a colour as six hexadecimal digits; "" for what names none."""
    plain = re.sub(r"(?i)^(?:the\s+)?colou?r\s+|\s+colou?r$", "", name.strip()).replace(" ", "").lower()
    try:
        red, green, blue = ImageColor.getrgb(plain)[:3]
    except ValueError:  # no colour is called so
        return ""
    return f"{red:02x}{green:02x}{blue:02x}"


def set_colour(turn: Turn) -> Move | None:
    """Set a colour; None where the clause is about something else."""
    if not _COLOUR.search(turn.clause.target):
        return None
    digits = hex_of(turn.clause.value)
    if not digits:  # "the following colour" is one that is only shown
        shown = _COLOUR.search(turn.clause.value)
        return Ask(f"“{turn.clause.value}”: which colour is that, by its name or as #rrggbb?") if shown else None
    field: Element | Move | None = turn.scene.get(turn.memo.get("id", "")) or _field(turn)
    if not isinstance(field, Element):
        return field
    what = said(field, turn.scene)
    if field.value.lstrip("#").lower() == digits:
        return Done(f"the {what} is at {field.value}")
    if turn.tries:
        return Fail(f"the {what} does not take {turn.clause.value}: {turn.failed or field.value!r}")
    place, thought = OnElement(id=field.id), f"set the {what} to #{digits}"
    written = digits.upper() if field.value.isupper() else digits
    actions: tuple[Action, ...] = (SetValue(target=place, value=f"#{digits}"),)
    if field.role in FIELDS:
        sign = "#" if field.value.startswith("#") else ""
        actions = (Write(message=sign + written, target=place, replace=True), Press(keys=("tab",)))
    return turn.act(*actions, thought=thought, id=field.id)


def _field(turn: Turn) -> Element | Move | None:
    """Give the field that is named and holds a colour, else, where only its kind is said, the only one that does."""
    held = [e for e in turn.scene.top if _HEX.match(e.value) and not has(e, "disabled", "readonly")]
    named = pick(turn, turn.clause.target)
    if isinstance(named, Element):
        return named if named in held else None
    if len(held) == 1 and _MERE_KIND.match(turn.clause.target):
        return held[0]
    if not held:
        return None
    return look_again(turn, turn.clause.target) or ask_which(turn, turn.clause.target, Choice(tuple(held)))
