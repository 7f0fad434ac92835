"""The accessibility interfaces asked from the event loop: one question at a time, none of them blocking it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import ParamSpec, TypeVar

import anyio
import anyio.to_thread

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.acts import Control, fold, tells_of_checks
from deskhand.devices.linux.accessibility.choices import Option, among, chosen, list_options
from deskhand.devices.linux.accessibility.hit import cover
from deskhand.devices.linux.accessibility.paragraphs import Around, read_around, select_all
from deskhand.devices.linux.accessibility.reader import Accessibility, Reading
from deskhand.devices.linux.seeing.eyes import Eyes

P = ParamSpec("P")
T = TypeVar("T")

CLOSING = 3.0
"""Seconds that a question still under way may keep us from closing; its own deadline is shorter."""


class Controls:
    """The controls of a session's applications."""

    def __init__(self, session_bus: str, numbers: Iterator[int], eyes: Eyes) -> None:
        """Ids are made of `numbers`, which others may draw from as well; what `eyes` have seen is found by them."""
        self._eyes = eyes
        self._tree = Accessibility(session_bus, numbers=numbers)
        # Keeps apart a question that was abandoned and is still under way in its thread, and the next one.
        self._turn = threading.Lock()
        self.trouble = ""
        """Why nothing can be read; "" when all is well."""
        if not session_bus:
            self.trouble = "the session has no message bus, so no elements can be read"

    async def connect(self) -> None:
        """Find the accessibility bus; when there is none, `trouble` says so and nothing is ever found."""
        if self.trouble:
            return
        try:
            await self._ask(self._tree.connect)
        except DeviceError as error:
            self.trouble = f"no elements can be read: {error}"

    async def read(
        self, window: Window, siblings: Sequence[Window], screen: Box, deadline: float, pop_ups: Sequence[Box]
    ) -> Reading:
        return await self._reading(self._tree.read, window, siblings, screen, deadline, pop_ups)

    async def survey(
        self, window: Window, siblings: Sequence[Window], screen: Box, deadline: float, pop_ups: Sequence[Box]
    ) -> Reading:
        """Read what is hidden as well."""
        return await self._reading(self._tree.survey, window, siblings, screen, deadline, pop_ups)

    async def _reading(self, read: Callable[P, Reading], *asked: P.args, **named: P.kwargs) -> Reading:
        if self.trouble:
            return Reading((), self.trouble)
        try:
            return await self._ask(read, *asked, **named)
        except DeviceError as error:
            return Reading((), f"no elements can be read: {error}")

    def follow(self, windows: Sequence[Window], screen: Box) -> None:
        self._tree.follow(windows, screen)

    async def live(self, element: str) -> Element | None:
        if self._eyes.knows(element):
            return await self._eyes.live(element)
        return await self._ask(self._tree.live, element) if not self.trouble else None

    async def focused(self, pid: int) -> Element | None:
        return await self._ask(self._tree.focused, pid) if pid and not self.trouble else None

    async def alive(self, pid: int, deadline: float) -> bool:
        return await self._ask(self._tree.alive, pid, deadline) if pid and not self.trouble else True

    async def press(self, element: str) -> bool:
        return await self._ask(self._tree.press, element)

    async def text(self, element: str) -> str | None:
        return await self._ask(self._tree.text, element)

    async def selection(self, element: str) -> tuple[int, int] | None:
        return await self._ask(self._tree.selection, element)

    async def around(self, element: str, before: int, after: int) -> Around | None:
        return await self.use(element, lambda control: read_around(control, before, after))

    async def select_all(self, element: str) -> bool:
        return bool(await self.use(element, select_all))

    async def use(self, element: str, act: Callable[[Control], T]) -> T | None:
        """Do something with a control, or read it; None when it is gone or is no longer the same."""
        return await self._ask(self._tree.use, element, act)

    async def set_text(self, element: str, text: str) -> bool:
        return await self._ask(self._tree.set_text, element, text)

    async def insert_text(self, element: str, text: str) -> bool:
        return await self._ask(self._tree.insert_text, element, text)

    async def number(self, element: str) -> float | None:
        return await self._ask(self._tree.number, element)

    async def set_value(self, element: str, number: float) -> bool:
        return await self._ask(self._tree.set_value, element, number)

    async def options(self, element: str) -> list[Option]:
        return await self.use(element, lambda control: list_options(among(control))) or []

    async def chosen(self, element: str) -> tuple[str, ...]:
        return await self.use(element, lambda control: chosen(among(control))) or ()

    async def fold(self, element: str) -> bool:
        return bool(await self.use(element, fold))

    async def tells_of_checks(self, element: str) -> bool:
        return bool(await self.use(element, tells_of_checks))

    async def hears_clicks_only(self, element: str) -> bool:
        """Tell whether its program may not hear of it when it is switched by its interface, as those that use Qt do."""
        return bool(await self.use(element, lambda control: control.program.qt))

    async def cover(self, element: str, point: Point) -> str:
        return await self.use(element, lambda control: cover(control, point)) or ""

    async def select(self, element: str, option: str, way: int) -> bool | None:
        return await self._ask(self._tree.select, element, option, way)

    async def focus(self, element: str) -> bool:
        return await self._ask(self._tree.focus, element)

    async def scroll_to(self, element: str) -> bool:
        return await self._ask(self._tree.scroll_to, element)

    async def close(self) -> None:
        with anyio.move_on_after(CLOSING, shield=True):
            await self._ask(self._tree.close)

    async def _ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        def in_turn() -> T:
            with self._turn:
                return question(*args, **kwargs)

        # A frozen application answers nobody; every question has a deadline of its own, so the thread comes back.
        return await anyio.to_thread.run_sync(in_turn, abandon_on_cancel=True)
