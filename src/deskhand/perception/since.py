"""What one look shows that an earlier one did not, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deskhand.core.observation import Element, Observation
from deskhand.perception.scene import MENU_ITEMS

_HOLDING = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "cell"})
_MERE = frozenset({"window", "group", "label", "separator"})
"""Roles of what is not worth naming by itself."""
_NAMED = 6
"""So many new elements are named at most, and as many changed values."""
_LONGEST = 80


def news(before: Observation, now: Observation, known: Iterable[str] = ()) -> tuple[str, ...]:
    """Say which values have changed, what is new, what is gone, and what has the focus now.

    Nothing where the two looks have hardly an element in common: then all is new, and is told elsewhere. Values that
    stand in one of the `known` texts are not told again.
    """
    old = {e.id: e for e in before.elements}
    kept = [e for e in now.elements if e.id in old]
    if not kept:
        return ()
    said = "\n".join(known)
    return (*_values(old, kept, said), *_comings(before, now), *_goings(before, now), *_focus(before, now))


def _values(old: dict[str, Element], kept: Sequence[Element], said: str) -> list[str]:
    changed = [e for e in kept if e.role in _HOLDING and e.value != old[e.id].value and not _told(e.value, said)]
    return [f"{called(e)} now holds {_short(_read(e))}" for e in changed[:_NAMED]]


def _read(element: Element) -> str:
    """Give a value as it is read: a display is filled up with spaces."""
    return " ".join(element.value.split()) if "readonly" in element.states else element.value


def _told(value: str, said: str) -> bool:
    """Tell whether a value has been told: as it stands, or in quotes of its own."""
    return bool(value) and (value in said or repr(value)[1:-1] in said)


def _comings(before: Observation, now: Observation) -> Iterator[str]:
    new = _only_in(now, before)
    named = [called(e) for e in new if e.name and e.role not in _MERE]
    if named:
        others = len(new) - len(named[:_NAMED])
        yield f"new: {', '.join(named[:_NAMED])}{f' and {others} more elements' if others else ''}"


def _goings(before: Observation, now: Observation) -> Iterator[str]:
    gone = [called(e) for e in _only_in(before, now) if e.name and e.role not in _MERE | MENU_ITEMS]
    if gone:
        yield f"gone: {', '.join(gone[:_NAMED])}{f' and {len(gone) - _NAMED} more' if len(gone) > _NAMED else ''}"


def _only_in(one: Observation, other: Observation) -> list[Element]:
    """Give the elements of windows of both looks that are in the one only; windows that came or went are told."""
    there, windows = {e.id for e in other.elements}, {window.id for window in other.windows}
    return [e for e in one.elements if e.id not in there and (not windows or e.window in windows)]


def _focus(before: Observation, now: Observation) -> Iterator[str]:
    was, has = _focused(before), _focused(now)
    if has is not None and (was is None or was.id != has.id):
        yield f"{called(has)} has the focus"


def _focused(seen: Observation) -> Element | None:
    return next((e for e in reversed(seen.elements) if "focused" in e.states and e.role not in _MERE), None)


def called(element: Element) -> str:
    name = f" {_short(' '.join(element.name.split()))}" if element.name else ""
    return f"{element.role}{name} ({element.id})"


def _short(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
