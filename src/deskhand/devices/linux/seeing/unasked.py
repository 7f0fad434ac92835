"""What changes on a screen now and then while nobody does anything: clocks, counters, progress bars."""

from __future__ import annotations

from dataclasses import dataclass

from deskhand.core.geometry import Box
from deskhand.perception.ocr import joined
from deskhand.perception.picture import Pixels, changed_places

_LARGEST = 500 * 40
"""Pixels; what is larger and changes late is rather what an action has brought about after all."""
_TIMES = 2
"""How often a place changes by itself before it is known for that: once may be the late effect of an action."""
_KEPT = 16
_SECONDS = 120.0
"""For which a place is known for that."""


@dataclass
class _Place:
    box: Box
    times: int
    last: float


class Unasked:
    """Remembers where the screen changed between what was done."""

    def __init__(self) -> None:
        self._places: list[_Place] = []

    def note(self, before: Pixels, now: Pixels, moment: float) -> None:
        """Compare two pictures between which nothing was done."""
        for box in changed_places(before, now):
            if box.area <= _LARGEST:
                self._add(box, moment)

    def places(self, moment: float) -> tuple[Box, ...]:
        """Give where changes are no evidence of anything."""
        known = (each for each in self._places if each.times >= _TIMES and moment - each.last <= _SECONDS)
        return tuple(each.box for each in known)

    def _add(self, box: Box, moment: float) -> None:
        place = next((each for each in self._places if not each.box.clipped(box).empty), None)
        if place is None:
            self._places = [*self._places[1 - _KEPT :], _Place(box, 1, moment)]
        else:
            place.box, place.times, place.last = joined(place.box, box), place.times + 1, moment
