"""A shell session that goes on whatever a command does to its shell, and the program that is used with keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

import anyio.to_thread

from deskhand.core.action import ActionResult, RunCommand
from deskhand.core.observation import Look
from deskhand.devices.linux.desktops.programs import Programs
from deskhand.devices.shell.bash import Bash, Ran, ShellEnded
from deskhand.devices.shell.behind import running_behind
from deskhand.devices.shell.output import shown_of
from deskhand.devices.shell.sandbox import walls
from deskhand.devices.shell.scene import Drawn, Facts, look_at
from deskhand.devices.shell.spec import ShellSpec

if TYPE_CHECKING:
    from deskhand.devices.shell.terminal import Terminal

LONGEST_COMMAND = 1 << 17
"""Characters of a command."""
LAST_SCREEN = "(the program in the terminal has ended; its last screen)\n"


class Grounds(NamedTuple):
    """What every shell of a session is begun with."""

    spec: ShellSpec
    programs: Programs
    environment: Mapping[str, str]
    exchange: Path
    """A private folder for commands and what they print; removed with the session."""


class ShellSession:
    """Runs commands in one bash as long as that lives, then in the next."""

    def __init__(self, grounds: Grounds, bash: Bash) -> None:
        self._grounds = grounds
        self._bash = bash
        self._shells = 1
        self._commands = 0
        self._folder = str(grounds.spec.folder)
        self._command = self._code = self._output = ""
        self.mask: Callable[[str], str] = str
        """What texts pass through before they are drawn."""
        self._terminal: Terminal | None = None
        self._terminals = 0
        self._behind: dict[int, str] = {}
        """What runs in the background by request, as it was said."""
        self._in_terminal: frozenset[int] = frozenset()

    @classmethod
    async def begin(cls, grounds: Grounds) -> ShellSession:
        """Begin with a shell; raises as `Bash.start`."""
        return cls(grounds, await _bash(grounds, 1, grounds.spec.folder))

    async def _begin_anew(self) -> None:
        """Begin a shell where the last one was, or in the session's folder if that is gone."""
        folder = Path(self._folder)
        folder = folder if folder.is_dir() else self._grounds.spec.folder
        self._shells += 1
        self._bash.close()
        self._bash = await _bash(self._grounds, self._shells, folder)
        self._folder = str(folder)

    async def run(self, action: RunCommand) -> ActionResult:
        """Run a command as an action says; raises DeviceError when there is no shell to be had any more."""
        command = action.command
        if "\0" in command or len(command) > LONGEST_COMMAND or not command.strip():
            wanted = f"1 to {LONGEST_COMMAND} characters and no NUL"
            return ActionResult(outcome="failed", text=f"a command has {wanted}; nothing was run")
        if action.terminal:
            return await self._run_in_terminal(command)
        self._commands += 1
        output = self._grounds.exchange / f"output-{self._commands}"
        self._command, self._code, self._output = command, "", ""
        began = time.monotonic()
        try:
            ran = await self._bash.run(command, output, action.seconds, behind=action.background)
        except ShellEnded as end:
            return await self._without_shell(output, str(end))
        self._folder = ran.folder
        if action.background:
            self._behind[ran.started] = command
            text = f"it runs in the background as process {ran.started}; what it prints goes to {output}"
            self._code, self._output = "", f"({text})"
            return ActionResult(outcome="done", text=text)
        self._code = str(ran.code)
        self._output = await anyio.to_thread.run_sync(shown_of, output)
        return self._result(ran, time.monotonic() - began)

    def _result(self, ran: Ran, seconds: float) -> ActionResult:
        gone = "" if Path(ran.folder).is_dir() else f"; the working folder {ran.folder} is gone, cd to another one"
        if ran.stopped:
            text = f"stopped, with all it had started: {ran.stopped}{gone}"
            return ActionResult(outcome="failed", text=text, value=self._output)
        text = f"exit code {ran.code} after {seconds:.2g} s{gone}"
        return ActionResult(outcome="failed" if ran.code else "done", text=text, value=self._output)

    async def _without_shell(self, output: Path, why: str) -> ActionResult:
        """Begin anew after a command took the shell with it."""
        self._output = await anyio.to_thread.run_sync(shown_of, output)
        await self._begin_anew()
        text = f"the shell is gone: {why}; a new one has begun in {self._folder}, without variables and functions"
        return ActionResult(outcome="unverified", text=text, value=self._output)

    async def _run_in_terminal(self, command: str) -> ActionResult:
        if self._terminal is not None:
            text = f"{self._terminal.command!r} has the terminal; end it first, by its keys or by closing its window"
            return ActionResult(outcome="failed", text=text)
        if self._grounds.spec.sandbox:
            return ActionResult(outcome="failed", text="the sandbox has no terminals; use options instead of keys")
        try:
            adapter = import_module("deskhand.devices.shell.terminal")
        except ImportError:
            text = "programs that are used with keys need more of Deskhand: pip install 'deskhand[shell]'"
            return ActionResult(outcome="failed", text=text)
        self._terminal = terminal = adapter.Terminal(command)
        self._terminals += 1
        self._command, self._code, self._output = command, "", ""
        path, ended = quote(terminal.path), quote(str(self._ended))
        inner = f"TERM=linux setsid --ctty --wait bash -c {quote(command)} <{path} >{path} 2>&1"
        ran = await self._bash.run(
            f"{{ {inner}; builtin printf '%s' \"$?\" >|{ended}; }} &", self._grounds.exchange / "output-0", 10.0
        )
        self._in_terminal = frozenset({ran.started})
        return await self.after_keys("")

    @property
    def _ended(self) -> Path:
        return self._grounds.exchange / f"ended-{self._terminals}"

    async def after_keys(self, keys: str) -> ActionResult:
        """Send keys to the program in the terminal, wait until its screen rests, and say what that shows."""
        if self._terminal is None:
            return ActionResult(outcome="failed", text="no program waits for keys; use run_command")
        before = self._terminal.shown()
        await self._terminal.send(keys)
        shown = self._terminal.shown()
        value = "\n".join(shown.lines).rstrip()
        if await self._settle():
            failed = self._code not in ("", "0")
            text = f"the program in the terminal ended with exit code {self._code}"
            return ActionResult(outcome="failed" if failed else "done", text=text, value=value)
        text = "its screen shows" if shown != before else "nothing changed on its screen"
        return ActionResult(outcome="done" if shown != before else "unverified", text=text, value=value)

    async def _settle(self) -> bool:
        """Take in what the program in the terminal shows; let the terminal go, and say so, when it has ended."""
        if self._terminal is None:
            return False
        await self._terminal.rest()
        code = self._ended.read_text("ascii", "replace") if self._ended.exists() else ""
        if code:
            self._code = code
            self._output = LAST_SCREEN + "\n".join(self._terminal.shown().lines).rstrip()
            self.close_terminal()
        return bool(code)

    def close_terminal(self) -> bool:
        """Hang up on the program in the terminal; False when there is none."""
        if self._terminal is None:
            return False
        self._terminal.close()
        self._terminal, self._in_terminal = None, frozenset()
        return True

    async def look(self) -> Look:
        """Look at the shell, and at the screen of the program that is used with keys."""
        await self._settle()
        own = self._bash.own | self._in_terminal
        behind = await anyio.to_thread.run_sync(running_behind, self._grounds.programs.guardian_pid, own)
        behind = {pid: self._behind.get(pid, line) for pid, line in behind.items()}
        mask, folder = self.mask, str(self._grounds.spec.folder)
        facts = Facts(
            session=mask(folder),
            folder=mask(self._folder),
            command=mask(self._command),
            code=self._code,
            output=mask(self._output),
            behind={pid: mask(line) for pid, line in behind.items()},
        )
        drawn = None
        if (terminal := self._terminal) is not None:
            lines, cursor = terminal.shown()
            drawn = Drawn(self._terminals, self.mask(terminal.command), [*map(self.mask, lines)], cursor, terminal.size)
        return await anyio.to_thread.run_sync(look_at, facts, drawn)

    def close(self) -> None:
        self.close_terminal()
        self._bash.close()


async def _bash(grounds: Grounds, number: int, folder: Path) -> Bash:
    inner = grounds.exchange / f"shell-{number}"
    inner.mkdir(mode=0o700)
    bash = Bash(inner)
    around = walls(grounds.spec.folder, grounds.exchange) if grounds.spec.sandbox else ()
    await bash.start(grounds.programs, grounds.environment, folder, around)
    return bash
