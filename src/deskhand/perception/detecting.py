"""Finding controls in pictures: what detectors give."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import NamedTuple, Protocol

from deskhand.core.geometry import Box
from deskhand.perception.options import DetectorOptions
from deskhand.perception.picture import Pixels


class Detected(NamedTuple):
    """Something in a picture: its role as elements have it, what it says or shows, and where it is."""

    role: str
    name: str
    box: Box


class Detector(Protocol):
    """Something that finds controls."""

    async def detect(self, pixels: Pixels) -> Sequence[Detected]:
        """Find what a picture shows; boxes are in its pixels.

        Raises:
            DeviceError: nothing can be found out; says why.
        """
        ...


def open_detector(options: DetectorOptions) -> AbstractAsyncContextManager[Detector]:
    """Open the detector that is set; leaving the block closes it."""
    opened: AbstractAsyncContextManager[Detector] = import_module("deskhand.perception.omniparser").opened(options)
    return opened
