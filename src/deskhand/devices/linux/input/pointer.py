"""The mouse: motion, buttons, wheel and drags by synthetic events of the X server."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, Literal

import anyio
import anyio.lowlevel
import xcffib

from deskhand.core.action import Button
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.core.keys import chord, key
from deskhand.devices.linux.input.extensions import xtest_of
from deskhand.devices.linux.input.grabs import button_is_taken
from deskhand.devices.linux.input.held import Held
from deskhand.devices.linux.input.keymap import read_keymap
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display

_BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
_WHEEL: dict[Literal["up", "down", "left", "right"], int] = {"up": 4, "down": 5, "left": 6, "right": 7}

_KEY_PRESS, _KEY_RELEASE, _BUTTON_PRESS, _BUTTON_RELEASE, _MOTION = 2, 3, 4, 5, 6

_DRAG_MOVES = 20
"""With ten moves or fewer browsers do not see a drag."""
_DRAG_INTERVAL = 0.016
_MODIFIERS = 0x4D
"""Shift, Control, Alt and Super in the server's mask, mostly; locks are others."""
_BUTTON_MASK = 0x700
"""The left, middle and right button in the server's mask."""
_HELD_BACK = 1.0
"""Seconds for a window manager to let go of a click."""
_DOUBLE_CLICK_TIME = 0.52
"""Two presses further apart count as two clicks in every toolkit (GTK and Qt 0.4 s, Chromium and Tk 0.5 s)."""
_APART = 30
"""Milliseconds between the clicks of one burst: two within the same one are the same click to Chromium.

A server that was kept waiting for a processor makes up for it by as much, here.
"""
_DOUBLE_CLICK_REACH = 8
"""Pixels; presses further apart than this are two clicks."""


