"""A small process that starts the programs of a private desktop, and ends them all when its owner is gone.

Run as a script, `guardian.py SWEEPER FOLDER OWNER`, so that it costs few milliseconds: no package is imported. It
becomes a shell, which needs a twentieth of Python's memory and runs what its owner writes to its input. When that
ends, however the owner does, the sweeper takes the shell's place. All the while it is one process, and orphans of its
children become its children, hence none gets away.
"""

from __future__ import annotations

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SIGURG = 23
"""Sent when the owner ends. It does nothing until the shell heeds it; SIGTERM would end what has no trap set yet."""

WATCH = """
trap 'trap "" HUP INT TERM URG; exec "$@"' EXIT HUP INT TERM URG
n='
'
while read -r line; do eval "$line"; done
"""
"""Runs a command a line, in which `$n` stands for a line break; its arguments are what to become in the end.

Its input ends a moment before the signal comes: one that broke off what is done at the exit would leave all behind."""


def main(sweeper: str, folder: str, owner: int) -> None:
    """Become the shell; if the owner is gone already, the sweeper."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(PR_SET_PDEATHSIG, SIGURG, 0, 0, 0)
    become = [sys.executable, "-I", "-S", sweeper, folder]
    if os.getppid() != owner:
        os.execv(become[0], become)
    os.execv("/bin/sh", ["sh", "-c", WATCH, "guardian", *become])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
