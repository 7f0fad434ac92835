"""What the program costs before it does anything: to install, to import, to ask for help."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.row import Row

ROOT = Path(__file__).resolve().parent.parent
DESKHAND = Path(sys.executable).with_name("deskhand")
RUNS = 15


def seconds_of(*command: str | Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
    return time.perf_counter() - start


def milliseconds_of_import() -> Iterator[float]:
    return (1000 * seconds_of(sys.executable, "-c", "import deskhand") for _ in range(RUNS))


def milliseconds_of_help() -> Iterator[float]:
    return (1000 * seconds_of(DESKHAND, "--help") for _ in range(RUNS))


def megabytes_of_install() -> Iterator[float]:
    """Install into a fresh environment and add up what came; pip itself was there before."""
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        environment = Path(folder) / "env"
        seconds_of(sys.executable, "-m", "venv", environment)
        before = bytes_in(environment)
        quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
        seconds_of(environment / "bin" / "python", "-m", "pip", "install", *quiet, ROOT)
        yield (bytes_in(environment) - before) / 1e6


def bytes_in(folder: Path) -> int:
    # Running pip leaves compiled copies of pip behind, which are not ours.
    files = (path for path in folder.rglob("*") if path.suffix != ".pyc" and not path.is_symlink())
    return sum(path.stat().st_size for path in files if path.is_file())


ROWS = (
    Row("core-import", 150, "ms", milliseconds_of_import, "core"),
    Row("core-help", 300, "ms", milliseconds_of_help, "core"),
    Row("core-install", 60, "MB", megabytes_of_install, "core", trials=1),
)
