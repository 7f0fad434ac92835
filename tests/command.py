"""The command line, as a user's shell runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import warm

ROOT = Path(__file__).resolve().parent.parent
_READ_AT_START = ("PYTHON", "LANG", "LC_", "LD_")
"""Beginnings of variables that an interpreter heeds only when it is started."""
_FITS_INTO_A_PIPE = 50_000


def environment(home: Path, **more: str) -> dict[str, str]:
    """A bare environment: no display, a home of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", **more}


def arguments(*words: str) -> list[str]:
    return [sys.executable, "-c", "from deskhand.cli.main import entry; entry()", *words]


def deskhand(
    *words: str, home: Path, stdin: str | None = None, timeout: float = 50, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end: in a new interpreter where it matters, else in a fork of one that stands ready."""
    if len(stdin or "") < _FITS_INTO_A_PIPE and not any(name.startswith(_READ_AT_START) for name in more):
        return warm.ran(words, environment(home, **more), home, stdin or "", timeout)
    return anew(*words, home=home, stdin=stdin, timeout=timeout, **more)


def anew(
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
