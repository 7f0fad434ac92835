"""An application's controls, read and used through its accessibility interface."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeVar

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility import acts, choices
from deskhand.devices.linux.accessibility.again import find_focus, look_again
from deskhand.devices.linux.accessibility.apps import Program, Registry
from deskhand.devices.linux.accessibility.blind import blind_parts
from deskhand.devices.linux.accessibility.bus import Failure
from deskhand.devices.linux.accessibility.departed import Departed
from deskhand.devices.linux.accessibility.details import find_details
from deskhand.devices.linux.accessibility.focusing import settle_focus
from deskhand.devices.linux.accessibility.ids import Ids
from deskhand.devices.linux.accessibility.place import Place
from deskhand.devices.linux.accessibility.protocol import ACCESSIBLE, Ref, ask, number_of, states_of
from deskhand.devices.linux.accessibility.records import make_elements
from deskhand.devices.linux.accessibility.roles import State
from deskhand.devices.linux.accessibility.told import judge, listen
from deskhand.devices.linux.accessibility.tree import walk_down
from deskhand.devices.linux.accessibility.walk import MOST_CELLS, Memory, Node, Walk, all_below
from deskhand.devices.linux.accessibility.windows import list_tops, tops_to_read
from deskhand.devices.linux.processes import has_loaded, running

T = TypeVar("T")

MOST_ELEMENTS = 2000
_MOST_IN_ALL = 20_000
_WHOLE_CALL = 2.0
GETTING_READY = 3.0
"""Seconds within which a program that was just started shows its tree."""
_YOUNG = 15.0
"""Seconds of age below which a program that is met for the first time counts as just started."""
_CAN_TELL = ("dbus", "libgio", "atspi", "libjvm")
"""Libraries that speak D-Bus, or load one that does: whoever shows a window without any will never tell of controls."""
_LAYING_OUT = 0.5
"""Seconds within which it puts its controls where they stay."""
_POLL = 0.02
_SPARE = 0.3
"""Seconds that are left for the last of several readings, which would else be cut short and count for all."""
_MANY_UNREADABLE = 5
_ANY_SCREEN = Box(0, 0, 1 << 15, 1 << 15)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Put off the collection of garbage: what a reading makes goes at its end by itself; looking through it takes long.

    Two readings at the same time, of two desktops, may put it on again too early, which does no harm.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Reading(NamedTuple):
    """The elements of a window."""

    elements: tuple[Element, ...]
    truncated: str
    """Why elements are missing; "" when all are there."""
    blind: tuple[Box, ...] = ()
    """Where the application tells nothing of what it shows, the largest part first."""


class Accessibility:
    """The accessibility interfaces of a session's applications. Blocking; for one thread at a time.

    No call takes longer than its deadline, about two seconds where none is given, whatever an application does.
    What is asked about a control that is gone is answered by None, False or nothing.
    """

    def __init__(
        self, session_bus: str, most_elements: int = MOST_ELEMENTS, numbers: Iterator[int] | None = None
    ) -> None:
        """Read the applications of the session whose D-Bus address is given; ids are made of `numbers`."""
        self.most_cells = MOST_CELLS
        """How many cells of a sheet are listed, the first ones in view."""
        self._session_bus = session_bus
        self._most = most_elements
        self._registry: Registry | None = None
        self._ids = Ids(numbers or count(1))
        self._memory = Memory()
        self._departed = Departed()
        self._places: dict[Ref, Place] = {}
        self._focus: dict[int, str] = {}
        """What had the focus last, by its process."""
        self._ready_by: dict[int, float] = {}
        self._unsure = False
        """Whether pages that are not in front may be among what was just read."""
        self._screen = _ANY_SCREEN
        self._pop_ups: Sequence[Box] = ()

    def connect(self) -> None:
        """Find the accessibility bus and tell applications that somebody listens.

        Raises:
            DeviceError: there is none, or it does not answer in time.
        """
        self.close()
        # On another bus the same names stand for other applications.
        self._ids.forget()
        self._memory = Memory()
        self._departed = Departed()
        self._places.clear()
        self._registry = Registry(self._session_bus, time.monotonic() + _WHOLE_CALL)

    def close(self) -> None:
        if self._registry:
            self._registry.close()
            self._registry = None

    def read(
        self,
        window: Window,
        siblings: Sequence[Window],
        screen: Box,
        deadline: float = _WHOLE_CALL,
        pop_ups: Sequence[Box] = (),
    ) -> Reading:
        """Read what can be seen of a window, and of its application's dialogs, open menus and pop-ups.

        `siblings` are the other windows of the same process, `pop_ups` where its windows are that bypass the
        window manager: GTK 4 does not say where its own are. What cannot be read in `deadline` seconds is
        missing, and `truncated` says so.

        Raises:
            DeviceError: the accessibility bus itself is gone.
        """
        started = time.monotonic()
        self._screen, self._pop_ups = screen, pop_ups
        reading = self._read_once(window, siblings, started, deadline)
        if self._unsure:
            reading = self._read_once(window, siblings, started, deadline)
        left = min(deadline - _SPARE, self._patience(window.pid))
        before: Reading | None = None
        while running(window.pid) and not _ready(reading, before, time.monotonic() < started + min(left, _LAYING_OUT)):
            if time.monotonic() + _POLL >= started + left:
                break
            time.sleep(_POLL)
            before, reading = reading, self._read_once(window, siblings, started, deadline)
        return reading

    def survey(
        self,
        window: Window,
        siblings: Sequence[Window],
        screen: Box,
        deadline: float = _WHOLE_CALL,
        pop_ups: Sequence[Box] = (),
    ) -> Reading:
        """Read all there is of a window: closed menus, other pages of tabs and what is scrolled away are "offscreen".

        Rows and cells of large tables are read only where they are in view. For the rest see `read`.
        """
        self._screen, self._pop_ups = screen, pop_ups
        return self._read_once(window, siblings, time.monotonic(), deadline, hidden=True)

    def follow(self, windows: Sequence[Window], screen: Box) -> None:
        """Take what was read in windows to have come along to where they are now."""
        boxes = {window.id: window.box for window in windows}
        self._places = {
            ref: place.come_to(boxes.get(place.window, place.client), screen) for ref, place in self._places.items()
        }

    def live(self, element: str) -> Element | None:
        """Read one element afresh; None when it is gone or is no longer the same control.

        What cannot be seen at the moment has an empty box and the state "offscreen".
        """
        known = self._ids.find(element)
        until = time.monotonic() + _WHOLE_CALL
        program = self._connected().program(known.ref.bus, until) if known else None
        if not known or not program:
            return None
        walk = self._walk(program, until)
        found = look_again(walk, known, self._places, self._ids)
        program.suspect = program.suspect or walk.silent
        return found

    def focused(self, pid: int) -> Element | None:
        """Give what has the keyboard focus in a process; None when it does not say."""
        until = time.monotonic() + _WHOLE_CALL
        for program in self._connected().of_pid(pid, until):
            walk = self._walk(program, until)
            last = self._ids.find(self._focus.get(pid, ""))
            found = find_focus(walk, self._places, self._ids, self._most, last)
            program.suspect = program.suspect or walk.silent
            if found:
                self._focus[pid] = found.id
                return found
        return None

    def use(self, element: str, act: Callable[[acts.Control], T]) -> T | None:
        """Do something with a control, or read it; None when it is gone or is no longer the same."""
        control = self._control(element)
        return act(control) if control else None

    def press(self, element: str) -> bool:
        """Do what a click does, also to what is hidden. True says that it was taken, not that it had an effect."""
        control = self._control(element)
        return control is not None and acts.press(control)

    def text(self, element: str) -> str | None:
        """Give the whole text it holds; None when it is gone, has none, or holds a password."""
        control = self._control(element)
        return acts.read_text(control) if control else None

    def selection(self, element: str) -> tuple[int, int] | None:
        """Give where the selection begins and ends in its text, in characters: both the caret when there is none.

        None when it does not say.
        """
        control = self._control(element)
        return acts.read_selection(control) if control else None

    def set_text(self, element: str, text: str) -> bool:
        """Put `text` in place of all it holds; true when it reads so afterwards."""
        control = self._control(element)
        return control is not None and acts.set_text(control, text)

    def insert_text(self, element: str, text: str) -> bool:
        """Put `text` at the caret, in place of a selection; true when it reads so afterwards."""
        control = self._control(element)
        return control is not None and acts.insert_text(control, text)

    def number(self, element: str) -> float | None:
        """Give the number of a slider, spin button or progress bar; None when it has none."""
        control = self._control(element)
        return acts.read_number(control) if control else None

    def set_value(self, element: str, number: float) -> bool:
        """Set a slider or spin button; true when it reads so afterwards."""
        control = self._control(element)
        return control is not None and acts.set_number(control, number)

    def options(self, element: str) -> tuple[str, ...]:
        """List what can be chosen in a combo box, list or group of tabs, as far as it can be listed."""
        control = self._control(element)
        return tuple(option.name for option in choices.list_options(choices.among(control))) if control else ()

    def select(self, element: str, option: str, way: int = 0) -> bool | None:
        """Choose an option in one of the ways there are; true when it reads so afterwards, None when refused."""
        control = self._control(element)
        return choices.select(choices.among(control), option, way) if control else None

    def focus(self, element: str) -> bool:
        """Give it the keyboard focus; true when it has it afterwards, which needs an active window."""
        control = self._control(element)
        return control is not None and acts.grab_focus(control)

    def scroll_to(self, element: str) -> bool:
        """Scroll until it can be seen; true when the toolkit says that it did, which few do."""
        control = self._control(element)
        return control is not None and acts.scroll_into_view(control)

    def alive(self, pid: int, deadline: float = _WHOLE_CALL) -> bool:
        """Tell whether a process answers; one without accessibility interface counts as alive."""
        until = time.monotonic() + deadline
        for program in self._connected().of_pid(pid, until):
            answer = program.line.call(ask(program.root, ACCESSIBLE, "GetRole"), until)
            if isinstance(answer, Failure):
                program.suspect = True
                return False
        return True

    def _control(self, element: str) -> acts.Control | None:
        """Find a control again; None when it is gone or is no longer the same."""
        known = self._ids.find(element)
        until = time.monotonic() + _WHOLE_CALL
        program = self._connected().program(known.ref.bus, until) if known else None
        if not known or not program:
            return None
        states, role = program.line.calls(
            (ask(known.ref, ACCESSIBLE, "GetState"), ask(known.ref, ACCESSIBLE, "GetRole")), until
        )
        if number_of(role) != known.role or State.DEFUNCT.within(states_of(states) or 0):
            return None
        return acts.Control(program, known.ref, known.role, until)

    @_without_collecting()
    def _read_once(
        self, window: Window, siblings: Sequence[Window], started: float, deadline: float, *, hidden: bool = False
    ) -> Reading:
        until = started + deadline
        for program in self._connected().of_pid(window.pid, until):
            walk = self._walk(program, until)
            walk.hidden, walk.most_cells = hidden, self.most_cells
            tops = tops_to_read(walk, list_tops(walk), window, siblings)
            self._let_go(walk)
            self._places.update((top.ref, top.place) for top in tops)
            if tops or walk.silent or walk.gone:
                return self._read_program(walk, tops, program.name or window.app or window.title, deadline)
        return Reading((), f"the window {window.title!r} offers no accessibility tree")

    def _read_program(self, walk: Walk, tops: list[Node], name: str, deadline: float) -> Reading:
        listen(walk, tops)
        most = _MOST_IN_ALL if walk.hidden else self._most
        shown = [top for top in walk_down(walk, tops, most) if top.box]
        judge(walk)
        self._unsure = walk.unsure
        nodes = all_below(shown)
        settle_focus(nodes)
        details = find_details(walk, nodes)
        if walk.gone:
            walk.notes.append(f"{name} has closed")
        elif walk.silent or time.monotonic() >= walk.until:
            walk.program.suspect = True
            walk.notes.append(f"{name} does not answer within {deadline:.1f} s")
        elif walk.unreadable > _MANY_UNREADABLE:
            walk.notes.append(f"{walk.unreadable} nodes unreadable")
        elements = make_elements(shown, details, self._ids, hidden=walk.hidden)
        blind = blind_parts(nodes)
        for node in nodes:
            node.children.clear()  # which lead back here: without them, all goes when this returns
        if walk.program.chromium and len(elements) <= 1 and not walk.notes:
            walk.notes.append(f"{name} was started without --force-renderer-accessibility and tells of no controls")
        return Reading(tuple(elements), "; ".join(walk.notes), blind)

    def _let_go(self, walk: Walk) -> None:
        """Let go of what was in windows that are no more, whose paths others may take."""
        gone = self._departed.among(self._places, walk, self._connected())
        if gone:
            below = self._memory.below(gone)
            self._memory.drop(below)
            self._ids.drop(below)
            self._places = {ref: place for ref, place in self._places.items() if ref not in gone}

    def _patience(self, pid: int) -> float:
        """Give the seconds that are left until a process has had its time to get ready."""
        now = time.monotonic()
        if pid not in self._ready_by:
            waits = _age(pid) < _YOUNG and has_loaded(pid, _CAN_TELL)
            self._ready_by[pid] = now + (GETTING_READY if waits else 0)
        return max(0.0, self._ready_by[pid] - now)

    def _walk(self, program: Program, until: float) -> Walk:
        self._memory.bound()
        self._ids.bound()
        return Walk(program, self._memory, self._screen, until, self._pop_ups)

    def _connected(self) -> Registry:
        if not self._registry or self._registry.bus.lost:
            self.connect()
        if not self._registry:
            raise DeviceError("the accessibility bus is not there")
        return self._registry


def _ready(reading: Reading, before: Reading | None, may_move: bool) -> bool:
    """Tell whether a program that was just started shows its controls where they stay."""
    if "does not answer" in reading.truncated:
        return True
    if len(reading.elements) <= 1:
        return False
    if not may_move:
        return True
    return before is not None and _layout(before) == _layout(reading)


def _layout(reading: Reading) -> list[tuple[str, Box]]:
    return [(element.id, element.box) for element in reading.elements]


def _age(pid: int) -> float:
    """Seconds since a process was started; more than any when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        started = int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return float("inf")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started
