"""A reading of one application that is under way: its nodes, and whether the application still answers."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.apps import Program
from deskhand.devices.linux.accessibility.bus import GONE, NO_REPLY, Answer, Failure
from deskhand.devices.linux.accessibility.place import Extents, Place
from deskhand.devices.linux.accessibility.protocol import Ref
from deskhand.devices.linux.accessibility.roles import HOLLOW, State
from deskhand.devices.linux.accessibility.wire import Call

_ROUNDED = 2
"""Pixels."""
_NOWHERE = Box(0, 0, 0, 0)
_ERROR = "org.freedesktop.DBus.Error"
_LEFT = frozenset({GONE, f"{_ERROR}.ServiceUnknown", f"{_ERROR}.NameHasNoOwner", f"{_ERROR}.NoReply"})
"""Errors that say that an application is not there any more; the last is the daemon's when it leaves meanwhile."""
MOST_CELLS = 1500
_MOST_REMEMBERED = 50_000


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
    drawn: bool = False
    """Whether LibreOffice draws it itself, rather than having a toolkit do so."""
    popover: bool = False
    """Whether it is one of GTK 4's pop-ups, which are windows of their own."""
    children: list[Node] = field(default_factory=list)
    """Those that can be seen."""

    @property
    def usable(self) -> bool:
        return State.SENSITIVE.within(self.states) or State.ENABLED.within(self.states)

    @property
    def written_in(self) -> bool:
        """Whether it is a part of a page that is no field and can be written in all the same."""
        return self.role in HOLLOW and State.EDITABLE.within(self.states) and State.FOCUSABLE.within(self.states)


def all_below(tops: Iterable[Node]) -> list[Node]:
    """List nodes and everything in them that was read."""
    found, pending = [], [*tops]
    while pending:
        node = pending.pop()
        found.append(node)
        pending += node.children
    return found


@dataclass(slots=True)
class Told:
    """What is known of an accessible before it is asked for, at the beginning of a walk; None is to be asked."""

    states: int | None = None
    role: int | None = None
    name: str | None = None
    child_count: int | None = None
    children: list[Ref] | None = None
    interfaces: Sequence[str] | None = None
    """With their whole names."""
    extents: Extents | None = None


NOTHING_TOLD = Told()


class Memory:
    """What does not change while an accessible keeps its role: worth asking once."""

    def __init__(self) -> None:
        self.interfaces: dict[Ref, tuple[int, frozenset[str]]] = {}
        self.actions: dict[tuple[Ref, int], tuple[str, ...]] = {}
        self.drawn: dict[Ref, bool] = {}
        self.parents: dict[Ref, Ref] = {}
        """Where each was found: a guess that saves asking for one after the other."""
        self._cells: tuple[Ref | None, float, dict[tuple[int, int], Ref]] = (None, 0.0, {})
        self.telling_too_much: set[str] = set()
        """Names on the bus of applications that tell much more of themselves than can be seen."""

    def cells_of(self, sheet: Ref, seconds: float) -> dict[tuple[int, int], Ref]:
        """Give the cells of a sheet by row and column that were met at most so long ago, to be added to."""
        now = time.monotonic()
        if self._cells[0] != sheet or now > self._cells[1] + seconds:
            self._cells = (sheet, now, {})
        return self._cells[2]

    def below(self, tops: Iterable[Ref]) -> set[Ref]:
        """Give what was found in top-levels, and these themselves."""
        inside: defaultdict[Ref, list[Ref]] = defaultdict(list)
        for ref, parent in self.parents.items():
            inside[parent].append(ref)
        found, pending = set[Ref](), [*tops]
        while pending:
            ref = pending.pop()
            if ref not in found:
                found.add(ref)
                pending += inside[ref]
        return found

    def drop(self, gone: Collection[Ref]) -> None:
        """Let go of accessibles that are no more."""
        for ref in gone:
            self.interfaces.pop(ref, None)
            self.drawn.pop(ref, None)
            self.parents.pop(ref, None)
        self.actions = {key: names for key, names in self.actions.items() if key[0] not in gone}

    def bound(self) -> None:
        """Forget everything when it has become too much."""
        if max(len(self.interfaces), len(self.parents)) > _MOST_REMEMBERED:
            self.interfaces.clear()
            self.actions.clear()
            self.drawn.clear()
            self.parents.clear()


def _off(one: Box, other: Box) -> int:
    sides = (one.left - other.left, one.top - other.top, one.right - other.right, one.bottom - other.bottom)
    return max(map(abs, sides))


@dataclass(slots=True)
class Walk:
    """A reading of one application that is under way, and what became of it."""

    program: Program
    memory: Memory
    screen: Box
    until: float
    pop_ups: Sequence[Box] = ()
    """Where the X windows without title bar of the process are, as far as that is known."""
    most_cells: int = MOST_CELLS
    """How many cells of a sheet are listed."""
    hidden: bool = False
    """Whether what cannot be seen is read as well."""
    pages: bool = True
    """Whether pages are read, or only what is around them."""
    seen: int = 0
    unreadable: int = 0
    silent: bool = False
    """The application did not answer in time."""
    gone: bool = False
    """The application has closed."""
    unsure: bool = False
    """It did not say which of its pages is in front; it will when all of them were read."""
    notes: list[str] = field(default_factory=list)
    scrolled: list[Node] = field(default_factory=list)
    """Containers of which only what is in view was looked for."""
    met: set[Ref] = field(default_factory=set)
    """What was read already: pop-ups hang in two places of the tree."""
    listed: frozenset[Ref] = frozenset()
    """The application's top-levels, also those that are hidden where its toolkit lists them."""
    told: dict[Ref, Told] = field(default_factory=dict)
    telling: int = 0
    """Of how many accessibles it told then."""

    @property
    def over(self) -> bool:
        return self.silent or self.gone or time.monotonic() >= self.until

    def pop_up(self, box: Box | None) -> Box | None:
        """Give the pop-up's window at a place, which scaling may have rounded."""
        if box is None:
            return None
        return next((each for each in self.pop_ups if _off(each, box) <= _ROUNDED), None)

    def ask_all(self, calls: Sequence[Call]) -> list[Answer]:
        """Put calls to the application; note when it stays silent or is gone."""
        if not calls:
            return []
        answers = self.program.line.calls(calls, self.until)
        for answer in answers:
            if isinstance(answer, Failure):
                self.silent = self.silent or answer.name == NO_REPLY
                # A line that was given up in the middle of a call says that it is gone; the application is not.
                self.gone = self.gone or (answer.name in _LEFT and not self.silent)
        return answers
