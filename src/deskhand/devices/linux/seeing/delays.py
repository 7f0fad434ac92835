"""What looks and actions wait for, so that a step that took long says why."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

Cause = Literal["answers", "rest", "elements", "processor"]
_TOLD: dict[Cause, str] = {
    "answers": "for an answer of the application",
    "rest": "for the screen to rest",
    "elements": "for what the application tells of its controls",
    "processor": "for a processor, which other programs had",
}
_LEAST = 0.1
"""Seconds that are worth telling."""
_QUEUED = Path("/proc/thread-self/schedstat")


class Delays:
    """Adds up the seconds that were waited, by cause, since they were last told; causes may overlap."""

    def __init__(self) -> None:
        self._seconds: defaultdict[Cause, float] = defaultdict(float)

    def add(self, cause: Cause, seconds: float) -> None:
        self._seconds[cause] += seconds

    @contextmanager
    def timed(self, cause: Cause) -> Iterator[None]:
        """Count the time that a block takes."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.add(cause, time.monotonic() - began)

    @contextmanager
    def queued(self) -> Iterator[None]:
        """Count how long this thread is kept from the processors in a block."""
        began = _queued()
        try:
            yield
        finally:
            self.add("processor", _queued() - began)

    def told(self) -> str:
        """Say what was waited for, the longest first; "" when nothing took long. Then count anew."""
        longest = sorted(((seconds, cause) for cause, seconds in self._seconds.items()), reverse=True)
        parts = [f"{seconds:.1f} s {_TOLD[cause]}" for seconds, cause in longest if seconds >= _LEAST]
        self._seconds.clear()
        return ", ".join(parts)


def _queued() -> float:
    """Give the seconds that this thread has waited for a processor; 0 where the system does not tell."""
    try:
        return int(_QUEUED.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0
