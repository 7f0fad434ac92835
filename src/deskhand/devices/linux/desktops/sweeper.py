"""Ends everything below this process, and removes a folder: what is left of a private desktop.

Run as a script, `sweeper.py FOLDER`, by what was the desktop's guardian until then; it imports as little as can be.
"""

from __future__ import annotations

import os
import sys
import time

SIGTERM, SIGKILL = 15, 9
GRACE = 0.15
"""Seconds that programs get between the two."""


def sweep(folder: str) -> None:
    """End every descendant, politely first, then remove what they left on disk."""
    seen: set[int] = set()
    deadline = time.monotonic() + GRACE
    polite = True
    held = set().union(*map(document_locks, descendants()))
    while alive := descendants():
        polite = polite and time.monotonic() < deadline
        for process in alive if not polite else alive - seen:
            send(process, SIGTERM if polite else SIGKILL)
        seen |= alive
        time.sleep(0.002)  # the condition is polled: every descendant is gone
        reap()
    remove_locks(seen)
    remove_document_locks(held, folder)
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


def document_locks(process: int) -> set[str]:
    """Give the files by which LibreOffice keeps others from its open documents: it has no time to remove them."""
    found: set[str] = set()
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8") as file:  # noqa: PTH123
            if not file.read().startswith("soffice"):
                return found
        for number in os.listdir(f"/proc/{process}/fd"):  # noqa: PTH208
            path, _, name = os.readlink(f"/proc/{process}/fd/{number}").rpartition("/")  # noqa: PTH115
            found.add(f"{path}/.~lock.{name}#")
    except OSError:  # it has ended meanwhile
        return found
    return found


def remove_document_locks(files: set[str], folder: str) -> None:
    """Remove those that name the profile in `folder`; others are somebody else's."""
    for name in files:
        try:
            with open(name, "rb") as file:  # noqa: PTH123
                ours = os.fsencode(f"{folder}/") in file.read()
            if ours:
                os.unlink(name)  # noqa: PTH108
        except OSError:
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
                os.spawnlp(os.P_WAIT, "umount", "umount", "--lazy", inner)
                try_to(os.rmdir, inner)
    try_to(os.rmdir, folder)


def try_to(remove_it: object, path: str) -> bool:
    try:
        remove_it(path)  # type: ignore[operator]
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sweep(sys.argv[1])
