"""How hard an application works, whether or not it shows anything: a browser that loads a page draws it last."""

from __future__ import annotations

import os
import time
from pathlib import Path

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_BUSY = 0.5
"""The part of one processor that counts as work; what turns a spinner takes less."""


class Effort:
    """Watches the processor time of a process and all below it."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._at = 0.0
        self._spent = 0.0

    def note(self) -> None:
        """Begin to count anew."""
        if self._pid:
            self._at, self._spent = time.monotonic(), _seconds(self._pid)

    def is_busy(self, part: float = _BUSY) -> bool:
        """Tell whether it has worked so much of the time since it was last noted, by default most."""
        passed = time.monotonic() - self._at
        # The kernel counts in hundredths of a second.
        return bool(self._pid and self._at) and (_seconds(self._pid) - self._spent) >= part * passed


def _seconds(pid: int) -> float:
    """Give the processor time of a process and all below it that are there now."""
    pids, ticks = [pid], 0
    for each in pids:
        folder = Path(f"/proc/{each}")
        try:
            user, system = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[11:13]
            # Any thread can have started one; the first has in nearly all programs, and browsers have dozens.
            pids += map(int, (folder / "task" / str(each) / "children").read_text().split())
        except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            continue
        ticks += int(user) + int(system)
    return ticks * _TICK
