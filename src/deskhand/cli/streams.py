"""What commands answer on stdout and complain of on stderr; a reader that went away is nobody's fault."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

from deskhand.core.text import shown

_WHOLE_LINES = threading.Lock()
"""Keeps apart the threads in which the runs of a batch print what is longer than a pipe takes at once."""


def say(*lines: str) -> None:
    """Print lines for people; what is in them of windows, models and files cannot command the terminal."""
    for line in lines:
        _answer("\n".join(map(shown, line.split("\n"))))


def say_json(value: Any, indent: int | None = None) -> None:
    """Print one JSON value."""
    _answer(json.dumps(value, ensure_ascii=False, indent=indent))


def say_line(line: str) -> None:
    """Print a line that is JSON already; a reader that does not read holds up such calls and no other."""
    rest = f"{line}\n".encode(errors="replace")
    try:
        with _WHOLE_LINES:
            while rest:  # past the stream's own buffer: whoever waits there holds its lock
                rest = rest[os.write(sys.stdout.fileno(), rest) :]
    except BrokenPipeError:
        close_quietly(sys.stdout)


def complain(line: str) -> None:
    """Print one line on stderr; a terminal that is gone is not told."""
    try:
        print(f"deskhand: {shown(line)}", file=sys.stderr, flush=True)
    except OSError:
        close_quietly(sys.stderr)


def close_quietly(stream: Any) -> None:
    """Let the rest of what is printed on a stream go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _answer(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        close_quietly(sys.stdout)
