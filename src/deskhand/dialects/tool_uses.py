"""Calls of a vendor's own tools for the screen, read from the blocks in which its service gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from deskhand.dialects.grammar import Call
from deskhand.dialects.hearing import Heard, in_ours, without_buttons
from deskhand.dialects.unreadable import Unreadable
from deskhand.dialects.vocabularies import WORDS

LOOKS = frozenset({"screenshot", "zoom", "cursor_position", "read_page", "find", "get_page_text", "list_tabs"})
"""Calls that do nothing but want to know something."""
TABS = frozenset({"new_tab", "list_tabs", "switch_tab", "close_tab"})
"""Calls that are answered by the tabs there are."""
_BROWSER_NOTCHES = 3
"""How far a page is scrolled when only the direction is said."""
_MOST_TIMES = 100


class Use(NamedTuple):
    """One call."""

    name: str
    given: Mapping[str, Any]
    browser: bool
    """Whether it is of the tools for browsers, which say places otherwise."""

    @property
    def looks(self) -> bool:
        return self.name in LOOKS

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value}' for name, value in self.given.items())})"


def uses_in(pieces: Iterable[Mapping[str, Any]]) -> tuple[Use, ...]:
    """Give the calls of a reply, in order.

    Raises:
        UnreadableReply: a call of the one tool for computers does not say what is to be done with it.
    """
    return tuple(_use(piece) for piece in pieces if piece.get("type") == "tool_use")


def heard_of(uses: Sequence[Use]) -> tuple[Heard, ...]:
    """Read calls as calls of ours: one may stand for several, and a button pressed and let go for one.

    Raises:
        UnreadableReply: one of them means nothing here.
    """
    return tuple(without_buttons(Heard(call, at, at) for at, use in enumerate(uses) for call in _calls(use)))


def _use(piece: Mapping[str, Any]) -> Use:
    name, given = str(piece.get("name", "")), piece.get("input")
    given = dict(given) if isinstance(given, Mapping) else {}
    if name == "computer" and not piece.get("toolset_name"):
        name = given.pop("action", "")
        if not isinstance(name, str) or not name:
            raise Unreadable("no_action", "the computer is called without an action; say which")
    return Use(name, given, piece.get("toolset_name") == "browser")


def _calls(use: Use) -> Iterator[Call]:
    if use.looks:
        return
    given = dict(use.given)
    if use.browser:
        given |= _places(given)
        if use.name not in TABS and (tab := given.pop("tab_id", None)):
            yield Call("focus_window", (), {"window": tab})
    words = WORDS["anthropic-browser" if use.browser else "anthropic-computer"]
    for one in _as_ours_are(use.name, given):
        yield from in_ours(one, words)


def _as_ours_are(name: str, given: dict[str, Any]) -> Iterator[Call]:
    """Part keys that are pressed one after the other, and say what is left out or said by another type than ours."""
    match name:
        case "key" if isinstance(text := given.get("text"), str) and len(text.split()) > 1:
            times = given.get("repeat")
            chords = text.split() * (max(1, min(times, _MOST_TIMES)) if isinstance(times, int) else 1)
            yield from (Call(name, (), {"text": chord}) for chord in chords)
        case "scroll":
            yield Call(name, (), {"scroll_amount": _BROWSER_NOTCHES, **given})
        case "form_input" if given.get("value") == "":
            yield Call("write", (), {"message": "", "replace": True, **_without_value(given)})
        case "form_input" if isinstance(value := given.get("value"), int | float) and not isinstance(value, bool):
            yield Call(name, (), {**given, "value": f"{value:.15g}"})
        case _:
            yield Call(name, (), given)


def _without_value(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "value"}


def _places(given: dict[str, Any]) -> dict[str, Any]:
    """Give the places of a call in a browser as others are said: an element's id, or two numbers."""
    found: dict[str, Any] = {}
    for theirs, ours in (("target", "coordinate"), ("from", "start_coordinate")):
        match given.pop(theirs, None):
            case {"type": "ref", "ref": str() as ref}:
                found["element"] = ref
            case {"x": x, "y": y}:
                found[ours] = [x, y]
            case None:
                pass
            case other:
                raise Unreadable("type_error", f"{str(other)[:100]} is no place; give x and y, or a ref")
    return found
