"""One list of elements from all sources: what is found twice stands in it once, as the better source has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.perception.naming import words

RANK = {"a11y": 0, "dom": 1, "detector": 2, "ocr": 3}
"""Sources, the most to be trusted first."""
CONTAINERS = frozenset(
    {"window", "dialog", "alert", "group", "toolbar", "menubar", "tablist", "table", "tree", "list", "listbox"}
    | {"row", "document", "form", "status", "terminal", "application", "img"}
    | {"canvas", "drawing area", "calendar", "directory pane"}
)
"""Roles of what may hold other things without being named by them."""
_CELL = 128
_SAME = 0.5
"""The part of both boxes together that two boxes share from which on they are about one thing."""
_INSIDE = 0.7
"""The part of a box that lies in another one from which on it is inside."""
_LARGER = 6
"""How many times as large as a sign in it a control may be, and still be named by it alone."""


def merge(*sources: Iterable[Element]) -> tuple[Element, ...]:
    """Put the elements of several sources together.

    Of two that are about the same place, the one of the better source stays; where it has no name, what the other
    one says becomes its name. Those that stay keep their order, and the better sources come first.
    """
    ranked = sorted((e for source in sources for e in source), key=lambda e: RANK[e.source])
    kept = _Kept()
    for element in ranked:
        twin = kept.twin(element) if element.source in ("detector", "ocr") else None
        if twin is None:
            kept.add(element)
        elif element.name and kept.may_name(twin, element):
            kept.name(twin, element)
    return tuple(kept.elements)


class _Kept:
    """The elements that stay, found by their place."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self._cells: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._parents: set[str] = set()
        self._named: set[int] = set()
        """Those whose name was read off the picture, a piece at a time."""

    def add(self, element: Element) -> None:
        if element.source in ("detector", "ocr"):
            element = element.model_copy(update={"parent": self._holder(element)})
        for cell in _cells(element.box):
            self._cells[cell].append(len(self.elements))
        self.elements.append(element)
        self._parents.add(element.parent)

    def twin(self, found: Element) -> int | None:
        """Find the element that `found` is about as well."""
        twins = [index for index in self._near(found.box) if self._same(self.elements[index], found)]
        return min(twins, key=lambda index: self.elements[index].box.area, default=None)

    def may_name(self, index: int, found: Element) -> bool:
        known = self.elements[index]
        return index in self._named or not (known.name or known.value or known.source == found.source)

    def name(self, index: int, found: Element) -> None:
        known = self.elements[index]
        name = f"{known.name} {found.name}" if index in self._named else found.name
        self._named.add(index)
        self.elements[index] = known.model_copy(update={"name": name})

    def _same(self, known: Element, found: Element) -> bool:
        inside = share(found.box, known.box)
        if known.source == found.source:
            return known.name == found.name and inside >= _INSIDE
        if known.box.empty or (inside < _INSIDE and overlap(known.box, found.box) < _SAME):
            return False
        if overlap(known.box, found.box) >= _SAME:
            return known.role not in ("window", "dialog") or not found.name
        if _says(known, found.name):
            return True
        whole = known.id in self._parents or known.role in CONTAINERS
        if whole:
            return False
        return found.source == "ocr" or known.box.area <= _LARGER * found.box.area

    def _holder(self, found: Element) -> str:
        """Give the id of the smallest container around an element."""
        around = [self.elements[index] for index in self._near(found.box)]
        fits = (e for e in around if e.role in CONTAINERS and share(found.box, e.box) >= _INSIDE and e.id != found.id)
        smallest = min(fits, key=lambda e: e.box.area, default=None)
        return smallest.id if smallest is not None and smallest.box.area > found.box.area else ""

    def _near(self, box: Box) -> set[int]:
        return {index for cell in _cells(box) for index in self._cells.get(cell, ())}


def overlap(one: Box, other: Box) -> float:
    """Give the part of two boxes together that they share: 1 when they are the same, 0 when they do not touch."""
    shared = one.clipped(other)
    if shared.empty:
        return 0.0
    return shared.area / (one.area + other.area - shared.area)


def share(box: Box, of: Box) -> float:
    """Give the part of a box that lies in another one."""
    shared = box.clipped(of)
    return 0.0 if shared.empty else shared.area / box.area


def _says(known: Element, text: str) -> bool:
    """Tell whether an element's own words hold those of a text."""
    return bool(text) and " ".join(words(text)) in " ".join((*words(known.name), *words(known.value)))


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for across in range(box.left // _CELL, (box.right - 1) // _CELL + 1):
        for down in range(box.top // _CELL, (box.bottom - 1) // _CELL + 1):
            yield across, down


def said(elements: Sequence[Element]) -> list[Box]:
    """Give the places of elements that say themselves what they show, so that it need not be read."""
    parents = {e.parent for e in elements}
    saying = (e for e in elements if (e.name or e.value) and e.id not in parents and not e.box.empty)
    return [e.box for e in saying if e.value or e.role not in CONTAINERS]
