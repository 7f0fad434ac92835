"""A small process that starts the programs of a private desktop, and ends them all when its owner is gone.

Run as a script, `guardian.py SOCKET FOLDER PARENT`, so that it costs few milliseconds: no package is imported.
Orphans of its children become its children, hence none gets away; however its owner ends, even by kill -9, the
socket is closed then.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
MNT_DETACH = 2
GRACE = 0.15
"""Seconds that programs get between SIGTERM and SIGKILL."""

LIBC = ctypes.CDLL(None, use_errno=True)


def main(socket_number: int, folder: str, owner: int) -> None:
    """Serve requests until the owner is gone, then leave nothing behind."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wake, woken = socket.socketpair()
    wake.setblocking(False)
    woken.setblocking(False)
    signal.set_wakeup_fd(woken.fileno())
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    try:
        with socket.socket(fileno=socket_number) as requests:
            serve(requests, wake, os.pidfd_open(owner))
    except OSError:
        pass  # the owner has gone in the middle of a request, or before the first
    finally:
        sweep(folder)


def serve(requests: socket.socket, wake: socket.socket, owner: int) -> None:
    poll = select.poll()
    for source in (requests.fileno(), wake.fileno(), owner):
        poll.register(source, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if wake.fileno() in ready:
            signals = wake.recv(4096)
            reap()
            if any(number != signal.SIGCHLD for number in signals):
                return
        if owner in ready:
            return
        if requests.fileno() in ready:
            message, files, _, _ = socket.recv_fds(requests, 1 << 20, 16)
            if not message:
                return
            requests.send(str(start(message, files)).encode())


def start(message: bytes, files: list[int]) -> int:
    """Start a program in its own session; `files[0]` takes its output, the others become descriptors from 3 on."""
    folder, count, *rest = message.split(b"\0")
    arguments = rest[: int(count)]
    environment = dict(entry.split(b"=", 1) for entry in rest[int(count) :] if entry)
    child = os.fork()
    if child:
        for number in files:
            os.close(number)
        return child
    try:
        os.setsid()
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        place(files)
        os.chdir(folder)
        os.execvpe(arguments[0], arguments, environment)
    except OSError as error:
        os.write(2, f"{os.fsdecode(arguments[0])}: {error}\n".encode())
    finally:
        os._exit(127)


def place(files: list[int]) -> None:
    """Put descriptors where the new program expects them; all others close themselves on exec."""
    nothing = os.open(os.devnull, os.O_RDWR)
    high = [os.dup2(number, 64 + place, inheritable=False) for place, number in enumerate([nothing, *files])]
    for target, number in zip((0, 1, *range(3, 64)), high, strict=False):
        os.dup2(number, target)
    os.dup2(1, 2)


def sweep(folder: str) -> None:
    """End every descendant, politely first, then remove what they left on disk."""
    seen: set[int] = set()
    deadline = time.monotonic() + GRACE
    polite = True
    while alive := descendants():
        polite = polite and time.monotonic() < deadline
        for process in alive if not polite else alive - seen:
            send(process, signal.SIGTERM if polite else signal.SIGKILL)
        seen |= alive
        time.sleep(0.002)  # the condition is polled: every descendant is gone
        reap()
    remove_locks(seen)
    for _ in range(2):
        remove(folder)


def send(process: int, number: int) -> None:
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return


def reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def descendants() -> set[int]:
    """Give all processes below this one, zombies not counted."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 -- pathlib would double the start-up time
        if entry.isdigit():
            state, parent = status(entry)
            if state not in "ZX":
                parents[int(entry)] = parent
    found = {os.getpid()}
    while more := {p for p, parent in parents.items() if parent in found and p not in found}:
        found |= more
    return found - {os.getpid()}


def status(process: str) -> tuple[str, int]:
    """Read a process's state letter and parent; "X" when it is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123 -- see above
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return "X", 0
    return state.decode(), int(parent)


def remove_locks(processes: set[int]) -> None:
    """Remove the lock and socket of an X server that had to be killed."""
    for name in os.listdir("/tmp"):  # noqa: PTH208
        if not (name.startswith(".X") and name.endswith("-lock")):
            continue
        try:
            with open(f"/tmp/{name}", encoding="ascii") as file:  # noqa: PTH123
                holder = int(file.read())
            if holder in processes:
                os.unlink(f"/tmp/.X11-unix/X{name[2:-5]}")  # noqa: PTH108
                os.unlink(f"/tmp/{name}")  # noqa: PTH108
        except (OSError, ValueError):
            continue


def remove(folder: str) -> None:
    """Remove a folder; a file system mounted in it (by a desktop portal, say) is taken off first."""
    for path, folders, files in os.walk(folder, topdown=False):
        for name in files:
            try_to(os.unlink, f"{path}/{name}")
        for name in folders:
            inner = f"{path}/{name}"
            if os.path.islink(inner):  # noqa: PTH114
                try_to(os.unlink, inner)
            elif not try_to(os.rmdir, inner):
                LIBC.umount2(os.fsencode(inner), MNT_DETACH)
                try_to(os.rmdir, inner)
    try_to(os.rmdir, folder)


def try_to(remove_it: object, path: str) -> bool:
    try:
        remove_it(path)  # type: ignore[operator]
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
