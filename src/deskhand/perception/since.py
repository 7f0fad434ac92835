"""What one look shows that an earlier one did not, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deskhand.core.observation import Element, Observation

_HOLDING = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "cell"})
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
    return (*_values(old, kept, said), *_comings(old, now.elements), *_goings(before, now), *_focus(before, now))


def _values(old: dict[str, Element], kept: Sequence[Element], said: str) -> list[str]:
    changed = [e for e in kept if e.role in _HOLDING and e.value != old[e.id].value and not _told(e.value, said)]
    return [f"{called(e)} now holds {_short(e.value)}" for e in changed[:_NAMED]]


def _told(value: str, said: str) -> bool:
    """Tell whether a value has been told: as it stands, or in quotes of its own."""
    return bool(value) and (value in said or repr(value)[1:-1] in said)


def _comings(old: dict[str, Element], elements: Sequence[Element]) -> Iterator[str]:
    new = [e for e in elements if e.id not in old]
    named = [called(e) for e in new if e.name and e.role not in ("group", "label", "separator")][:_NAMED]
    if new:
        names = f": {', '.join(named)}{', …' if len(named) < len(new) else ''}" if named else ""
        yield f"{len(new)} new element{'s' if len(new) > 1 else ''}{names}"


def _goings(before: Observation, now: Observation) -> Iterator[str]:
    there = {e.id for e in now.elements}
    gone = sum(e.id not in there for e in before.elements)
    if gone:
        yield f"{gone} element{'s are' if gone > 1 else ' is'} gone"


def _focus(before: Observation, now: Observation) -> Iterator[str]:
    was, has = before.focus, now.focus
    if has is not None and (was is None or was.id != has.id):
        yield f"{called(has)} has the focus"


def called(element: Element) -> str:
    name = f" {_short(element.name)}" if element.name else ""
    return f"{element.role}{name} ({element.id})"


def _short(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