class Pointer:
    """The display's pointer. What is pressed is released again, also on cancellation."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._xtest = xtest_of(display)
        self._down = Held(display.name)
        self._last_press: tuple[float, Point, int] | None = None

    async def click(
        self,
        point: Point | None,
        clicks: int = 1,
        button: Button = "left",
        modifiers: Sequence[str] = (),
    ) -> None:
        """Press and release `clicks` times at `point`, or where the pointer is; one burst.

        Waits only when the click would otherwise join the one before into a double click.
        """
        place = self._on_screen(point) if point else self.position()
        number = _BUTTONS[button]
        keycodes = self._modifier_keycodes(modifiers)
        await self.come_apart(place, button)
        await self._delivered()
        self._move(place)
        async with self._holding(keycodes):
            for earlier in range(clicks):
                self._tap(number, _APART if earlier else 0)
            self._flush()
        self._last_press = (time.monotonic() + (clicks - 1) * _APART / 1000, place, number)

    def taken(self, point: Point, button: Button, modifiers: Sequence[str]) -> bool:
        """Tell whether another program, mostly the window manager, sees such a press first and may keep it.

        Without any modifier, held down by now as well, it lets the application have it after raising the window.

        Raises:
            TargetNotFound: a modifier is no key of this keyboard.
        """
        if not (modifiers or self._query().mask & _MODIFIERS):
            return False
        mask = read_keymap(self._display).mask(self._modifier_keycodes(modifiers))
        return button_is_taken(self._display, point, _BUTTONS[button], mask)

    async def move(self, point: Point) -> None:
        place = self._on_screen(point)
        await self._delivered()
        self._move(place)
        self._flush()

    async def drag(self, points: Sequence[Point], button: Button = "left") -> None:
        """Drag along `points`, from the first to the last; a single one is dragged to from where the pointer is.

        Takes at least a third of a second. When cancelled, the button is released where the pointer is then.
        """
        stops = [self._on_screen(point) for point in points]
        if len(stops) == 1:
            stops.insert(0, self.position())
        number = _BUTTONS[button]
        await self.come_apart(stops[0], button)
        await self._delivered()
        self._move(stops[0])
        try:
            self._press(number)
            for point in _path(stops):
                await anyio.sleep(_DRAG_INTERVAL)
                self._move(point)
                self._flush()
            await anyio.sleep(_DRAG_INTERVAL)
        finally:
            self._release(number)
        self._last_press = None

    async def scroll(self, point: Point | None, up: int, right: int) -> None:
        """Turn the wheel by notches, up and to the right; negative is down and to the left."""
        if point:
            await self.move(point)
        for notches, number in (
            (abs(up), _WHEEL["up" if up > 0 else "down"]),
            (abs(right), _WHEEL["right" if right > 0 else "left"]),
        ):
            for _ in range(notches):
                self._tap(number)
        self._flush()

    async def hold(self, point: Point, seconds: float) -> None:
        """Press the left button for a while; released at once when cancelled."""
        place = self._on_screen(point)
        await self.come_apart(place, "left")
        await self._delivered()
        self._move(place)
        try:
            self._press(_BUTTONS["left"])
            await anyio.sleep(seconds)
        finally:
            self._release(_BUTTONS["left"])
        self._last_press = None

    def position(self) -> Point:
        reply = self._query()
        return Point(int(reply.root_x), int(reply.root_y))

    def release_all(self, everything: bool = False) -> None:
        """Release the buttons that we hold; with `everything` also those that somebody else left down."""
        numbers = {number for kind, number in self._down.releases if kind == _BUTTON_RELEASE}
        if everything:
            mask = self._query().mask
            numbers |= {number for number in range(1, 6) if mask & (0x80 << number)}
        for number in sorted(numbers):
            self._release(number)

    def _query(self) -> Any:
        try:
            return self._display.conn.core.QueryPointer(self._display.root).reply()
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error

    def _on_screen(self, point: Point) -> Point:
        if not self._display.box.holds(point):
            width, height = self._display.size
            raise TargetNotFound(f"({point.x}, {point.y}) lies outside the screen, which is {width}x{height}")
        return point

    def _modifier_keycodes(self, modifiers: Sequence[str]) -> list[int]:
        if not modifiers:
            return []
        keymap = read_keymap(self._display)
        keys = [key(name) for name in chord(modifiers)]
        strokes = [(named, keymap.stroke(named) or keymap.other_side(named)) for named in keys]
        for named, stroke in strokes:
            if stroke is None:
                raise TargetNotFound(f"this keyboard has no {named.name}; leave that modifier out")
        return [stroke.keycode for _, stroke in strokes if stroke]

    @asynccontextmanager
    async def _holding(self, keycodes: Sequence[int]) -> AsyncIterator[None]:
        """Hold keys until what is done meanwhile has been delivered."""
        if not keycodes:
            yield
            return
        releases = [(_KEY_RELEASE, keycode) for keycode in reversed(keycodes)]
        self._down.add(releases)
        try:
            for keycode in keycodes:
                self._fake(_KEY_PRESS, keycode)
            yield
            await self._delivered()
        finally:
            for release in releases:
                self._fake(*release)
            self._flush()
            self._down.remove(releases)

    async def come_apart(self, place: Point, button: Button) -> bool:
        """Wait as long as a press there would join the one before into a double click; tell whether that was needed."""
        if self._last_press is None:
            return False
        when, where, which = self._last_press
        near = max(abs(where.x - place.x), abs(where.y - place.y)) <= _DOUBLE_CLICK_REACH
        left = when + _DOUBLE_CLICK_TIME - time.monotonic()
        if not near or which != _BUTTONS[button] or left <= 0:
            return False
        await anyio.sleep(left)
        return True

    async def _delivered(self) -> None:
        """Wait until what was pressed has been released for all the world to see.

        A window manager may hold back what comes after a press, to raise the window first. What is held back
        gets the place and the modifiers of the moment when it is let go: a click would end where the next begins.
        """
        await anyio.lowlevel.checkpoint()  # most of the time nothing is waited for
        await until(lambda: not self._query().mask & _BUTTON_MASK, _HELD_BACK, every=0.001)

    def _tap(self, number: int, wait: int = 0) -> None:
        self._fake(_BUTTON_PRESS, number, wait)
        self._fake(_BUTTON_RELEASE, number)

    def _press(self, number: int) -> None:
        self._down.add([(_BUTTON_RELEASE, number)])
        self._fake(_BUTTON_PRESS, number)
        self._flush()

    def _release(self, number: int) -> None:
        self._fake(_BUTTON_RELEASE, number)
        self._flush()
        self._down.remove([(_BUTTON_RELEASE, number)])

    def _move(self, point: Point) -> None:
        self._xtest.FakeInput(_MOTION, 0, 0, self._display.root, point.x, point.y, 0)

    def _fake(self, kind: int, detail: int, wait: int = 0) -> None:
        """Have the server make an event, after it has waited for some milliseconds."""
        self._xtest.FakeInput(kind, detail, wait, 0, 0, 0, 0)

    def _flush(self) -> None:
        try:
            self._display.conn.flush()
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error


def _path(stops: Sequence[Point]) -> list[Point]:
    """Give the places between the first stop and the last, every stop among them, at least 20."""
    length = sum(math.dist(a, b) for a, b in pairwise(stops)) or 1.0
    places: list[Point] = []
    for a, b in pairwise(stops):
        steps = max(1, math.ceil(_DRAG_MOVES * math.dist(a, b) / length))
        places += [
            Point(round(a.x + (b.x - a.x) * i / steps), round(a.y + (b.y - a.y) * i / steps))
            for i in range(1, steps + 1)
        ]
    return places
