"""Reading accessibles many at a time: what each is, and whether and where it can be seen."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.apps import Program
from deskhand.devices.linux.accessibility.bus import GONE, NO_REPLY, Answer, Failure
from deskhand.devices.linux.accessibility.place import Extents, Place, guessed_place, popover_place
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
from deskhand.devices.linux.accessibility.roles import LABELS, NAMED_BY_CONTENT, OPENERS, POP_UPS, Role, State
from deskhand.devices.linux.accessibility.wire import Call

_NOWHERE = Box(0, 0, 0, 0)
_ERROR = "org.freedesktop.DBus.Error"
_LEFT = frozenset({GONE, f"{_ERROR}.ServiceUnknown", f"{_ERROR}.NameHasNoOwner", f"{_ERROR}.NoReply"})
"""Errors that say that an application is not there any more; the last is the daemon's when it leaves meanwhile."""
_MOST_REMEMBERED = 50_000
_GTK4_CLASS = re.compile("(Gtk|Adw)[A-Z][A-Za-z]+")
_CLASS = re.compile("([A-Z][a-z0-9]+){2,}")
"""What GTK 4 calls a control that has no name: by its class, which may be the application's own."""
_GTK4_POPOVER = re.compile("Gtk[A-Z]?[a-z]*Popover(Menu|MenuBar)?")


@dataclass(slots=True, eq=False)
class Node:
    """An accessible."""

    ref: Ref
    parent: Node | None
    place: Place
    states: int = 0
    role: int = 0
    name: str = ""
    child_count: int = 0
    interfaces: frozenset[str] = frozenset()
    box: Box | None = None
    """Where it can be seen; None for what has no extent of its own."""
    clip: Box = _NOWHERE
    """What its children are cut off at."""
    title: str = ""
    """What the window manager calls it, for top-levels."""
    popover: bool = False
    """Whether it is one of GTK 4's pop-ups, which are windows of their own."""
    children: list[Node] = field(default_factory=list)
    """Those that can be seen."""

    @property
    def usable(self) -> bool:
        return State.SENSITIVE.within(self.states) or State.ENABLED.within(self.states)


class Memory:
    """What does not change while an accessible keeps its role: worth asking once."""

    def __init__(self) -> None:
        self.interfaces: dict[Ref, tuple[int, frozenset[str]]] = {}
        self.actions: dict[tuple[Ref, int], tuple[str, ...]] = {}

    def bound(self) -> None:
        """Forget everything when it has become too much."""
        if len(self.interfaces) > _MOST_REMEMBERED:
            self.interfaces.clear()
            self.actions.clear()


