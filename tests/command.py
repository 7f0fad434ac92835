"""The command line, as a user's shell runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment(home: Path, **more: str) -> dict[str, str]:
    """A bare environment: no display, a home of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", **more}


def arguments(*words: str) -> list[str]:
    return [sys.executable, "-c", "from deskhand.cli.main import entry; entry()", *words]


def deskhand(
    *words: str, home: Path, stdin: str | None = None, timeout: float = 50, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments(*words),
        env=environment(home, **more),
        cwd=home,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
