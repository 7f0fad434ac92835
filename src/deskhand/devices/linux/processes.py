"""Facts about processes, from /proc."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A process at one moment."""

    pid: int
    state: str
    """The kernel's letter: "T" is stopped, "Z" has ended and was not waited for."""
    parent: int
    session: int


def process(pid: int) -> Process | None:
    """Look at one process; None when there is none, or only its remains."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name, in brackets, may hold brackets and spaces itself.
    state, parent, _, session = text.rpartition(")")[2].split()[:4]
    return None if state in "ZX" else Process(pid, state, int(parent), int(session))


def names_within(pid: int) -> tuple[int, ...]:
    """Give the numbers that a process has in the sandboxes around it, its own one last; none when it is not ours."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
    held = next((line for line in lines if line.startswith("NSpid:")), "")
    return tuple(int(word) for word in held.split()[1:])


def running(pid: int) -> bool:
    return process(pid) is not None


def stopped(pid: int) -> bool:
    """Tell whether a process was halted, by SIGSTOP or a debugger, and cannot answer anything."""
    found = process(pid)
    return found is not None and found.state in "Tt"


def has_loaded(pid: int, parts: Iterable[str]) -> bool:
    """Tell whether a process has loaded a file with one of `parts`, in small letters, in its name; true if unknown."""
    try:
        files = Path(f"/proc/{pid}/maps").read_text("utf-8", "replace").lower()
    except OSError:  # it has ended, or is another user's
        return True
    return any(part in files for part in parts)


def processes() -> dict[int, Process]:
    """Look at all processes."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {found.pid: found for pid in pids if (found := process(pid))}


def marked(variable: str, among: Iterable[int] | None = None) -> tuple[int, ...]:
    """Give the processes, of all that there are, that were started with a variable, written as NAME=VALUE."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()) if among is None else among
    wanted = variable.encode()
    return tuple(pid for pid in pids if pid and wanted in _environment(pid) and running(pid))


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or is another user's
        return []


def family(*roots: int) -> frozenset[int]:
    """Give processes, their sessions and everything below them: what programs became after they forked."""
    everything = processes()
    found = {*roots} | {pid for pid, each in everything.items() if each.session in roots}
    while more := {pid for pid, each in everything.items() if each.parent in found and pid not in found}:
        found |= more
    return frozenset(found)
