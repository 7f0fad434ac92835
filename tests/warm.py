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
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

_ROOMS = ("cli.run", "cli.resume", "cli.explain", "cli.models", "cli.config", "cli.act", "cli.look", "cli.page")
_IMPORTED = (*_ROOMS, "devices.linux.device", "devices.linux.rig", "models.openai", "models.literal.explain")
_PROGRAM = "from tests.warm import fork_on_request; fork_on_request(); from deskhand.cli.main import entry; entry()"
_LONGEST = 1 << 17
_NUMBER = struct.Struct("i")


def ran(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, stdin: str, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run `deskhand` with these words to its end, as `subprocess.run` would."""
    told, tells = socket.socketpair()
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors, _readable(stdin) as given, told:
        asked = json.dumps([list(words), dict(environment), str(folder)]).encode()
        with tells:
            socket.send_fds(_interpreter(), [asked], [file.fileno() for file in (given, output, errors, tells)])
        pid = _number(told)
        told.settimeout(timeout)
        try:
            code = _number(told)
        except TimeoutError as error:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired([*words], timeout) from error
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess([*words], code, output.read(), errors.read())


def _number(told: socket.socket) -> int:
    number: int
    (number,) = _NUMBER.unpack(told.recv(_NUMBER.size))
    return number


def _readable(text: str) -> IO[bytes]:
    if not text:
        return Path(os.devnull).open("rb")
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(text.encode())  # no longer than a pipe takes
    return os.fdopen(reading, "rb")


@cache
def _interpreter() -> socket.socket:
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    root = Path(__file__).resolve().parent.parent
    with its:
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(its.fileno())],
            env={**kept, "PYTHONPATH": f"{root / 'src'}:{root}"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[its.fileno()],
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def fork_on_request() -> None:
    """Return in a new process for each request, with its words, environment, folder and files; end with who asks."""
    for name in _IMPORTED:
        import_module(f"deskhand.{name}")
    gc.collect()
    gc.freeze()  # so that collections in a fork need not touch, and thus copy, what all forks share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    line = socket.socket(fileno=int(sys.argv[1]))
    while True:
        asked, files, _, _ = socket.recv_fds(line, _LONGEST, 4)
        if not asked:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            line.close()
            if (pid := os.fork()) == 0:
                break
            _tell_of(pid, files[3])
        for file in files:
            os.close(file)
    for standard in range(3):
        os.dup2(files[standard], standard)
    for file in files:
        os.close(file)
    sys.argv[1:], environment, folder = json.loads(asked)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)


def _tell_of(pid: int, tells: int) -> None:
    os.write(tells, _NUMBER.pack(pid))
    _, status = os.waitpid(pid, 0)
    os.write(tells, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)
