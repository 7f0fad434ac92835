"""Reads a window's elements through cua-driver, run by the Python of build/peers. A peer.

`peers_cua.py PID WINDOW RUNS NAME` gives milliseconds; nothing when the element called NAME is not among what it read.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from cua_driver import CuaDriver, GetWindowStateInput  # type: ignore[import-not-found]  # build/peers has it, ours not

MOST = 20_000
"""Elements and levels it is allowed: more than there are."""


async def milliseconds(pid: int, window: int, name: str, runs: int) -> list[float]:
    driver = CuaDriver.create()
    wanted = GetWindowStateInput(
        pid=pid,
        window_id=window,
        session=None,
        query=None,
        include_accessibility_tree=True,
        include_screenshot=False,
        screenshot_out_file=None,
        max_elements=MOST,
        max_depth=100,
        max_dimension=None,
        max_image_dimension=None,
        timeout_ms=60_000,
    )
    figures = []
    try:
        for _ in range(runs):
            start = time.perf_counter()
            state = await driver.get_window_state(wanted)
            figures.append((time.perf_counter() - start) * 1000)
    finally:
        await driver.shutdown()
    found = any(element.label and name in element.label for element in state.elements or ())
    print(len(state.elements or ()), state.truncated, state.degraded_reason, file=sys.stderr)
    return figures if found else []


def main() -> None:
    pid, window, runs, name = sys.argv[1:]
    print(json.dumps(asyncio.run(milliseconds(int(pid), int(window, 16), name, int(runs)))))


if __name__ == "__main__":
    main()
