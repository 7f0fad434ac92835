"""What accessibles are, many at a time, and which of them can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from deskhand.devices.linux.accessibility.bus import Failure
from deskhand.devices.linux.accessibility.locating import find_drawn, locate
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    COMPONENT,
    Ref,
    ask,
    extents_of,
    number_of,
    prop,
    states_of,
    text_of,
    words_of,
)
from deskhand.devices.linux.accessibility.roles import (
    LABELS,
    MENU_ITEMS,
    MENUS,
    NAMED_BY_CONTENT,
    TOGGLES,
    TREES,
    Role,
    State,
)
from deskhand.devices.linux.accessibility.walk import NOTHING_TOLD, Node, Walk
from deskhand.devices.linux.accessibility.wire import Call

_GTK4_CLASS = re.compile("(Gtk|Adw)[A-Z][A-Za-z]+")
_CLASS = re.compile("([A-Z][a-z0-9]+){2,}")
"""What GTK 4 calls a control that has no name: by its class, which may be the application's own."""
_KIND_OF_STATES = 1 << State.FOCUSABLE | 1 << State.EDITABLE | 1 << State.MULTI_LINE | 1 << State.HAS_POPUP
_OF_ONE_CLASS = frozenset(
    {Role.LABEL, Role.LIST_ITEM, Role.SEPARATOR, Role.FILLER, Role.PUSH_BUTTON, Role.RADIO_BUTTON}
)
"""Roles that GTK 3 has one class of accessibles for."""
_KEYS = re.compile(r" (?:\w+\+)+(?:\w+ )?\S+$| F\d\d?$")
_MEMORY = re.compile(r" [-–] [^-–]+ [-–] [\d.,]+\s?[KMG]B$")
_GTK4_MENU_BUTTON = "GtkMenuButton"
_GTK4_POPOVER = re.compile("Gtk[A-Z]?[a-z]*Popover(Menu|MenuBar)?")


def read_states(walk: Walk, nodes: Sequence[Node]) -> list[Node]:
    """Read the states of `nodes` and give those that can be seen, or may be what `wrongly_hidden` is about."""
    told = [walk.told.get(node.ref, NOTHING_TOLD).states for node in nodes]
    asked = [node for node, states in zip(nodes, told, strict=True) if states is None]
    answers = iter(walk.ask_all([ask(node.ref, ACCESSIBLE, "GetState") for node in asked]))
    found = []
    for node, known in zip(nodes, told, strict=True):
        states = states_of(next(answers)) if known is None else known
        if states is None:
            walk.unreadable += 1
            continue
        node.states = states
        wanted = walk.hidden or visible_state(walk).within(states) or _may_show(walk, node)
        if wanted and not State.DEFUNCT.within(states):
            found.append(node)
    return found


def wrongly_hidden(walk: Walk, node: Node) -> bool:
    """Tell what is called out of sight and is not.

    GTK 3 does so of what has scrolled by more than its own height, its content being there, GTK 2 of the items of
    open menus, Chromium of what its pop-ups for dates and colours hold, LibreOffice of tables it draws in dialogs.
    """
    if _may_pop_up(walk, node):
        box = node.box
        return walk.program.chromium or (box is not None and any(box.clipped(each) == box for each in walk.pop_ups))
    return (node.role == Role.VIEWPORT and _may_scroll(node)) or (node.role == Role.TABLE and _may_be_drawn(walk, node))


def _may_show(walk: Walk, node: Node) -> bool:
    return _may_scroll(node) or _may_pop_up(walk, node) or _may_be_drawn(walk, node)


def _may_be_drawn(walk: Walk, node: Node) -> bool:
    in_view = node.parent is not None and node.parent.role == Role.VIEWPORT
    return walk.program.libreoffice and in_view and _not_showing(node)


def _may_scroll(node: Node) -> bool:
    in_pane = node.parent is not None and node.parent.role == Role.SCROLL_PANE
    return in_pane and _not_showing(node)


def _may_pop_up(walk: Walk, node: Node) -> bool:
    if node.parent is None or not walk.pop_ups or not _not_showing(node):
        return False
    in_menu = walk.program.gtk2 and node.parent.role in MENUS
    return in_menu or (walk.program.chromium and walk.pop_up(node.parent.box) is not None)


def _not_showing(node: Node) -> bool:
    return State.VISIBLE.within(node.states) and not State.SHOWING.within(node.states)


def visible_state(walk: Walk) -> State:
    """Name the state of what can be seen: GTK 4 calls no control "showing"."""
    return State.VISIBLE if walk.program.gtk4 else State.SHOWING


def describe(walk: Walk, nodes: Sequence[Node]) -> list[Node]:
    """Read what `nodes` are and where; give those that are wanted, parents having been read before."""
    answers = iter(walk.ask_all([call for node in nodes for call in _questions(walk, node)]))
    readable, extents = [], {}
    for node in nodes:
        told = walk.told.get(node.ref, NOTHING_TOLD)
        role = number_of(next(answers)) if told.role is None else told.role
        name = text_of(next(answers)) if told.name is None else told.name
        count = number_of(next(answers)) if told.child_count is None else told.child_count
        if _placed(walk, node):
            extents[node] = extents_of(next(answers)) if told.extents is None else told.extents
        if role is None:
            walk.unreadable += 1
            continue
        node.role, node.child_count = role, count or 0
        if walk.program.qt and node.role == Role.PAGE_TAB:
            node.states = _tab_states(node.states)
        _take_name(walk, node, name.strip())
        readable.append(node)
    find_drawn(walk, readable)
    found = [node for node in readable if locate(walk, node, extents.get(node)) or walk.hidden]
    if walk.program.qt:
        _settle_rows(found)
    _recall_interfaces(walk, found)
    return found


