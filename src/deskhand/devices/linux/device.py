"""A Linux desktop on X11 that can be looked at and acted on."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from deskhand.core.action import Action, ActionResult
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject
from deskhand.devices.linux.acting.perform import perform
from deskhand.devices.linux.applications.launch import Session
from deskhand.devices.linux.desktops.kept import kept_desktop, reached
from deskhand.devices.linux.desktops.session import OwnSession, display_of, session_bus_of
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.looking import look
from deskhand.devices.linux.rig import Rig, rigged
from deskhand.devices.linux.spec import LinuxSpec, parse_linux
from deskhand.devices.linux.x11.monitors import on_screen
from deskhand.perception.options import Perception

DEFAULT = Perception()


class LinuxDevice:
    """The X desktop that `rig` is connected to."""

    def __init__(self, name: str, rig: Rig) -> None:
        self._name = name
        self._rig = rig

    @property
    def name(self) -> str:
        return self._name

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        """Look once: picture and elements of the same moment.

        Raises:
            DeviceError: nothing can be seen.
        """
        with self._rig.delays.queued():
            return await look(self._rig, subject)

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        """Do one action and wait until the screen rests.

        Raises:
            DeviceError: the device is broken.
        """
        if self._rig.monitor:
            try:
                action = on_screen(self._rig.view()[0], action)
            except TargetNotFound as error:
                return ActionResult(outcome="failed", text=str(error))
        with self._rig.delays.queued():
            result = await perform(self._rig, action, window)
        return result.model_copy(update={"waited": self._rig.delays.told()})


@asynccontextmanager
async def open_linux(
    spec: str, environment: Mapping[str, str], perception: Perception = DEFAULT
) -> AsyncIterator[LinuxDevice]:
    """Open the desktop that a spec names; a virtual one is brought up, and taken down at the end.

    `environment` holds the caller's variables: where its display and buses are, which language it speaks.
    `perception` says what pictures are like and what is read off them.

    Raises:
        SettingsError: the spec is wrong.
        DeviceError: the desktop is not there, cannot be worked in, or has no such monitor.
    """
    wanted = parse_linux(spec)
    async with (
        _session(wanted, environment) as (session, display, bus),
        rigged(session, display, bus, perception) as rig,
    ):
        if not wanted.virtual:
            # A session of ours that was killed in the middle of a chord or a drag has left them down.
            rig.pointer.release_all(everything=True)
            rig.keyboard.release_all(everything=True)
        rig.keyboard.delay = wanted.delay / 1000
        rig.monitor = wanted.monitor
        rig.view()  # one that is not there is said now
        yield LinuxDevice(spec, rig)


@asynccontextmanager
async def _session(wanted: LinuxSpec, environment: Mapping[str, str]) -> AsyncIterator[tuple[Session, str, str]]:
    """Give the session to work in, its display and the address of its bus."""
    if not (wanted.virtual or wanted.desktop):
        display = wanted.display or display_of(environment)
        with tempfile.TemporaryDirectory(prefix="deskhand-") as folder:
            own = OwnSession({**environment, "DISPLAY": display}, Path(folder) / "log")
            try:
                yield own, display, session_bus_of(environment)
            finally:
                own.close()
        return
    private = (
        reached(kept_desktop(wanted.desktop))
        if wanted.desktop
        else virtual_desktop(wanted.size, layout=wanted.layout, scale=wanted.scale, environment=environment)
    )
    async with private as desktop:
        yield desktop, desktop.display_name, desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
