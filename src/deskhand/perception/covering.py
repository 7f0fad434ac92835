"""What of a screen lies behind something else, and what takes no input because a dialog is in front of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Window

_MENU_ITEMS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio", "separator"})
_ENOUGH = 40
"""Pixels to each side of which a part of something large can still be told and be clicked."""


def blocked(elements: Iterable[Element], windows: Iterable[Window]) -> frozenset[str]:
    """Give the ids of the windows that a modal dialog keeps from taking any input."""
    modal = {element.window for element in elements if "modal" in element.states}
    return frozenset(w.dialog_of for w in windows if w.dialog_of and (w.modal or w.id in modal))


def uncovered(elements: Sequence[Element], windows: Sequence[Window]) -> tuple[Element, ...]:
    """Cut elements to what can be seen of them; what cannot be, or takes no input, is said to be `covered`.

    What stands in front are the windows above the element's own, and open menus.
    """
    shut = blocked(elements, windows)
    above = {window.id: _in_front(windows[:place]) for place, window in enumerate(windows)}
    menus = _open_menus(elements)
    return tuple(_as_seen(e, e.window in shut, (*above.get(e.window, ()), *_menus_over(e, menus))) for e in elements)


def _in_front(windows: Sequence[Window]) -> tuple[Box, ...]:
    return tuple(window.box for window in windows if not window.minimized)


def _open_menus(elements: Sequence[Element]) -> Mapping[str, Box]:
    """Give where menus are open: around the items of each, by the id of the menu."""
    menus = {e.id for e in elements if e.role == "menu"}
    found: dict[str, Box] = {}
    for e in elements:
        if e.parent in menus and e.role in _MENU_ITEMS and not e.box.empty:
            found[e.parent] = _around(found.get(e.parent, e.box), e.box)
    return found


def _around(one: Box, other: Box) -> Box:
    left, top = min(one.left, other.left), min(one.top, other.top)
    return Box(left, top, max(one.right, other.right), max(one.bottom, other.bottom))


def _menus_over(element: Element, menus: Mapping[str, Box]) -> Iterable[Box]:
    return () if element.role in _MENU_ITEMS or element.parent in menus else menus.values()


def _as_seen(element: Element, shut: bool, covers: Sequence[Box]) -> Element:
    box = element.box
    for cover in covers:
        box = _beside(box, cover)
    if not shut and box == element.box:
        return element
    large = box.width >= _ENOUGH and box.height >= _ENOUGH
    if shut or (2 * box.area < element.box.area and not large):
        return element.model_copy(update={"states": (*element.states, "covered")})
    return element.model_copy(update={"box": box})


def _beside(box: Box, cover: Box) -> Box:
    """Give the largest part of a box that is beside what covers it."""
    inside = box.clipped(cover)
    if inside.empty:
        return box
    parts = (
        box._replace(right=inside.left),
        box._replace(left=inside.right),
        box._replace(bottom=inside.top),
        box._replace(top=inside.bottom),
    )
    return max(parts, key=lambda part: part.area)
