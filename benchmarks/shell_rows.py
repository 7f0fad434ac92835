"""What a command in a shell costs above the time it takes itself."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator

import anyio

from benchmarks.row import Row
from deskhand.core.action import RunCommand
from deskhand.wiring import open_device

COMMANDS = 100


async def round_trips(folder: str) -> list[float]:
    """Run a command that takes no time, so that all of it is the way there and back, in milliseconds."""
    nothing = RunCommand(command=":")
    figures = []
    async with open_device(f"shell:cwd={folder}") as device:
        for _ in range(COMMANDS):
            began = time.perf_counter()
            result = await device.perform(nothing)
            figures.append((time.perf_counter() - began) * 1e3)
            assert result.outcome == "done", result
    return figures


def milliseconds() -> Iterator[float]:
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        yield from anyio.run(round_trips, folder)


ROWS = (Row("shell-roundtrip", 5, "ms", milliseconds, "shell"),)
