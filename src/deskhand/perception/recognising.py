"""Ids for what was read off pictures: what is at about the same place, and says the same, is the same as before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element

Kind = tuple[str, str, str]


class Recognised:
    """What was found in each window when it was last looked at, by places that move with the window."""

    def __init__(self, numbers: Iterator[int]) -> None:
        """Ids are made of `numbers`, which others may draw from as well."""
        self._numbers = numbers
        self._last: dict[str, list[tuple[Kind, Box, str]]] = {}

    def name(self, window: str, corner: Point, found: Sequence[Element]) -> list[Element]:
        """Give each element the id that it had before, else a new one; `corner` is the window's."""
        before: defaultdict[Kind, list[tuple[Box, str]]] = defaultdict(list)
        for kind, box, name in self._last.get(window, ()):
            before[kind].append((box, name))
        now: defaultdict[Kind, list[int]] = defaultdict(list)
        for index, element in enumerate(found):
            now[_kind(element)].append(index)
        places = [_from(element.box, corner) for element in found]
        ids = dict(pair for kind, these in now.items() for pair in _pairs(these, places, before[kind]))
        named = [
            element.model_copy(update={"id": ids.get(index) or f"e{next(self._numbers)}"})
            for index, element in enumerate(found)
        ]
        self._last[window] = [(_kind(e), place, e.id) for e, place in zip(named, places, strict=True)]
        return named


def _pairs(found: Sequence[int], places: Sequence[Box], known: Iterable[tuple[Box, str]]) -> Iterator[tuple[int, str]]:
    """Match what is of one kind with what was, the nearest first."""
    apart = sorted((_distance(places[index], box), index, name) for index in found for box, name in known)
    taken: set[int | str] = set()
    for _, index, name in apart:
        if index not in taken and name not in taken:
            taken |= {index, name}
            yield index, name


def _kind(element: Element) -> Kind:
    return element.source, element.role, element.name


def _from(box: Box, corner: Point) -> Box:
    return Box(box.left - corner.x, box.top - corner.y, box.right - corner.x, box.bottom - corner.y)


def _distance(one: Box, other: Box) -> int:
    return abs(one.center.x - other.center.x) + abs(one.center.y - other.center.y)
