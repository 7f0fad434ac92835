"""How hard an application works, whether or not it shows anything: a browser that loads a page draws it last."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

_CLOCK = 2
"""The clock that counts the processor time of a process, its number being the complement of the other bits."""
_BUSY = 0.5
"""The part of one processor that counts as work; what turns a spinner takes less."""


class _Spent(NamedTuple):
    """What a process and all below it have had of the processors."""

    seconds: float
    running: frozenset[int]
    """Those that are at work just now, or would be if others let them."""


class Effort:
    """Watches the processor time of a process and all below it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._at = 0.0
        self._before = _Spent(0.0, frozenset())

    def note(self) -> None:
        """Begin to count anew."""
        if self._pid:
            self._at, self._before = time.monotonic(), _spent(self._pid)

    def is_busy(self, part: float = _BUSY) -> bool:
        """Tell whether it has worked so much of the time since it was last noted, by default most.

        A fifth of that is enough for one that is at it both times, or nothing at all: others may keep it from the
        processors.
        """
        if not self._at:
            return False
        passed, now = time.monotonic() - self._at, _spent(self._pid)
        worked, at_it = now.seconds - self._before.seconds, bool(now.running & self._before.running)
        return worked >= passed * (part / 5 if at_it else part) or (at_it and worked == 0)


def _spent(pid: int) -> _Spent:
    """Ask the clocks of a process and all below it that are there now.

    What `stat` says is in hundredths of a second, and late by several of them.
    """
    pids, seconds, running = [pid], 0.0, set()
    for each in pids:
        folder = Path(f"/proc/{each}/task/{each}")
        try:
            seconds += time.clock_gettime((~each << 3) | _CLOCK)
            # Any thread can have started one; the first has in nearly all programs, and browsers have dozens.
            pids += map(int, (folder / "children").read_text().split())
            if (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "R":
                running.add(each)
        except OSError:  # it has ended meanwhile
            continue
    return _Spent(seconds, frozenset(running))
