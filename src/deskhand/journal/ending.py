"""How the screen looked when a run ended."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.core.event import Observed, Record, Snapshot
from deskhand.core.observation import Image


def last_seen(records: Iterable[Record]) -> Image | None:
    """Give the last picture that was taken; None where nothing was seen."""
    last: Image | None = None
    for record in records:
        match record.event:
            case Snapshot(image=image):
                last = image
            case Observed(observation=observation):
                last = observation.screen
    return last
