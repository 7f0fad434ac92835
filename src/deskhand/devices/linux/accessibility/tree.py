"""The walk over an application's accessibles: breadth first, what can be seen only, bounded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.apps import Toolkit
from deskhand.devices.linux.accessibility.bus import GONE, NO_REPLY, Answer, Failure
from deskhand.devices.linux.accessibility.place import Place
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    COMPONENT,
    Ref,
    ask,
    extents_of,
    number_of,
    prop,
    refs_of,
    states_of,
    text_of,
    words_of,
)
from deskhand.devices.linux.accessibility.roles import POPPING, State
from deskhand.devices.linux.accessibility.wire import Call

FEW_CHILDREN = 100
"""So many children are listed even where a container makes them up as it is asked."""
MANY_CHILDREN = 400
"""More children than that are not listed: only those that can be seen are looked for."""


_NOWHERE = Box(0, 0, 0, 0)


@dataclass(slots=True, eq=False)
class Node:
    """An accessible that can be seen."""

    ref: Ref
    parent: Node | None
    place: Place
    states: int = 0
    role: int = 0
    role_name: str = ""
    """The toolkit's own word, where ours has none."""
    name: str = ""
    child_count: int = 0
    interfaces: frozenset[str] = frozenset()
    box: Box | None = None
    """Where it can be seen; None for what has no extent of its own."""
    clip: Box = _NOWHERE
    """What its children are cut off at."""
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """A walk, and what became of it."""

    app: Toolkit
    screen: Box
    until: float
    most: int
    seen: int = 0
    unreadable: int = 0
    silent: bool = False
    """The application did not answer in time."""
    gone: bool = False
    notes: list[str] = field(default_factory=list)

    def down_from(self, tops: Sequence[Node]) -> None:
        """Read everything visible below `tops`, which are filled in as well."""
        level = self._look(list(tops))
        while level and not self._over():
            level = self._look(self._children_of(level))

    def ask_all(self, calls: Sequence[Call]) -> list[Answer]:
        """Put calls to the application; note when it stays silent."""
        answers = self.app.line.calls(calls, self.until)
        for answer in answers:
            if isinstance(answer, Failure):
                self.silent = self.silent or answer.name == NO_REPLY
                self.gone = self.gone or answer.name == GONE
        return answers

    def _over(self) -> bool:
        return self.silent or self.gone or time.monotonic() >= self.until

    def _look(self, nodes: list[Node]) -> list[Node]:
        """Fill in what can be seen of `nodes` and give those, each noted with its parent."""
        shown = self._shown(nodes)
        if self.seen + len(shown) > self.most:
            self.notes.append(f"truncated: {self.most} of at least {self.seen + len(shown)} elements")
            shown = shown[: max(0, self.most - self.seen)]
        calls = []
        for node in shown:
            calls += [
                ask(node.ref, ACCESSIBLE, "GetRole"),
                prop(node.ref, ACCESSIBLE, "Name"),
                prop(node.ref, ACCESSIBLE, "ChildCount"),
                ask(node.ref, ACCESSIBLE, "GetInterfaces"),
                ask(node.ref, COMPONENT, "GetExtents", "u", node.place.corner),
            ]
        answers = self.ask_all(calls)
        return [node for place, node in enumerate(shown) if self._fill(node, answers[place * 5 : place * 5 + 5])]

    def _shown(self, nodes: list[Node]) -> list[Node]:
        bit = State.VISIBLE if self.app.gtk4 else State.SHOWING
        shown = []
        for node, answer in zip(
            nodes, self.ask_all([ask(node.ref, ACCESSIBLE, "GetState") for node in nodes]), strict=True
        ):
            states = states_of(answer)
            if states is None:
                self.unreadable += 1
                continue
            node.states = states
            if bit.within(states) and not State.DEFUNCT.within(states):
                shown.append(node)
        return shown

    def _fill(self, node: Node, answers: Sequence[Answer]) -> bool:
        role, count = number_of(answers[0]), number_of(answers[2])
        if role is None:
            self.unreadable += 1
            return False
        node.role, node.name, node.child_count = role, text_of(answers[1]), count or 0
        node.interfaces = frozenset(name.rpartition(".")[2] for name in words_of(answers[3]))
        if not self._locate(node, extents_of(answers[4])):
            return False
        self.seen += 1
        if node.parent:
            node.parent.children.append(node)
        return True

    def _locate(self, node: Node, extents: tuple[int, int, int, int] | None) -> bool:
        """Find out where a node can be seen; false when nowhere."""
        above = node.parent.clip if node.parent else self.screen
        if node.role in POPPING or (node.parent and node.parent.role in POPPING):
            above = self.screen
        node.clip = above
        if extents is None or extents[2] <= 0 or extents[3] <= 0:
            return True  # a container without an extent may well hold something that has one
        box = node.place.box(extents).clipped(above)
        if box.empty:
            return False
        node.box = node.clip = box
        return True

    def _children_of(self, nodes: list[Node]) -> list[Node]:
        parents = [node for node in nodes if node.child_count and self._listable(node)]
        answers = self.ask_all([ask(node.ref, ACCESSIBLE, "GetChildren") for node in parents])
        found = []
        for parent, answer in zip(parents, answers, strict=True):
            found += [Node(ref, parent, parent.place) for ref in refs_of(answer)]
        return found

    def _listable(self, node: Node) -> bool:
        if node.child_count <= FEW_CHILDREN:
            return True
        return node.child_count <= MANY_CHILDREN and not State.MANAGES_DESCENDANTS.within(node.states)
