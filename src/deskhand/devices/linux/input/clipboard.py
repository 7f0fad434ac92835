"""The clipboard: text lent to it for a paste, with a receipt, and the user's own put back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

import anyio.to_thread

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.input import selection
from deskhand.devices.linux.input.transfer import Kept

T = TypeVar("T")

_PATIENCE = 2.0
"""Seconds the program that owns the clipboard may take to hand it over."""


class Offer:
    """Our text while it is on the clipboard."""

    def __init__(self, offer: selection.Offer, lost: str) -> None:
        self.inner = offer
        self.lost = lost
        """What was on the clipboard and cannot be put back, "" when all can."""
        self.wanted = False
        """Whether somebody who was told to may still paste it: it stays then, lest they paste the user's own."""

    async def taken(self, deadline: float) -> bool:
        """Wait, at most `deadline` seconds, until the program that has the keyboard has fetched the text.

        When the time is up, a program that fetched it since the call is believed as well: some have several
        connections. Those that fetched it before are clipboard managers.
        """
        before = self.inner.taken_by_others
        if await _within(deadline, self.inner.taken_by_focus):
            return True
        return self.inner.taken_by_others > before


class Clipboard:
    """The display's clipboard, served by a thread of ours that starts with the first use."""

    def __init__(self, display_name: str) -> None:
        self._name = display_name
        self._selection: selection.Selection | None = None

    @asynccontextmanager
    async def offering(self, text: str) -> AsyncIterator[Offer]:
        """Put text on the clipboard; afterwards what was there is put back, unless somebody copied meanwhile.

        Texts, pictures and files are; of what was copied in more ways than these, only these. A program that has
        not fetched the text, though it may still do so, gets it whenever it does.
        """
        served = self._serving()
        previous = await self._kept(_PATIENCE)
        offer = Offer(await _soon(served.offer(text, previous.content)), previous.lost)
        try:
            yield offer
        finally:
            served.withdraw(offer.inner, wanted=offer.wanted)

    async def read(self, deadline: float = _PATIENCE) -> str | None:
        """Give the clipboard's text; None when it is empty, holds no text or its owner does not answer in time."""
        return (await self._kept(deadline)).text

    async def _kept(self, deadline: float) -> Kept:
        question = self._serving().read()
        if await _within(deadline, question):
            return question.result()
        return Kept(lost=f"something whose owner has not answered in {deadline:g} s")

    async def write(self, text: str) -> None:
        """Own the clipboard until another program does, or until `close`."""
        await _soon(self._serving().write(text))

    def close(self) -> None:
        """Put back what is to be put back, and stop the thread."""
        if self._selection:
            self._selection.close()
            self._selection = None

    def _serving(self) -> selection.Selection:
        self._selection = self._selection or selection.Selection(self._name)
        return self._selection


async def _within(seconds: float, future: Future[T]) -> bool:
    """Wait for a future of the thread; False when it is not done in time."""
    try:
        await anyio.to_thread.run_sync(partial(future.result, seconds), abandon_on_cancel=True)
    except TimeoutError:
        return False
    return True


async def _soon(future: Future[T]) -> T:
    """Wait for what only needs the X server."""
    if not await _within(_PATIENCE, future):
        raise DeviceError("the X server does not answer; see whether it is still running")
    return future.result()
