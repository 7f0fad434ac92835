"""Where one accessible can be seen, with what each toolkit gets wrong put right."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.place import Extents, guessed_place, popover_place
from deskhand.devices.linux.accessibility.protocol import ACCESSIBLE, SCREEN, ask, attributes_of
from deskhand.devices.linux.accessibility.roles import LABELS, OPENERS, POP_UPS, TEXTS, TOGGLES, Role, State
from deskhand.devices.linux.accessibility.walk import Node, Walk

_TALLEST_MENU_BAR = 80
_HOLDING_NOTHING = TEXTS | TOGGLES | {Role.LABEL, Role.ICON, Role.IMAGE, Role.DRAWING_AREA, Role.CHECK_BOX}
"""What holds nothing but what it opens."""
_DOT = 2
"""Pixels each way; pages shrink to that what is only for those to hear who cannot see, GTK 3 what never had room."""
_FLAT = 8
"""Pixels; no part of a page that is as thin as that scrolls: what does not lie in it hangs out of it."""


def locate(walk: Walk, node: Node, extents: Extents | None) -> bool:
    """Find out where a node can be seen; false when nowhere. The one above it was located before."""
    if node.parent:  # which may have been found to lie elsewhere since this node was made
        node.place = node.parent.place
    node.clip = _limit(walk, node)
    if extents is None:
        node.box = None if node.parent else node.place.clip  # a top-level is where its X window is
        return True
    if not _place_popover(walk, node, extents):
        return True
    if walk.program.libreoffice:
        _place_drawn(node, extents)
    if walk.program.chromium and node.role == Role.DOCUMENT_WEB and node.parent:
        _place_page(node, node.parent.clip, extents)
    _, _, width, height = extents
    if width <= 0 or height <= 0:
        # Hidden pop-ups of Qt, items out of view in GTK 4 and menu bars have no extent. Other containers without
        # one may hold what can be seen.
        none = width == height == 0 and (walk.program.qt or walk.program.gtk4)
        return not none and node.role != Role.MENU_BAR
    whole = node.place.box(extents)
    if walk.program.chromium and State.SHOWING.within(node.states):
        whole, node.clip = _page_place(walk, node, whole)
    box = whole.clipped(node.clip)
    dots = walk.program.chromium or walk.program.gtk3
    if box.empty or (dots and max(whole.width, whole.height) <= _DOT):
        return False
    node.box = box
    if node.role != Role.PAGE_TAB:  # its own box is the tab, not the page
        node.clip = box
    return True


def find_drawn(walk: Walk, nodes: Sequence[Node]) -> None:
    """Tell the controls that LibreOffice draws itself, below its root pane, from those that a toolkit draws."""
    if not walk.program.libreoffice:
        return
    drawn = walk.memory.drawn
    inside = [node for node in nodes if _in_root_pane(node)]
    new = [node for node in inside if node.ref not in drawn and node.role != Role.TABLE_CELL]
    answers = walk.ask_all([ask(node.ref, ACCESSIBLE, "GetAttributes") for node in new])
    drawn.update((node.ref, "toolkit" not in attributes_of(answer)) for node, answer in zip(new, answers, strict=True))
    for node in nodes:
        within = node.parent is not None and node.parent.drawn
        node.drawn = node.role == Role.ROOT_PANE or (within and drawn.get(node.ref, True))


def _in_root_pane(node: Node) -> bool:
    above = node.parent
    while above and above.role != Role.ROOT_PANE:
        above = above.parent
    return above is not None


def _place_drawn(node: Node, extents: Extents) -> None:
    """Take into account that LibreOffice counts what it draws without the menu bar above it."""
    if node.role == Role.ROOT_PANE:
        missing = node.place.client.bottom - node.place.box(extents).bottom
        node.place = node.place.moved(0, missing if 0 < missing <= _TALLEST_MENU_BAR else 0)
    elif node.parent and node.parent.drawn and not node.drawn:
        top = node.parent
        while top.parent:
            top = top.parent
        node.place = top.place


def _place_page(node: Node, view: Box, extents: Extents) -> None:
    """Take into account that Chromium counts in screen pixels in pages, and in its own around them."""
    unscaled = node.place._replace(scale=1.0, left=0, top=0)
    if node.place.corner == SCREEN and _apart(unscaled.box(extents), view) < _apart(node.place.box(extents), view):
        node.place = unscaled


def _page_place(walk: Walk, node: Node, whole: Box) -> tuple[Box, Box]:
    """Give where a node of a page is, and what it is cut off at."""
    if not walk.pop_ups:
        return whole, _page_limit(node, whole)
    pop_up = walk.pop_up(whole)
    if pop_up:  # what dates and colours are chosen in
        return pop_up, pop_up
    above = node.parent
    if above and above.role == Role.COMBO_BOX and node.role == Role.MENU:
        return walk.pop_ups[0], walk.pop_ups[0]  # Chromium takes an open list for a part of what opens it
    in_list = above is not None and above.role == Role.MENU and above.box in walk.pop_ups
    return whole, above.clip if above and in_list else _page_limit(node, whole)


def _page_limit(node: Node, whole: Box) -> Box:
    """Give the box that a node of a page is cut off at.

    What is placed freely may lie beside what it stands in: Chromium, which says that it shows, knows how that cuts.
    """
    above = node.parent
    if above is None or (node.role in LABELS and above.role == Role.LIST_ITEM):  # the mark in front of an item
        return node.clip
    while above.role != Role.DOCUMENT_WEB and (_flat(above.clip) or whole.clipped(above.clip).empty):
        if above.parent is None:  # no part of a page
            return node.clip
        above = above.parent
    return node.clip if above is node.parent else above.clip


def _flat(box: Box) -> bool:
    return min(box.width, box.height) < _FLAT


def _apart(one: Box, other: Box) -> int:
    return abs(one.left - other.left) + abs(one.top - other.top)


def _place_popover(walk: Walk, node: Node, extents: Extents) -> bool:
    """Find out where a GTK 4 popover or its content is; false when only its content's place can be guessed."""
    above = node.parent
    if node.popover and above and above.box:
        found = popover_place(node.place, extents, above.box, walk.pop_ups)
        node.place = found or node.place
        return found is not None
    if above and above.popover and not above.box and above.parent and above.parent.box:
        node.place = guessed_place(node.place, extents, above.parent.box)
    return True


def _limit(walk: Walk, node: Node) -> Box:
    """Give the box that a node is cut off at."""
    if not node.parent:
        return node.place.clip
    outside = node.role in POP_UPS or node.parent.role in OPENERS or node.popover
    # A popover of GTK 3 names what it hangs on when it is asked what it is in.
    hangs = walk.program.gtk3 and node.role == Role.PANEL and node.parent.role in _HOLDING_NOTHING
    return walk.screen if outside or hangs else node.parent.clip
