"""Waiting for something to become so."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import anyio

T = TypeVar("T")


async def until(condition: Callable[[], T], seconds: float, *, every: float = 0.004) -> T:
    """Ask again and again until the answer is true or time is up; give the last answer."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()) and time.monotonic() < deadline:  # noqa: ASYNC110 -- X and /proc tell nobody
        await anyio.sleep(every)
    return answer
