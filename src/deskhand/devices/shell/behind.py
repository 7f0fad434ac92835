"""Processes that go on behind the shell: which they are, and that none fills the disk."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import anyio
import anyio.to_thread

from deskhand.devices.linux.processes import family, processes

EVERY = 1.0
"""Seconds between two looks at what was printed."""
LARGEST = 64 << 20
"""Bytes that a command may print."""
_LONGEST = 200


def running_behind(guardian: int, own: frozenset[int]) -> dict[int, str]:
    """Give the programs below the guardian that are none of our `own`, by process, with their command lines.

    Of those that belong together the first.
    """
    everything = processes()
    found = {}
    for pid in sorted(everything):
        above = everything[pid].parent
        while above in everything and above != guardian and above not in found:
            above = everything[above].parent
        if above == guardian and pid not in own and (line := _command_line(pid)):
            found[pid] = line
    return found


def _command_line(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return os.fsdecode(b" ".join(words)).strip()[:_LONGEST]


async def end_floods(guardian: int, folder: Path) -> None:
    """End, again and again, what runs below the guardian and prints too much into a file of `folder`."""
    while True:
        await anyio.sleep(EVERY)
        await anyio.to_thread.run_sync(_end_floods, guardian, folder)


def _end_floods(guardian: int, folder: Path) -> None:
    for file in folder.glob("output-*"):
        for pid in _writers(guardian, file) if _size(file) > LARGEST else ():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # it was removed
        return 0


def _writers(guardian: int, file: Path) -> set[int]:
    below = family(guardian) - {guardian}
    return {pid for pid in below if str(file) in (_goes_to(pid, 1), _goes_to(pid, 2))}


def _goes_to(pid: int, number: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/fd/{number}")  # noqa: PTH115 -- no path is made of it
    except OSError:  # it has ended
        return ""
