"""A device that stays open, to look at and act on by hand and to have requests carried out on, one at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import anyio

from deskhand.core.action import ActionResult
from deskhand.core.event import SessionEnded
from deskhand.core.geometry import Frame, Size
from deskhand.core.observation import ACTIVE_WINDOW, Observation, Subject
from deskhand.core.ports import Device, Journal
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.dialects.actions import call_to_action, spell
from deskhand.dialects.grammar import Call
from deskhand.journal.folder import run_folder
from deskhand.processors.context import Context, Listener
from deskhand.session.factory import SessionFactory
from deskhand.session.session import SessionResult
from deskhand.wiring import Wiring


class Done(NamedTuple):
    """An action as it was done, spelled out with secrets masked, and what came of it."""

    action: str
    result: ActionResult


class Carried(NamedTuple):
    """What came of a request, and where its journal is."""

    result: SessionResult
    run_dir: Path


class Workplace:
    """What is done by hand here goes through policy and journal, like what agents do."""

    def __init__(self, wiring: Wiring, device: Device, context: Context) -> None:
        self.device = device
        self._wiring = wiring
        self._context = context
        self._lock = anyio.Lock()  # a device does one thing at a time

    @property
    def journal(self) -> Journal:
        """Where what is done by hand is written; a request has a journal of its own."""
        return self._context.journal

    async def look(self, subject: Subject = ACTIVE_WINDOW) -> Observation:
        """Look once; the picture's bytes are in the journal.

        Raises:
            DeviceError: nothing can be seen.
        """
        async with self._lock:
            return await self._context.dispatcher.observe(subject)

    async def act(self, calls: Sequence[Call], window: str = "") -> list[Done]:
        """Do actions in order, each judged by the policy; stop at the first that fails. Points are screen pixels.

        Raises:
            UnreadableReply: a call is no action; then none was done.
            DeviceError: the device is broken.
        """
        async with self._lock:
            size = (await self._context.dispatcher.observe()).screen.size
            actions = [call_to_action(call, Frame(size, size)) for call in calls]
            done: list[Done] = []
            for action in actions:
                result = await self._context.dispatcher.dispatch(action, window)
                done.append(Done(self._wiring.secrets.mask(spell(action)), result))
                if result.outcome == "failed":
                    break
            return done

    async def carry_out(self, request: str, runs: Path, listeners: Sequence[Listener] = ()) -> Carried:
        """Carry out a request in a session of its own, whose folder is made in `runs`.

        Raises:
            SettingsError: the request is empty.
        """
        async with self._lock:
            kept = run_folder(request, runs, keep=self._wiring.settings.keep_runs)
            with kept as folder, self._wiring.journal(folder) as journal:
                context = self._wiring.context(self.device, journal, RunningMode.REQUEST)
                context.listeners = [*context.listeners, *listeners]
                started = self._wiring.started(self.device, RunningMode.REQUEST, request)
                session = SessionFactory.create_session(context, started, folder)
                return Carried(await session.run(), folder)


@asynccontextmanager
async def open_workplace(wiring: Wiring, journal: Journal, folder: Path) -> AsyncIterator[Workplace]:
    """Open the device of the settings as a workplace; leaving the block closes it. Raises as `Wiring.opened`."""
    async with wiring.opened(wiring.settings.device, folder) as device:
        context = wiring.context(device, journal, RunningMode.REQUEST)
        context.record(wiring.started(device, RunningMode.REQUEST, ""))
        try:
            yield Workplace(wiring, device, context)
        finally:
            context.record(SessionEnded(outcome=RunOutcome.FINISHED))


def workplace_on(device: Device, wiring: Wiring, journal: Journal) -> Workplace:
    """Make a workplace of a device that is open."""
    return Workplace(wiring, device, wiring.context(device, journal, RunningMode.REQUEST))


def check_calls(calls: Sequence[Call]) -> None:
    """See whether calls are actions, before a device is opened.

    Raises:
        UnreadableReply: one is none.
    """
    anything = Size(1 << 20, 1 << 20)
    for call in calls:
        call_to_action(call, Frame(anything, anything))
