"""Ids for accessibles: given at first sight, never given again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from deskhand.devices.linux.accessibility.protocol import Ref

Spot = tuple[Ref, str]
"""A container and a name in it that stays the same while accessibles are made anew at every look."""


class Known(NamedTuple):
    """What an id stands for."""

    ref: Ref
    role: int
    window: str
    """The id of the X window it was last seen in."""


MOST_IDS = 50_000
"""More than one reading gives; beyond that, what was not seen for the longest time is taken to be gone."""


class Ids:
    """The ids that were given, what was seen last at the end."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers
        self._ids: dict[Ref, str] = {}
        self._spots: dict[Spot, str] = {}
        self._known: dict[str, Known] = {}

    def of(self, known: Known, spot: Spot | None = None) -> str:
        """Name an accessible; one that changed its role is another control at the same path."""
        element = self._ids.get(known.ref) or (self._spots.get(spot, "") if spot else "")
        if not element or self._known[element].role != known.role:
            element = f"e{next(self._numbers)}"
        elif self._known[element].ref != known.ref:
            del self._ids[self._known[element].ref]
        self._ids[known.ref] = element
        self._known.pop(element, None)
        self._known[element] = known
        if spot:
            self._spots[spot] = element
        return element

    def forget(self) -> None:
        """Take it that all that was seen is gone; new ids go on from where the old ones were."""
        self._keep({})

    def drop(self, gone: Collection[Ref]) -> None:
        """Let go of accessibles that are no more."""
        self._keep({element: known for element, known in self._known.items() if known.ref not in gone})

    def bound(self) -> None:
        """Let go of half when there are too many."""
        if len(self._known) > MOST_IDS:
            self._keep(dict([*self._known.items()][-MOST_IDS // 2 :]))

    def _keep(self, known: dict[str, Known]) -> None:
        self._known = known
        self._ids = {ref: element for ref, element in self._ids.items() if element in known}
        self._spots = {spot: element for spot, element in self._spots.items() if element in known}

    def find(self, element: str) -> Known | None:
        """Give what an id stands for, unless another control has taken its path."""
        known = self._known.get(element)
        return known if known and self._ids.get(known.ref) == element else None

    def named(self, ref: Ref) -> str:
        """Give the id an accessible has, "" when it has none."""
        return self._ids.get(ref, "")
