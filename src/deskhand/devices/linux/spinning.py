"""What on a screen only goes on and on: spinners, animations, clocks that show hundredths, progress bars."""

from __future__ import annotations

from dataclasses import dataclass

from deskhand.core.geometry import Box

_LARGEST = 80 * 80
"""Pixels; what is larger and moves is what is being looked at."""
_TIMES = 8
_LASTS = 0.4
"""Seconds for which the same place is drawn again and again before that counts as spinning."""
_GAP = 0.35
"""Seconds after which a place that is drawn again is drawn anew."""
_KEPT = 8
"""Places that are kept in mind."""
_MARGIN = 8
"""Pixels by which what is drawn of one place differs."""


@dataclass
class _Place:
    box: Box
    since: float
    last: float
    times: int = 1

    @property
    def spins(self) -> bool:
        return self.times >= _TIMES and self.last - self.since >= _LASTS


class Spinning:
    """Tells what is drawn for the first time from what has been drawn in the same place all the while."""

    def __init__(self) -> None:
        self._places: list[_Place] = []

    def goes_on(self, box: Box, now: float) -> bool:
        """Take note that a place is drawn; tell whether it has been for so long that nothing else need be expected."""
        if box.area > _LARGEST:
            return False
        place = next((each for each in self._places if _same(each.box, box)), None)
        if place is None:
            self._places = [*self._places[1 - _KEPT :], _Place(box, now, now)]
            return False
        again = now - place.last <= _GAP
        if not again and not place.spins:
            place.since, place.times = now, 0
        place.last, place.times = now, place.times + 1
        # What has spun before may be drawn once for another reason; the second time it is known for what it is.
        return place.spins and again

    def seen_since(self, moment: float) -> bool:
        """Tell whether anything was seen to spin since a moment."""
        return any(place.spins and place.last >= moment for place in self._places)


def _same(known: Box, box: Box) -> bool:
    """Tell whether two boxes are one place: the parts of it that are drawn may differ a little, or lie inside."""
    return (
        known.left - _MARGIN <= box.left
        and known.top - _MARGIN <= box.top
        and box.right <= known.right + _MARGIN
        and box.bottom <= known.bottom + _MARGIN
    )
