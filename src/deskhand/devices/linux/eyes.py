"""What is seen of a desktop beyond what its applications tell: texts and controls read off pictures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from deskhand.devices.linux.grab import Grabber
from deskhand.perception.options import Perception


class Eyes:
    """Reads pictures of one desktop."""

    def __init__(self, grabber: Grabber, options: Perception, numbers: Iterator[int]) -> None:
        self._grabber = grabber
        self._options = options
        self._numbers = numbers


@asynccontextmanager
async def open_eyes(grabber: Grabber, options: Perception, numbers: Iterator[int]) -> AsyncIterator[Eyes]:
    """Get ready to read pictures, as `options` say; ids are made of `numbers`."""
    yield Eyes(grabber, options, numbers)
