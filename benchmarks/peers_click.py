"""Clicks buttons of a page by their names through pyatspi; run by the system's Python. A peer.

`peers_click.py PID LOG NAME...` gives the milliseconds from looking for each button, which it does not remember, until
the page's own log says that it was pressed: pyatspi itself proves nothing. Nothing when one was not pressed in time.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pyatspi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

PATIENCE = 2.0
POLL = 0.001


def milliseconds(pid: int, log: Path, name: str) -> float | None:
    applications = [each for each in pyatspi.Registry.getDesktop(0) if each and each.get_process_id() == pid]
    start = time.perf_counter()
    button = pyatspi.findDescendant(applications[0], lambda each: each.name == name)
    button.queryAction().doAction(0)
    while f"pressed={name}" not in (log.read_text("utf-8").splitlines() if log.exists() else ()):
        if time.perf_counter() - start > PATIENCE:
            return None
        time.sleep(POLL)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    pid, log, *names = sys.argv[1:]
    figures = [milliseconds(int(pid), Path(log), name) for name in names]
    print(json.dumps(figures if None not in figures else []))


if __name__ == "__main__":
    main()