@dataclass(slots=True)
class Walk:
    """A reading of one application that is under way, and what became of it."""

    program: Program
    memory: Memory
    screen: Box
    until: float
    pop_ups: Sequence[Box] = ()
    """Where the X windows without title bar of the process are, as far as that is known."""
    seen: int = 0
    unreadable: int = 0
    silent: bool = False
    """The application did not answer in time."""
    gone: bool = False
    """The application has closed."""
    notes: list[str] = field(default_factory=list)
    scrolled: list[Node] = field(default_factory=list)
    """Containers of which only what is in view was looked for."""
    met: set[Ref] = field(default_factory=set)
    """What was read already: pop-ups hang in two places of the tree."""

    @property
    def over(self) -> bool:
        return self.silent or self.gone or time.monotonic() >= self.until

    def ask_all(self, calls: Sequence[Call]) -> list[Answer]:
        """Put calls to the application; note when it stays silent or is gone."""
        answers = self.program.line.calls(calls, self.until)
        for answer in answers:
            if isinstance(answer, Failure):
                self.silent = self.silent or answer.name == NO_REPLY
                self.gone = self.gone or answer.name in _LEFT
        return answers

    def shown(self, nodes: Sequence[Node]) -> list[Node]:
        """Read the states of `nodes` and give those that the toolkit calls visible."""
        answers = self.ask_all([ask(node.ref, ACCESSIBLE, "GetState") for node in nodes])
        # GTK 4 calls no control "showing"; what it calls visible is cut off by what contains it.
        bit = State.VISIBLE if self.program.gtk4 else State.SHOWING
        found = []
        for node, answer in zip(nodes, answers, strict=True):
            states = states_of(answer)
            if states is None:
                self.unreadable += 1
                continue
            node.states = states
            if bit.within(states) and not State.DEFUNCT.within(states):
                found.append(node)
        return found

    def describe(self, nodes: Sequence[Node]) -> list[Node]:
        """Read what `nodes` are and where; give those that are in view, parents having been read before."""
        calls = []
        for node in nodes:
            calls += [
                ask(node.ref, ACCESSIBLE, "GetRole"),
                prop(node.ref, ACCESSIBLE, "Name"),
                prop(node.ref, ACCESSIBLE, "ChildCount"),
                ask(node.ref, COMPONENT, "GetExtents", "u", node.place.corner),
            ]
        answers = self.ask_all(calls)
        readable = []
        for index, node in enumerate(nodes):
            role, name, count, extents = answers[4 * index : 4 * index + 4]
            node.role = number_of(role) or 0
            if number_of(role) is None:
                self.unreadable += 1
                continue
            if self.program.qt and node.role == Role.PAGE_TAB:
                node.states = _tab_states(node.states)
            self._take_name(node, text_of(name).strip())
            node.child_count = number_of(count) or 0
            if self._locate(node, extents_of(extents)):
                readable.append(node)
        self._recall_interfaces(readable)
        return readable

    def _recall_interfaces(self, nodes: Sequence[Node]) -> None:
        known = self.memory.interfaces
        new = [node for node in nodes if known.get(node.ref, (-1,))[0] != node.role]
        answers = self.ask_all([ask(node.ref, ACCESSIBLE, "GetInterfaces") for node in new])
        for node, answer in zip(new, answers, strict=True):
            if not isinstance(answer, Failure):
                names = frozenset(name.rpartition(".")[2] for name in words_of(answer))
                known[node.ref] = (node.role, names)
        for node in nodes:
            node.interfaces = known.get(node.ref, (0, frozenset[str]()))[1]

    def _take_name(self, node: Node, name: str) -> None:
        node.name = name or node.title
        if not self.program.gtk4:
            return
        node.popover = _GTK4_POPOVER.fullmatch(name) is not None
        if _GTK4_CLASS.fullmatch(name) or (_CLASS.fullmatch(name) and node.role not in NAMED_BY_CONTENT | LABELS):
            node.name = ""
        words = name.split()
        if words[: len(words) // 2] == words[len(words) // 2 :]:
            node.name = " ".join(words[: len(words) // 2])  # it puts a button's own name before its label's

    def _locate(self, node: Node, extents: Extents | None) -> bool:
        """Find out where a node can be seen; false when nowhere."""
        node.clip = self._limit(node)
        if extents is None:
            return True
        if not self._place_popover(node, extents):
            return True
        _, _, width, height = extents
        if width <= 0 or height <= 0:
            # Qt gives hidden pop-ups no extent. Others have containers that have none and hold something to be seen.
            return not (self.program.qt and width == height == 0)
        box = node.place.box(extents).clipped(node.clip)
        if box.empty:
            return False
        node.box = box
        if node.role != Role.PAGE_TAB:  # its own box is the tab, not the page
            node.clip = box
        return True

    def _place_popover(self, node: Node, extents: Extents) -> bool:
        """Find out where a popover or its content is; false when only its content's place can be guessed."""
        above = node.parent
        if node.popover and above and above.box:
            found = popover_place(node.place, extents, above.box, self.pop_ups)
            node.place = found or node.place
            return found is not None
        if above and above.popover and not above.box and above.parent and above.parent.box:
            node.place = guessed_place(node.place, extents, above.parent.box)
        return True

    def _limit(self, node: Node) -> Box:
        """Give the box that a node is cut off at."""
        if not node.parent:
            return node.place.clip
        outside = node.role in POP_UPS or node.parent.role in OPENERS or node.popover
        return self.screen if outside else node.parent.clip


def _tab_states(states: int) -> int:
    """Qt calls the tab that is shown focused, wherever the focus is."""
    return states & ~(1 << State.FOCUSED) | 1 << State.SELECTED if State.FOCUSED.within(states) else states
