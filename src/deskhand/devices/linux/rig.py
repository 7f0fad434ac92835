"""What looking and acting share: the connections to one desktop."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

from deskhand.core.errors import DeviceLost
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Monitor, Window
from deskhand.devices.linux.accessibility.reader import Reading
from deskhand.devices.linux.applications.launch import Session
from deskhand.devices.linux.controls import Controls
from deskhand.devices.linux.input.clipboard import Clipboard
from deskhand.devices.linux.input.keyboard import Keyboard
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.seeing.delays import Delays
from deskhand.devices.linux.seeing.eyes import Eyes, open_eyes
from deskhand.devices.linux.seeing.scene import ITEMS
from deskhand.devices.linux.seeing.settle import Watcher
from deskhand.devices.linux.seeing.unasked import Unasked
from deskhand.devices.linux.windows.listing import list_windows, pop_ups
from deskhand.devices.linux.windows.meant import window_meant
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.grab import Grabber
from deskhand.devices.linux.x11.monitors import chosen, list_monitors
from deskhand.perception.options import Perception

REMEMBERED = 10_000
_REMEMBERED_OF_CLOSED = 1000
"""Of elements in windows that are closed: enough to tell what it was that is meant and gone."""
HOLDERS = frozenset(
    {"button", "link", "checkbox", "radio", "switch", "textbox", "password", "combobox", "spinbutton", "slider"}
) | {"tab", "listitem", "row", "cell"}
"""Roles of controls that show, in their own small place, that they have the keyboard."""
_MOST_HELD = 3
MENU_BARS = frozenset({"menubar", "status"})
"""Roles of what is lit up, or explains what is chosen, while a menu is open; the menus that are open are pop-ups."""


@dataclass
class Rig:
    """The connections to one desktop."""

    session: Session
    display: Display
    grabber: Grabber
    controls: Controls
    pointer: Pointer
    keyboard: Keyboard
    clipboard: Clipboard
    watcher: Watcher
    eyes: Eyes
    delays: Delays
    moving: tuple[Box, ...] | None = None
    """Where the screen moved by itself when we last waited for it; None at first."""
    monitor: str = ""
    """The name or number of the one that is looked at; "" is all of them."""
    _unasked: Unasked = field(default_factory=Unasked)
    _seen: dict[str, Element] = field(default_factory=dict)
    _open: frozenset[str] = frozenset()
    """The windows that were there when they were last listed."""
    _processes: dict[str, int] = field(default_factory=dict)
    """The process of every window that ever was, by its id."""
    _worked_in: set[str] = field(default_factory=set)
    """The windows that have had the keyboard."""

    def view(self) -> tuple[Box, tuple[Monitor, ...]]:
        """Give the part of the screen that is looked at, and the monitors where there are several.

        Raises:
            DeviceError: the one that is looked at is not there.
        """
        monitors = list_monitors(self.display)
        box = chosen(monitors, self.monitor).box if self.monitor else self.display.box
        return box, monitors if len(monitors) > 1 else ()

    def notice(self) -> None:
        """Take note of what has changed since the screen was last looked at, while nothing was done."""
        if before := self.grabber.last:
            self._unasked.note(before, self.grabber.grab(), time.monotonic())

    @property
    def apart(self) -> tuple[Box, ...]:
        """Where changes of the picture prove nothing."""
        return (*(self.moving or ()), *self._unasked.places(time.monotonic()))

    def corner(self) -> Point:
        """Give the corner of what is looked at, from which all places are counted that are shown or told."""
        return Point(*self.view()[0][:2]) if self.monitor else Point(0, 0)

    def windows(self) -> tuple[Window, ...]:
        windows = list_windows(self.display)
        self.controls.follow(windows, self.display.box)
        self._processes.update((window.id, window.pid) for window in windows)
        self._worked_in.update(window.id for window in windows if window.active)
        before, self._open = self._open, frozenset(window.id for window in windows)
        if before - self._open:
            closed = [each.id for each in self._seen.values() if each.window not in self._open]
            for element in closed[:-_REMEMBERED_OF_CLOSED]:
                del self._seen[element]
        return windows

    def process(self, window_id: str) -> int:
        """Give the process of a window that is or was there; 0 when it is not known."""
        return self._processes.get(window_id, 0)

    def work_in(self, window_id: str) -> None:
        """Take a window for one in which work has begun, although it may not have been seen to have the keyboard."""
        self._worked_in.add(window_id)

    def meant(self, window_id: str, windows: Sequence[Window]) -> Window | None:
        """Give the one of `windows` that is meant by an id; None when its application has none left.

        Work goes on in another one of the same process only if that has taken the place of the one named.
        """
        named = next((window for window in windows if window.id == window_id), None)
        if named and window_id not in self._worked_in:
            return named
        return window_meant(windows, window_id, self.process(window_id))

    def window(self, window_id: str) -> Window | None:
        return next((window for window in self.windows() if window.id == window_id), None)

    async def read(self, window: Window, windows: Sequence[Window], seconds: float) -> Reading:
        """Read what can be seen of a window of `windows`, and of its application's dialogs, menus and pop-ups."""
        known = pop_ups(self.display, window.pid)
        with self.delays.timed("elements"):
            return await self.controls.read(window, _siblings(window, windows), self.display.box, seconds, known)

    async def survey(self, window: Window, windows: Sequence[Window], seconds: float) -> Reading:
        """Read what is hidden as well."""
        known = pop_ups(self.display, window.pid)
        with self.delays.timed("elements"):
            return await self.controls.survey(window, _siblings(window, windows), self.display.box, seconds, known)

    async def kept_up(self, seconds: float) -> bool | None:
        """Say whether the application with the keyboard reads all that was sent; None when it cannot be asked."""
        with self.delays.timed("answers"):
            return await self.keyboard.kept_up(seconds)

    def remember(self, elements: Iterable[Element]) -> None:
        """Keep what was shown, so that an element that has become another one since can be told."""
        for element in elements:
            self._seen.pop(element.id, None)
            self._seen[element.id] = element
        for old in list(self._seen)[:-REMEMBERED]:
            del self._seen[old]

    def shown(self, element: str) -> Element | None:
        """Give an element as it was last shown."""
        return self._seen.get(element)

    def alike(self, element: Element) -> list[Element]:
        """Give what was shown of the same role and name in the same window, the element itself as well."""
        wanted = element.window, element.role, element.name
        return [each for each in self._seen.values() if (each.window, each.role, each.name) == wanted]

    def menus(self, window: str) -> tuple[Box, ...]:
        """Give where the open menus of a window are."""
        pid = self.process(window)
        return pop_ups(self.display, pid) if pid else ()

    def lit(self, window: str, pointer: Point) -> tuple[Box, ...]:
        """Give what of a window changes its looks when menus close, the pointer being left on what lay below them."""
        seen = [each for each in self._seen.values() if each.window == window]
        below = [each.box for each in seen if each.role in HOLDERS and each.box.holds(pointer)]
        return (*(each.box for each in seen if each.role in MENU_BARS), *below)

    def within(self, element: Element, role: str) -> list[Element]:
        """Give what was last shown of a role right inside of an element."""
        return [each for each in self._seen.values() if each.parent == element.id and each.role == role]

    def held(self, window: str) -> tuple[Element, ...]:
        """Give the controls of a window that had the keyboard when they were last shown; one, where all is well.

        With what is selected in its lists, which some toolkits light up only while the list has the keyboard.
        """
        seen = [each for each in self._seen.values() if each.window == window and each.role in HOLDERS | ITEMS]
        focused = [each for each in seen if "focused" in each.states]
        selected = [
            each for each in seen if each.role in ITEMS and {"selected", "focused"} & {*each.states} == {"selected"}
        ]
        return (*focused[-_MOST_HELD:], *selected[-_MOST_HELD:])

    def displays(self, window: str) -> tuple[Element, ...]:
        """Give the texts of a window that cannot be edited, such as a calculator shows, as they were last shown."""
        seen = [each for each in self._seen.values() if each.window == window and each.role == "textbox"]
        return tuple(each for each in seen if {"readonly", "focused"} & {*each.states} == {"readonly"})[-_MOST_HELD:]

    def let_go(self) -> None:
        """Release every key and button that we hold."""
        for release in (self.pointer.release_all, self.keyboard.release_all, self.display.sync):
            _unless_lost(release)


