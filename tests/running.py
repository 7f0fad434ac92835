"""Commands that run in the background, and what they have started."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.command import Started, started


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.005)


def below(root: int) -> set[int]:
    """All processes below one, zombies not counted."""
    found: set[int] = set()
    for task in Path(f"/proc/{root}/task").glob("*/children"):
        with suppress(OSError):  # it has ended
            for child in map(int, task.read_text().split()):
                found |= below(child) | ({child} if running(child) else set())
    return found


def folders_of(pids: set[int]) -> set[Path]:
    """The private folders of the desktops that processes belong to."""
    found = set()
    for pid in pids:
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        found |= {Path(os.fsdecode(word)) for word in words if word.startswith(b"/tmp/deskhand-")}
    return {Path(*folder.parts[:3]) for folder in found}


class Command:
    """A command that runs, and what it started."""

    def __init__(self, process: Started) -> None:
        self.process = process
        self.seen: set[int] = set()
        self.folders: set[Path] = set()

    def children(self) -> int:
        now = below(self.process.pid)
        self.folders |= folders_of(now)
        self.seen |= now
        return len(now)

    def ends(self, *signals: signal.Signals) -> tuple[int, float, str, str]:
        """Send signals; give exit code, seconds, stdout and stderr."""
        began = time.monotonic()
        for number in signals:
            self.process.send_signal(number)
            self.children()
        out, err = self.process.communicate(timeout=15)
        return self.process.returncode, time.monotonic() - began, out, err

    def part(self, name: str) -> int:
        """The process of a program that it has started."""
        for pid in sorted(below(self.process.pid)):  # of a shell that forks, the older one
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if os.path.basename(words[0]) == os.fsencode(name) or os.fsencode(name) in words[1:]:  # noqa: PTH119
                return pid
        return 0

    def nothing_is_left(self) -> bool:
        return not any(running(pid) for pid in self.seen) and not any(folder.exists() for folder in self.folders)


@contextmanager
def commands(home: Path) -> Iterator[Callable[..., Command]]:
    """Lend a way to begin commands; none of them outlives the block."""
    begun: list[Command] = []

    def begin(*words: str, start: Callable[..., Started] = started, **more: str) -> Command:
        begun.append(Command(start(*words, home=home, **more)))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.communicate()


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in b"ZX"
    except OSError:
        return False