def _questions(walk: Walk, node: Node) -> Iterator[Call]:
    told = walk.told.get(node.ref, NOTHING_TOLD)
    if told.role is None:
        yield ask(node.ref, ACCESSIBLE, "GetRole")
    if told.name is None:
        yield prop(node.ref, ACCESSIBLE, "Name")
    if told.child_count is None:
        yield prop(node.ref, ACCESSIBLE, "ChildCount")
    if told.extents is None and _placed(walk, node):
        yield ask(node.ref, COMPONENT, "GetExtents", "u", node.place.corner)


def _placed(walk: Walk, node: Node) -> bool:
    """Tell whether a node is to say where it is: what is hidden says where it was, or will be."""
    return not walk.hidden or visible_state(walk).within(node.states)


def _recall_interfaces(walk: Walk, nodes: Sequence[Node]) -> None:
    known = walk.memory.interfaces
    new = {kind_of(walk, node): node for node in nodes if known.get(kind_of(walk, node), (-1,))[0] != node.role}
    for kind, node in list(new.items()):
        told = walk.told.get(node.ref, NOTHING_TOLD).interfaces
        if told is not None:
            known[kind] = (node.role, _short_names(told))
            del new[kind]
    answers = walk.ask_all([ask(node.ref, ACCESSIBLE, "GetInterfaces") for node in new.values()])
    for (kind, node), answer in zip(new.items(), answers, strict=True):
        if not isinstance(answer, Failure):
            known[kind] = (node.role, _short_names(words_of(answer)))
    for node in nodes:
        node.interfaces = known.get(kind_of(walk, node), (0, frozenset[str]()))[1]


def _short_names(interfaces: Iterable[str]) -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in interfaces)


def kind_of(walk: Walk, node: Node) -> Ref:
    """Give what stands for all that have the same interfaces, and in GTK 3 the same actions, as a node.

    A spreadsheet's cells are made anew at every look.
    """
    if walk.program.gtk3 and node.role in _OF_ONE_CLASS:
        return Ref(node.ref.bus, str(node.role))
    if walk.program.chromium:  # whose accessibles of one kind all have the same
        return Ref(node.ref.bus, f"{node.role} {node.states & _KIND_OF_STATES}")
    if node.drawn and node.role == Role.TABLE_CELL and node.parent:
        return Ref(node.ref.bus, f"{node.parent.ref.path}/cells")
    return node.ref


def _take_name(walk: Walk, node: Node, name: str) -> None:
    node.name = name or node.title
    if walk.program.chromium:
        node.name = _plain_name(node.role, node.name)
    if not walk.program.gtk4:
        return
    node.popover = _GTK4_POPOVER.fullmatch(name) is not None
    # Its button for a menu has another inside, which is the one that can be seen.
    inside = node.parent is not None and node.parent.role in TOGGLES and node.role in TOGGLES
    if name == _GTK4_MENU_BUTTON or inside:
        node.states |= 1 << State.HAS_POPUP
    if _GTK4_CLASS.fullmatch(name) or (_CLASS.fullmatch(name) and node.role not in NAMED_BY_CONTENT | LABELS):
        node.name = node.title
    if node.role == Role.PAGE_TAB and node.parent and node.parent.role == Role.PAGE_TAB_LIST and node.parent.name:
        node.name = ""  # it calls every tab of a notebook a tab: its label says which
    words = name.split()
    first, second = words[: len(words) // 2], words[len(words) // 2 :]
    if first and [word.replace("_", "") for word in first] == [word.replace("_", "") for word in second]:
        node.name = " ".join(second)  # it puts a button's own name, with the mark of its key, before its label's


def _plain_name(role: int, name: str) -> str:
    """Leave out the keys that Chromium puts behind a menu's item, and how much memory a tab takes."""
    if role in MENU_ITEMS:
        return _KEYS.sub("", name)
    return _MEMORY.sub("", name) if role == Role.PAGE_TAB else name


def _settle_rows(nodes: Sequence[Node]) -> None:
    """Have only the first cell of a tree's row open and closed: Qt says so of all the others, and always closed."""
    for before, node in pairwise(nodes):
        in_row = node.box and before.box and node.box.top == before.box.top and node.parent is before.parent
        if in_row and node.role == Role.TABLE_CELL and node.parent and node.parent.role in TREES:
            node.states &= ~(1 << State.EXPANDABLE | 1 << State.EXPANDED | 1 << State.COLLAPSED)


def _tab_states(states: int) -> int:
    """Qt calls the tab that is shown focused, wherever the focus is."""
    return states & ~(1 << State.FOCUSED) | 1 << State.SELECTED if State.FOCUSED.within(states) else states
