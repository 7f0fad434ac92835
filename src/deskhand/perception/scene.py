"""The elements of an observation as a tree that can be asked: who contains what, what is called how, what is on top."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from deskhand.core.geometry import Box
from deskhand.core.observation import Element

LABELS = frozenset({"label", "heading", "paragraph", "columnheader", "rowheader"})
FIELDS = frozenset({"textbox", "password", "combobox", "spinbutton", "slider", "searchbox", "listbox", "terminal"})
CAPTIONED = FIELDS | {"switch", "progressbar", "list", "table", "tree"}
"""What is usually named by a label beside it."""
PRESSABLE = frozenset(
    {"button", "link", "checkbox", "radio", "switch", "menu", "menuitem", "menuitemcheckbox", "menuitemradio"}
) | {"tab", "option", "listitem", "treeitem", "row", "cell", "columnheader", "img"}
MENU_ITEMS = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio", "menu"})
CHECKABLE = frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"})
TRIGGERS = MENU_ITEMS | CHECKABLE | {"button", "link", "tab"}
"""What is called by what it does, not by what it holds."""
DIALOGS = frozenset({"dialog", "alert"})
_MOST_TEXTS = 40
_LONGEST_CAPTION = 60
_WIDEST_GAP = 300
_TALLEST_GAP = 36
_ABOVE = 50.0
"""What a label over a field is behind one beside it."""


class Scene:
    """Elements with their relations; made anew for every look."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self.elements = tuple(elements)
        self._by_id = {e.id: e for e in self.elements}
        self._children: dict[str, list[Element]] = defaultdict(list)
        for element in self.elements:
            self._children[element.parent if element.parent in self._by_id else ""].append(element)

    def get(self, element_id: str) -> Element | None:
        return self._by_id.get(element_id)

    def children(self, element: Element) -> Sequence[Element]:
        return self._children.get(element.id, ())

    def within(self, element: Element) -> Iterator[Element]:
        """Give everything below an element, in reading order of the tree."""
        for child in self.children(element):
            yield child
            yield from self.within(child)

    def above(self, element: Element) -> Iterator[Element]:
        """Give what contains an element, the nearest first."""
        parent = self.get(element.parent)
        while parent is not None:
            yield parent
            parent = self.get(parent.parent)

    @cached_property
    def top(self) -> tuple[Element, ...]:
        """The elements that can be reached: all of them, or those of the innermost modal dialog."""
        modals = [e for e in self.elements if "modal" in e.states and e.role in (*DIALOGS, "window")]
        if not modals:
            return self.elements
        dialog = next((e for e in reversed(modals) if "active" in e.states), modals[-1])
        inside = {e.id for e in self.within(dialog)} | {dialog.id}
        popped = {e.id for e in self.elements if e.role in MENU_ITEMS | {"option"} and e.window != dialog.window}
        return tuple(e for e in self.elements if e.id in inside or (e.id in popped and not self._in_menubar(e)))

    def _in_menubar(self, element: Element) -> bool:
        return any(e.role == "menubar" for e in self.above(element))

    @property
    def dialogs(self) -> tuple[Element, ...]:
        """The dialogs and alerts that are open, the innermost last."""
        return tuple(e for e in self.elements if e.role in DIALOGS)

    @cached_property
    def _labels(self) -> tuple[Element, ...]:
        return tuple(
            e
            for e in self.elements
            if (e.role in LABELS or (e.role == "cell" and e.source == "dom"))
            and 0 < len(e.name.strip()) <= _LONGEST_CAPTION
        )

    def caption(self, element: Element) -> str:
        """Say what a person would call an element: its name, or the label that stands beside it."""
        if element.name.strip() or element.role not in CAPTIONED | CHECKABLE:
            return element.name.strip()
        # A line of settings is called by its text, and what is set in it has no name of its own.
        line = next((a for a in self.above(element) if a.role == "listitem"), None)
        if line is not None and line.name.strip():
            return line.name.strip()
        around = next((a for a in self.above(element) if a.role in LABELS and a.name.strip()), None)
        near = around or self._label_beside(element)
        return near.name.strip() if near else ""

    def _group_of(self, element: Element) -> str:
        """Give the name of the group that an element is the only one in that is set."""
        group = next((a for a in self.above(element) if a.role == "group" and a.name.strip()), None)
        alone = group is not None and sum(e.role in CAPTIONED for e in self._some_within(group)) == 1
        return group.name.strip() if group is not None and alone else ""

    def _label_beside(self, element: Element) -> Element | None:
        best: tuple[float, Element] | None = None
        for label in self._labels:
            gap = _gap(label.box, element.box, right=element.role in CHECKABLE)
            if gap is not None and label.role == "cell" and gap >= _ABOVE:
                continue  # what stands over a field in a table belongs to another row
            if label.window == element.window and gap is not None and (best is None or gap < best[0]):
                best = (gap, label)
        return best[1] if best else None

    def names(self, element: Element) -> tuple[str, ...]:
        """Give all that an element may be called, the best first."""
        caption = self.caption(element)
        names = [caption] if caption else []
        if element.role in CAPTIONED and (group := self._group_of(element)):
            names.append(group)
        if element.role in ("combobox", "cell", "option", "listitem") and element.value:
            names.append(element.value)
        if not caption and element.role in PRESSABLE | {"group", "dialog", "alert"}:
            texts = [e.name for e in self._some_within(element) if e.role in LABELS and e.name]
            names.append(" ".join(texts[:3]))
        return tuple(name for name in names if name)

    def _some_within(self, element: Element) -> Iterator[Element]:
        for index, inner in enumerate(self.within(element)):
            if index >= _MOST_TEXTS:
                return
            yield inner

    def texts(self, elements: Iterable[Element] | None = None) -> Iterator[str]:
        """Give every text that can be read, names and values."""
        for element in self.elements if elements is None else elements:
            if element.name:
                yield element.name
            if element.value:
                yield element.value

    def looks(self) -> tuple[object, ...]:
        """Give what makes two scenes the same to a person: everything but ids, the focus and what only holds others."""
        return tuple(
            (e.role, e.name, e.value, tuple(s for s in e.states if s not in ("focused", "active")), e.box)
            for e in self.elements
            if e.role != "group" or e.name or e.value
        )


def _gap(label: Box, field: Box, *, right: bool) -> float | None:
    """Measure how far a label is from what it may belong to; None when it stands elsewhere."""
    overlap_y = min(label.bottom, field.bottom) - max(label.top, field.top)
    if overlap_y * 2 >= min(label.height, field.height):
        beside = field.left - label.right
        if -4 <= beside <= _WIDEST_GAP:
            return float(max(beside, 0))
        after = label.left - field.right
        if right and -4 <= after <= _WIDEST_GAP:
            return float(max(after, 0))
    overlap_x = min(label.right, field.right) - max(label.left, field.left)
    over = field.top - label.bottom
    if overlap_x > 0 and -4 <= over <= _TALLEST_GAP and not right:
        return _ABOVE + max(over, 0)
    return None
