"""The command line, as a user's shell runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.warm import COMMAND, Fork, that_says

ROOT = Path(__file__).resolve().parent.parent
Started = subprocess.Popen[str] | Fork
_READ_AT_START = ("PYTHON", "LANG", "LC_", "LD_")
"""Beginnings of variables that an interpreter heeds only when it is started."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """A bare environment: no display, a home of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", **more}


def arguments(*words: str) -> list[str]:
    return [sys.executable, "-c", COMMAND, *words]


def deskhand(
    *words: str, home: Path, stdin: str = "", timeout: float = 50, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    process = started(*words, home=home, stdin=stdin, **more)
    said, complained = process.communicate(timeout=timeout)
    return subprocess.CompletedProcess(arguments(*words), process.returncode, said, complained)


def started(*words: str, home: Path, stdin: str = "", **more: str) -> Started:
    """Start the command: in a new interpreter where it matters, else as a fork of one that stands ready."""
    if any(name.startswith(_READ_AT_START) for name in more):
        return started_anew(*words, home=home, stdin=stdin, **more)
    return Fork(words, environment(home, **more), home, stdin=stdin)


def started_anew(*words: str, home: Path, stdin: str = "", **more: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    with that_says(stdin) as given:
        return subprocess.Popen(
            arguments(*words), env=environment(home, **more), cwd=home, stdin=given, stdout=pipe, stderr=pipe, text=True
        )
