"""One bash process that takes commands one after the other and keeps what they leave: folder, variables, functions."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import anyio
import anyio.to_thread

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.desktops.programs import Programs
from deskhand.devices.linux.processes import family, running

START = 10.0
"""Seconds until a shell has to be there."""
GLANCE = 0.1
"""Seconds between two looks at how much a command has printed."""
LARGEST = 64 << 20
"""Bytes that a command may print before it is stopped."""
POLITE = 0.3
"""Seconds between asking a command to stop and making it."""
STOPPING = 2.0
"""Seconds until a shell that does not come back from a stopped command is ended."""
_READY = "set +o history +o histexpand -o noclobber; shopt -u expand_aliases; PS1= PS2= PS4='+ '"
_FIELDS = 5


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    folder: str
    """Where the shell is now."""
    started: int
    """The process of the last background command."""
    jobs: tuple[int, ...] = ()
    stopped: str = ""
    """Why the command was stopped; "" when it ended by itself."""


class ShellEnded(Exception):
    """The shell itself is gone: a command ended or replaced it, or it had to be ended."""


class Bash:
    """An interactive bash without a terminal: whatever reads from one, or from its input, gets none.

    It is spoken to through two pipes with names in `exchange`; commands and output are files there. Interactive, so
    that an interrupt brings it back from a loop of its own instead of ending it.
    """

    def __init__(self, exchange: Path) -> None:
        self.exchange = exchange
        self.pid = 0
        """The process at the top: bash itself, or the walls around it."""
        self._inner = 0
        """Bash itself."""
        self.own: frozenset[int] = frozenset()
        """The processes of the shell and of the walls around it."""
        self._count = 0
        self._heard = b""
        self._jobs: tuple[int, ...] = ()
        self._line, self._report = exchange / "line", exchange / "report"
        for pipe in (self._line, self._report):
            os.mkfifo(pipe, 0o600)
        # Open both ways: neither side waits for the other, and none sees an end when the other goes.
        self._saying = os.open(self._line, os.O_RDWR | os.O_NONBLOCK)
        self._hearing = os.open(self._report, os.O_RDWR | os.O_NONBLOCK)
        self._watch = -1
        self._either = select.epoll()
        self._either.register(self._hearing, select.EPOLLIN)

    async def start(
        self, programs: Programs, environment: Mapping[str, str], folder: Path, walls: Sequence[str] = ()
    ) -> Ran:
        """Begin in a folder, within `walls`.

        Raises:
            DeviceError: bash does not start; says what it printed.
        """
        # Whoever starts it in the background has interrupts ignored, which is handed down for good otherwise.
        outermost = " ".join(map(quote, ("env", "--default-signal", *walls)))
        script = f"exec {outermost} bash --norc --noprofile -i <{quote(str(self._line))}"
        log = self.exchange / "log"
        with log.open("ab") as output:
            self.pid = await programs.start(["/bin/sh", "-c", script], environment, folder, [output.fileno()])
        try:
            self._watch = os.pidfd_open(self.pid)
            self._either.register(self._watch, select.EPOLLIN)
            with anyio.fail_after(START):
                await self._say(f"exec 2>/dev/null; {_READY}\n{self._reporting()}")
                ran = await self._hear()
        except (TimeoutError, ProcessLookupError, ShellEnded) as error:
            said = log.read_text("utf-8", "replace").strip()[-300:] or "nothing"
            raise DeviceError(f"the shell does not start; it printed: {said}") from error
        self.own = await anyio.to_thread.run_sync(family, self.pid)
        self._inner = _bash_among(self.own) if walls else self.pid
        return ran

    async def run(self, command: str, output: Path, seconds: float, *, behind: bool = False) -> Ran:
        """Run a command with what it prints going to a file; `behind` leaves it running.

        After `seconds`, or when it prints without end, everything that it started is ended; so it is when cancelled.

        Raises:
            ShellEnded: the shell went with it.
        """
        (self.exchange / "command").write_bytes(command.encode("utf-8", "replace"))
        jobs = self._jobs
        left = f"</dev/null >>{quote(str(output))} 2>&1{' &' if behind else ''}"
        read = f"builtin mapfile -d '' -n 1 __deskhand <{quote(str(self.exchange / 'command'))}"
        self._count += 1
        finished = False
        try:
            # Opened here, so that there is a file to look at, whatever becomes of the command.
            output.touch(0o600)
            await self._say(f'{read}; builtin eval "$__deskhand" {left}\n{self._reporting()}')
            why, ran = await self._within(seconds, output)
            if ran is None:
                ran = (await self._stop(jobs, why))._replace(stopped=why)
            finished = True
        finally:
            if not finished:
                with anyio.CancelScope(shield=True), suppress(ShellEnded):
                    await self._stop(jobs, "it was called off")
        return ran

    async def _within(self, seconds: float, output: Path) -> tuple[str, Ran | None]:
        """Wait for a command's end; when it has to be stopped, say why instead."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with anyio.move_on_after(min(left, GLANCE)):
                return "", await self._hear()
            if output.stat().st_size > LARGEST:
                return f"it had printed more than {LARGEST >> 20} MB", None
        return f"it had not ended after {seconds:g} s", None

    async def _stop(self, jobs: Sequence[int], why: str) -> Ran:
        """End what the running command has started, and bring the shell back; else end the shell as well.

        What was in the background before, as `jobs`, is spared.

        Raises:
            ShellEnded: it had to be ended, or has.
        """
        spared = self.own | await anyio.to_thread.run_sync(family, *jobs)
        began = time.monotonic()
        while (took := time.monotonic() - began) < STOPPING:
            started = await anyio.to_thread.run_sync(family, self.pid) - spared
            number = signal.SIGINT if took < POLITE else signal.SIGKILL
            # The shell first: one that sees its command die of an interrupt before it has one itself goes on.
            for pid in (self._inner, *(started if number is signal.SIGINT else ())):
                _send(pid, signal.SIGINT)
            for pid in started if number is signal.SIGKILL else ():
                _send(pid, signal.SIGKILL)
            await self._say(self._reporting())
            with anyio.move_on_after(GLANCE / 2):
                return await self._hear()
        for pid in (await anyio.to_thread.run_sync(family, self.pid) - spared) | self.own:
            _send(pid, signal.SIGKILL)
        raise ShellEnded(f"it was ended as well as the command ({why}), since it did not come back")

    def close(self) -> None:
        for number in (self._saying, self._hearing, self._watch):
            if number >= 0:
                os.close(number)
        self._either.close()

    def _reporting(self) -> str:
        fields = (
            f'builtin printf \'%s\\0\' {self._count} "$?" "$PWD" "${{!-}}"; builtin jobs -p; builtin printf \'\\0\''
        )
        # The empty line: after a command with a quote that is not closed, bash does not know a bracket for what it is.
        return f"\n{{ {fields}; }} 2>/dev/null >{quote(str(self._report))}\n"

    async def _say(self, text: str) -> None:
        data = os.fsencode(text)
        while data:
            try:
                data = data[os.write(self._saying, data) :]
            except BlockingIOError:
                await anyio.wait_writable(self._saying)

    async def _hear(self) -> Ran:
        """Wait for the report of the current command.

        Raises:
            ShellEnded: none will come.
        """
        while (ran := self._report_of_now()) is None:
            await anyio.wait_readable(self._either.fileno())
            try:
                self._heard += os.read(self._hearing, 65536)
            except BlockingIOError:
                if not running(self.pid):
                    raise ShellEnded("it ended with this command") from None
        self._jobs = ran.jobs
        return ran

    def _report_of_now(self) -> Ran | None:
        """Take the current command's report out of what was heard; earlier ones, said twice, are dropped."""
        while self._heard.count(b"\0") >= _FIELDS:
            *fields, self._heard = self._heard.split(b"\0", _FIELDS)
            count, code, folder, started, jobs = (os.fsdecode(field) for field in fields)
            if count == str(self._count):
                return Ran(int(code), folder, int(started or 0), tuple(map(int, jobs.split())))
        return None


def _bash_among(processes: Iterable[int]) -> int:
    """Find bash within its walls.

    Raises:
        DeviceError: it is gone.
    """
    for pid in sorted(processes, reverse=True):
        with suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_bytes() == b"bash\n":
                return pid
    raise DeviceError("the shell in the sandbox ended as soon as it had started")


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