@asynccontextmanager
async def rigged(session: Session, display_name: str, session_bus: str, perception: Perception) -> AsyncIterator[Rig]:
    """Connect to a desktop; at the end nothing is held down and all connections are closed.

    Raises:
        DeviceError: the display cannot be opened.
    """
    async with AsyncExitStack() as stack:
        display = Display.open(display_name)
        stack.callback(display.close)
        stack.callback(_unless_lost, display.sync)
        grabber = Grabber(display, pictures=perception.pictures)
        stack.callback(grabber.close)
        numbers = count(1)
        eyes = await stack.enter_async_context(open_eyes(display, grabber, perception, numbers))
        controls = Controls(session_bus, numbers, eyes)
        stack.push_async_callback(controls.close)
        delays = Delays()
        watcher = Watcher(display, delays)
        stack.callback(watcher.close)
        clipboard = Clipboard(display_name)
        stack.callback(clipboard.close)
        keyboard = Keyboard(display)
        stack.callback(_unless_lost, keyboard.close)
        pointer = Pointer(display)
        stack.callback(_unless_lost, pointer.release_all)
        await controls.connect()
        yield Rig(session, display, grabber, controls, pointer, keyboard, clipboard, watcher, eyes, delays)


def _unless_lost(release: Callable[[], None]) -> None:
    """Let go of what is held; a server that is gone holds nothing."""
    with suppress(DeviceLost):
        release()


def _siblings(window: Window, windows: Sequence[Window]) -> list[Window]:
    return [other for other in windows if other.pid == window.pid and other.id != window.id]
