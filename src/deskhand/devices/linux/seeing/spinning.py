"""What on a screen only goes on and on: spinners, animations, clocks that show hundredths, progress bars, films."""

from __future__ import annotations

from dataclasses import dataclass

from deskhand.core.geometry import Box

_TIMES = 8
_SMALL = 80 * 80
"""Pixels up to which parts of a place may be drawn one by one, as of a spinner."""
_PART = 8
"""Of what is larger, at least one part in so many is drawn each time."""
_LASTS = ((_SMALL, 0.4), (500 * 500, 0.8))
"""Seconds for which a place of up to so many pixels is drawn again and again before that counts as spinning."""
_LARGE_LASTS = 1.6
"""The same for what is larger: that is mostly what is being looked at, such as a page that comes bit by bit."""
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
        lasts = next((seconds for pixels, seconds in _LASTS if self.box.area <= pixels), _LARGE_LASTS)
        return self.times >= _TIMES and self.last - self.since >= lasts


class Spinning:
    """Tells what is drawn for the first time from what has been drawn in the same place all the while."""

    def __init__(self) -> None:
        self._places: list[_Place] = []

    def goes_on(self, box: Box, now: float) -> bool:
        """Take note that a place is drawn; tell whether it has been for so long that nothing else need be expected."""
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

    def places(self, now: float) -> tuple[Box, ...]:
        """Give where something spins."""
        return tuple(place.box for place in self._places if place.spins and now - place.last <= 2 * _GAP)


def _same(known: Box, box: Box) -> bool:
    """Tell whether two boxes are one place: the parts of it that are drawn may differ a little, or lie inside."""
    return (
        (known.area <= _SMALL or known.area <= _PART * box.area)
        and known.left - _MARGIN <= box.left
        and known.top - _MARGIN <= box.top
        and box.right <= known.right + _MARGIN
        and box.bottom <= known.bottom + _MARGIN
    )
