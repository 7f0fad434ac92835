"""What accessibles are, many at a time, and which of them can be seen."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
from deskhand.devices.linux.accessibility.roles import LABELS, NAMED_BY_CONTENT, TOGGLES, Role, State
from deskhand.devices.linux.accessibility.walk import Node, Walk

_GTK4_CLASS = re.compile("(Gtk|Adw)[A-Z][A-Za-z]+")
_CLASS = re.compile("([A-Z][a-z0-9]+){2,}")
"""What GTK 4 calls a control that has no name: by its class, which may be the application's own."""
_KIND_OF_STATES = 1 << State.FOCUSABLE | 1 << State.EDITABLE | 1 << State.MULTI_LINE | 1 << State.HAS_POPUP
_GTK4_MENU_BUTTON = "GtkMenuButton"
_GTK4_POPOVER = re.compile("Gtk[A-Z]?[a-z]*Popover(Menu|MenuBar)?")


def read_states(walk: Walk, nodes: Sequence[Node]) -> list[Node]:
    """Read the states of `nodes` and give those that can be seen, or may be what `wrongly_hidden` is about."""
    answers = walk.ask_all([ask(node.ref, ACCESSIBLE, "GetState") for node in nodes])
    found = []
    for node, answer in zip(nodes, answers, strict=True):
        states = states_of(answer)
        if states is None:
            walk.unreadable += 1
            continue
        node.states = states
        wanted = walk.hidden or visible_state(walk).within(states) or _may_scroll(node)
        if wanted and not State.DEFUNCT.within(states):
            found.append(node)
    return found


def wrongly_hidden(node: Node) -> bool:
    """Tell what GTK 3 calls out of sight once it has scrolled by more than its own height, its content being there."""
    return node.role == Role.VIEWPORT and _may_scroll(node)


def _may_scroll(node: Node) -> bool:
    in_pane = node.parent is not None and node.parent.role == Role.SCROLL_PANE
    return in_pane and State.VISIBLE.within(node.states) and not State.SHOWING.within(node.states)


def visible_state(walk: Walk) -> State:
    """Name the state of what can be seen: GTK 4 calls no control "showing"."""
    return State.VISIBLE if walk.program.gtk4 else State.SHOWING


def describe(walk: Walk, nodes: Sequence[Node]) -> list[Node]:
    """Read what `nodes` are and where; give those that are wanted, parents having been read before."""
    calls = []
    for node in nodes:
        calls += [
            ask(node.ref, ACCESSIBLE, "GetRole"),
            prop(node.ref, ACCESSIBLE, "Name"),
            prop(node.ref, ACCESSIBLE, "ChildCount"),
        ]
    # What is hidden says where it was, or will be.
    placed = [node for node in nodes if not walk.hidden or visible_state(walk).within(node.states)]
    calls += [ask(node.ref, COMPONENT, "GetExtents", "u", node.place.corner) for node in placed]
    answers = walk.ask_all(calls)
    extents = dict(zip(placed, map(extents_of, answers[3 * len(nodes) :]), strict=True))
    readable = []
    for index, node in enumerate(nodes):
        role, name, count = answers[3 * index : 3 * index + 3]
        number = number_of(role)
        if number is None:
            walk.unreadable += 1
            continue
        node.role = number
        if walk.program.qt and node.role == Role.PAGE_TAB:
            node.states = _tab_states(node.states)
        _take_name(walk, node, text_of(name).strip())
        node.child_count = number_of(count) or 0
        readable.append(node)
    find_drawn(walk, readable)
    found = [node for node in readable if locate(walk, node, extents.get(node)) or walk.hidden]
    _recall_interfaces(walk, found)
    return found


def _recall_interfaces(walk: Walk, nodes: Sequence[Node]) -> None:
    known = walk.memory.interfaces
    new = {_kind(walk, node): node for node in nodes if known.get(_kind(walk, node), (-1,))[0] != node.role}
    answers = walk.ask_all([ask(node.ref, ACCESSIBLE, "GetInterfaces") for node in new.values()])
    for (kind, node), answer in zip(new.items(), answers, strict=True):
        if not isinstance(answer, Failure):
            names = frozenset(name.rpartition(".")[2] for name in words_of(answer))
            known[kind] = (node.role, names)
    for node in nodes:
        node.interfaces = known.get(_kind(walk, node), (0, frozenset[str]()))[1]


def _kind(walk: Walk, node: Node) -> Ref:
    """Give what stands for all that are like a node: a spreadsheet's cells are made anew at every look."""
    if walk.program.chromium:  # whose accessibles of one kind all have the same
        return Ref(node.ref.bus, f"{node.role} {node.states & _KIND_OF_STATES}")
    if node.drawn and node.role == Role.TABLE_CELL and node.parent:
        return Ref(node.ref.bus, f"{node.parent.ref.path}/cells")
    return node.ref


def _take_name(walk: Walk, node: Node, name: str) -> None:
    node.name = name or node.title
    if not walk.program.gtk4:
        return
    node.popover = _GTK4_POPOVER.fullmatch(name) is not None
    # Its button for a menu has another inside, which is the one that can be seen.
    inside = node.parent is not None and node.parent.role in TOGGLES and node.role in TOGGLES
    if name == _GTK4_MENU_BUTTON or inside:
        node.states |= 1 << State.HAS_POPUP
    if _GTK4_CLASS.fullmatch(name) or (_CLASS.fullmatch(name) and node.role not in NAMED_BY_CONTENT | LABELS):
        node.name = ""
    words = name.split()
    if words[: len(words) // 2] == words[len(words) // 2 :]:
        node.name = " ".join(words[: len(words) // 2])  # it puts a button's own name before its label's


def _tab_states(states: int) -> int:
    """Qt calls the tab that is shown focused, wherever the focus is."""
    return states & ~(1 << State.FOCUSED) | 1 << State.SELECTED if State.FOCUSED.within(states) else states
