"""Programs that never outlive us: a guardian process starts them and ends them, whatever becomes of this process."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from shlex import join, quote

import anyio

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.devices.linux.desktops import guardian, sweeper

GUARDIAN, SWEEPER = guardian.__file__, sweeper.__file__
GONE = "the process that guards the private desktop is gone; start anew"
TAKEDOWN = 1.5
"""Seconds that the guardian may take to end everything."""


ANSWERS = 20.0
"""Seconds that the guardian may take to start a program."""


class Programs:
    """The programs of one private desktop, all below one guardian process."""

    def __init__(self, channel: tuple[int, int], guardian_pid: int, answers: Path | None = None) -> None:
        """Take the descriptors that commands go into and answers come out of; `answers` is named where it is a pipe."""
        self.guardian_pid = guardian_pid
        self.kept = False
        """Whether the guardian goes on without this process."""
        self._commands, self._answers = channel
        self._to = f" 1<>{quote(str(answers))}" if answers else ""
        # Keeps apart tasks that start programs side by side: an answer belongs to the request before it.
        self._turn = anyio.Lock()

    async def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path, files: Sequence[int]
    ) -> int:
        """Start a program in `folder` and give its process id.

        `files[0]` takes what it prints; the others become its descriptors 3, 4 and so on. They stay open here.

        Raises:
            DeviceLost: the guardian is gone.
        """
        return int(await self._ask(_command(arguments, environment, folder, files) + self._to))

    async def keep(self, commands: Path) -> None:
        """Have the guardian go on without this process, and read its commands from a named pipe from now on.

        Raises:
            DeviceLost: the guardian is gone.
        """
        await self._ask(f"trap - URG; exec 0<>{quote(str(commands))}; echo kept; exec >/dev/null")
        self.kept = True

    async def _ask(self, command: str) -> bytes:
        answer = b""
        # Shielded: half a command, or an answer that is left for the next one, would be the end of us.
        async with self._turn:
            with anyio.move_on_after(ANSWERS, shield=True), _lost_with_its_guardian():
                await self._say(command)
                answer = await self._hear()
        if not answer:
            raise DeviceLost(GONE)
        return answer

    async def _say(self, line: str) -> None:
        data = os.fsencode(line + "\n")
        while data:
            await anyio.wait_writable(self._commands)
            data = data[os.write(self._commands, data) :]

    async def _hear(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            await anyio.wait_readable(self._answers)
            more = os.read(self._answers, 64)
            if not more:
                return b""
            line += more
        return line


@contextmanager
def _lost_with_its_guardian() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DeviceLost(GONE) from error


def _command(arguments: Sequence[str], environment: Mapping[str, str], folder: Path, files: Sequence[int]) -> str:
    """Write the shell's command that starts a program in a session of its own, and prints its process id."""
    entries = [f"{name}={value}" for name, value in environment.items()]
    ours = f"/proc/{os.getpid()}/fd"
    output, *others = (f"{ours}/{number}" for number in files)
    more = " ".join(f"{number}>{other}" for number, other in enumerate(others, 3))
    # It ends with the shell, should that be killed.
    words = ["env", "-i", *entries, "/usr/bin/setsid", "/usr/bin/setpriv", "--pdeathsig", "KILL", "--", *arguments]
    start = f"cd {quote(str(folder))} && exec {join(words)} </dev/null >&9 2>&9 9>&-"
    # The files are opened before the answer: they may be closed here after it. Line breaks would end the command.
    return f"{{ ({start}) & echo $!; }} 9>>{output} {more}".replace("\n", "'\"$n\"'")


@asynccontextmanager
async def guarded(folder: Path) -> AsyncIterator[Programs]:
    """Lend a way to start programs; at the end, or when this process dies, they end and `folder` is removed.

    Unless they are kept: then everything stays.
    """
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours:
        with theirs:
            process = _spawn(theirs.fileno(), folder)
        watch = os.pidfd_open(process)
        programs = Programs((ours.fileno(), ours.fileno()), process)
        try:
            yield programs
        finally:
            ours.close()
            if not programs.kept:
                await _take_down(process, watch, folder)
            os.close(watch)


async def _take_down(process: int, watch: int, folder: Path) -> None:
    """Wait until a guardian that has lost its owner has ended; end it where it does not."""
    with anyio.move_on_after(TAKEDOWN, shield=True) as late:
        await anyio.wait_readable(watch)
    if late.cancelled_caught:
        os.kill(process, signal.SIGKILL)  # its children die with it
    os.waitpid(process, 0 if late.cancelled_caught else os.WNOHANG)  # noqa: ASYNC222 -- it has ended
    if folder.exists():  # it was killed before it could sweep
        sweep(folder, f"={folder}/")


def sweep(folder: Path, mark: str) -> None:
    """End the programs of a desktop that lost its guardian, which have `mark` in their environment; remove `folder`."""
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or is somebody else's
            if os.fsencode(mark) in environ.read_bytes():
                os.kill(int(environ.parent.name), signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def _spawn(channel: int, folder: Path) -> int:
    arguments = [sys.executable, "-I", "-S", GUARDIAN, SWEEPER, str(folder), str(os.getpid())]
    actions = [
        (os.POSIX_SPAWN_DUP2, channel, 0),
        (os.POSIX_SPAWN_DUP2, channel, 1),
        (os.POSIX_SPAWN_OPEN, 2, str(folder / "log"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600),
    ]
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    try:
        return os.posix_spawn(sys.executable, arguments, environment, file_actions=actions, setsid=True)
    except OSError as error:
        raise DeviceError(f"cannot start {sys.executable} for the private desktop: {error}") from error
