"""What our input has changed for a while, as keys that are down, and who undoes it should this process be killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress

from deskhand.devices.linux.input import releasing

RELEASING = releasing.__file__
WAIT = """
trap '' HUP INT TERM
while read -r line; do held=$line; done
[ -z "$held" ] || exec "$@" $held
"""
"""Remembers the last line, and becomes what lets go of it when no more can come; a shell, since it is there in 2 ms."""


class Held:
    """What we have pressed, lent or switched and not let go of yet: releases, as pairs that `releasing` understands.

    While there are any, a process of its own stands by; when this one ends in any way, it carries them out.
    """

    def __init__(self, display_name: str) -> None:
        self._name = display_name
        self._releases: dict[tuple[int, int], None] = {}
        self._standing_by: subprocess.Popen[bytes] | None = None

    @property
    def releases(self) -> tuple[tuple[int, int], ...]:
        """The last pressed first."""
        return tuple(reversed(self._releases))

    def add(self, releases: Iterable[tuple[int, int]]) -> None:
        """Note what is about to be done, by what will undo it."""
        self._releases |= dict.fromkeys(releases)
        self._standing_by = self._standing_by or self._start()
        self._tell(self._standing_by)

    def remove(self, releases: Iterable[tuple[int, int]]) -> None:
        """Note what has been undone."""
        for release in releases:
            self._releases.pop(release, None)
        if self._standing_by:
            self._tell(self._standing_by)
        if self._standing_by and not self._releases:
            self._standing_by.communicate()  # its input ends, and so does it
            self._standing_by = None

    def _tell(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        line = " ".join(f"{kind}:{detail}" for kind, detail in self.releases)
        with suppress(BrokenPipeError):  # somebody has ended it: all goes on without
            process.stdin.write(f"{line}\n".encode())

    def _start(self) -> subprocess.Popen[bytes]:
        command = ["/bin/sh", "-c", WAIT, "held", sys.executable, RELEASING, self._name]
        null = subprocess.DEVNULL
        # A session of its own: what ends a group of processes must not end this one.
        return subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=null, stderr=null, start_new_session=True
        )
