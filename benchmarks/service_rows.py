"""What asking a model behind a service costs everything else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.core_rows import ROOT
from benchmarks.row import Row
from deskhand.testing.server import ScriptedServer

SPECS = ("openai:any", "anthropic:any")


def milliseconds_late() -> Iterator[float]:
    """Give how late the worst beat was beside the calls of each service, the first of a process among them."""
    with ScriptedServer(always="click(x=1, y=2)") as server:
        worst = [late(spec, server.url) for spec in SPECS]
    yield max(worst)


def late(spec: str, url: str) -> float:
    command = [sys.executable, "-m", "benchmarks.heartbeat", spec, url]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return float(done.stdout)


ROWS = (Row("models-heartbeat", 30, "ms", milliseconds_late, "models", trials=5),)
