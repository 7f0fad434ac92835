"""An interpreter that has imported what commands need, and forks into one after the other in a tenth of the time.

It has no threads, and has run nothing before: what it becomes is a process like one that was started anew.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import IO

from deskhand import cli

COMMAND = "from deskhand.cli.main import entry; entry()"
_LONGEST = 1 << 17
_NUMBER = struct.Struct("i")


class Fork:
    """A process with pipes of text, as `subprocess.Popen` would give it; its parent is the interpreter it came from."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        stdin: str = "",
        runs: str = COMMAND,
    ) -> None:
        self.args, self.returncode = [*words], -1
        (from_it, output), (of_trouble, errors) = os.pipe(), os.pipe()
        self._told, tells = socket.socketpair()
        self.stdout, self.stderr = os.fdopen(from_it), os.fdopen(of_trouble)
        asked = json.dumps([runs, self.args, dict(environment), str(folder)]).encode()
        with tells, that_says(stdin) as given:
            socket.send_fds(_interpreter(), [asked], [given.fileno(), output, errors, tells.fileno()])
        os.close(output)
        os.close(errors)
        self.pid = self._number()

    def send_signal(self, number: int) -> None:
        if self._told.fileno() >= 0:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        if self._told.fileno() >= 0:
            self._told.settimeout(timeout)
            try:
                self.returncode = self._number()
            except TimeoutError as error:
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from error
            self._told.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        with ThreadPoolExecutor(2) as readers:
            try:
                said, complained = readers.map(_rest_of, (self.stdout, self.stderr), timeout=timeout)
            except TimeoutError as error:
                self.kill()
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from error
        self.wait(timeout)
        return said, complained

    def _number(self) -> int:
        number: int
        (number,) = _NUMBER.unpack(self._told.recv(_NUMBER.size))
        return number


def _rest_of(stream: IO[str]) -> str:
    if stream.closed:
        return ""
    with stream:
        return stream.read()


def that_says(text: str) -> IO[str]:
    """Make a pipe to read a text from, which is no longer than a pipe takes."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        pipe.write(text)
    return os.fdopen(reading)


@cache
def _interpreter() -> socket.socket:
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    root = Path(__file__).resolve().parent.parent
    program = "from tests.warm import fork_on_request; exec(fork_on_request())"
    pipe = subprocess.PIPE  # so that its streams are for pipes, which a fork gets
    with its:
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(its.fileno())],
            env={**kept, "PYTHONPATH": f"{root / 'src'}:{root}"},
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            pass_fds=[its.fileno()],
        )

    def end() -> str:
        ours.close()
        return process.communicate()[1]

    if not ours.recv(1):
        raise RuntimeError(end())
    atexit.register(end)
    return ours


def fork_on_request() -> str:
    """Return in a new process for each request, with what it runs; end with who asks."""
    commands = (f"deskhand.cli.{command.name}" for command in iter_modules(cli.__path__))
    for name in (*commands, "deskhand.devices.linux.rig", "deskhand.models.openai"):
        import_module(name)
    gc.collect()
    gc.freeze()  # so that collections in a fork need not touch, and thus copy, what all forks share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    line = socket.socket(fileno=int(sys.argv[1]))
    line.send(b".")
    while True:
        asked, files, _, _ = socket.recv_fds(line, _LONGEST, 4)
        if not asked:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            line.close()
            if (pid := os.fork()) == 0:
                break
            _tell_of(pid, files)
        for file in files:
            os.close(file)
    for standard in range(3):
        os.dup2(files[standard], standard)
    for file in files:
        os.close(file)
    runs: str
    runs, sys.argv[1:], environment, folder = json.loads(asked)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    return runs


def _tell_of(pid: int, files: Sequence[int]) -> None:
    *theirs, tells = files
    for file in theirs:
        os.close(file)
    os.write(tells, _NUMBER.pack(pid))
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):  # nobody wants to know
        os.write(tells, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)
