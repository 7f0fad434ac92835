"""A shell as a device: commands in, what they print out."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import anyio

from deskhand.core import shell
from deskhand.core.action import Action, ActionResult, CloseWindow, FocusWindow, Hotkey, Press, RunCommand, Wait, Write
from deskhand.core.errors import DeviceError
from deskhand.core.groups import as_it_was
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject
from deskhand.devices.linux.desktops.programs import guarded
from deskhand.devices.shell.behind import end_floods
from deskhand.devices.shell.keys import keys_of
from deskhand.devices.shell.session import Grounds, ShellSession
from deskhand.devices.shell.spec import ShellSpec, parse_shell
from deskhand.devices.shell.surroundings import surroundings
from deskhand.perception.options import Perception


class ShellDevice:
    """The shell of a session."""

    def __init__(self, name: str, session: ShellSession) -> None:
        self._name = name
        self._session = session

    @property
    def name(self) -> str:
        return self._name

    def draw_masked(self, mask: Callable[[str], str]) -> None:
        """Let every text pass through `mask` before it is drawn."""
        self._session.mask = mask

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        """Look once, at the shell and at the program in its terminal, whatever the subject: there is no more."""
        return await self._session.look()

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        """Run a command, or send keys to the program in the terminal.

        A command's time limit is its own. When cancelled, it is ended with all that it started.

        Raises:
            DeviceError: there is no shell to be had any more.
        """
        match action:
            case RunCommand():
                return await self._session.run(action)
            case Write(target=None, replace=False):
                return await self._session.after_keys(action.message.replace("\n", "\r"))
            case Press() | Hotkey():
                return await self._press(action)
            case FocusWindow(window=shell.WINDOW):
                return ActionResult(outcome="done", text="the shell takes commands", value=shell.WINDOW)
            case CloseWindow(window=shell.TERMINAL) if self._session.close_terminal():
                return ActionResult(outcome="done", text="the terminal is closed, and the program in it was hung up on")
            case Wait(seconds=seconds):
                await anyio.sleep(seconds)
                return ActionResult(outcome="done", text=f"{seconds:g} s have passed")
            case _:  # all that needs a screen with controls
                return ActionResult(outcome="failed", text=f"a shell cannot {action.kind}; use run_command")

    async def _press(self, action: Press | Hotkey) -> ActionResult:
        try:
            if isinstance(action, Hotkey):
                keys = keys_of(action.keys)
            else:
                keys = "".join(keys_of(tuple(key.split("+")) if len(key) > 1 else (key,)) for key in action.keys)
                keys *= action.presses
        except ValueError as error:
            return ActionResult(outcome="failed", text=str(error))
        return await self._session.after_keys(keys)


def open_shell(
    spec: str, environment: Mapping[str, str], _perception: Perception | None = None
) -> AbstractAsyncContextManager[ShellDevice]:
    """Open the shell that a spec names; at the end everything that was started in it ends.

    `environment` holds the caller's variables, of which programs get to see what is known to be no secret.

    Raises:
        SettingsError: at once, when the spec is wrong.
        DeviceError: on entering, when there is no bash, or no sandbox.
    """
    return _opened(parse_shell(spec), environment)


@asynccontextmanager
async def _opened(wanted: ShellSpec, environment: Mapping[str, str]) -> AsyncIterator[ShellDevice]:
    try:
        folder = Path(tempfile.mkdtemp(prefix="deskhand-"))
    except OSError as error:
        raise DeviceError(f"a shell needs room for what commands print ({error}); make some") from error
    async with guarded(folder) as programs:
        exchange = folder / "exchange"
        exchange.mkdir(mode=0o700)
        session = await ShellSession.begin(Grounds(wanted, programs, surroundings(environment), exchange))
        with closing(session), as_it_was():
            async with anyio.create_task_group() as group:
                group.start_soon(end_floods, programs.guardian_pid, exchange)
                yield ShellDevice(wanted.spelled, session)
                group.cancel_scope.cancel()
