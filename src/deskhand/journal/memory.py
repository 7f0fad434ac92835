"""A journal in memory, for tests and for runs that leave nothing behind."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from time import time

from deskhand.core.event import Event, Record, Scope
from deskhand.core.observation import Image


class MemoryJournal:
    """Keeps records in a list; `clock` gives seconds since the epoch."""

    def __init__(self, records: Sequence[Record] = (), *, clock: Callable[[], float] = time) -> None:
        self._records = list(records)
        self._clock = clock
        self._blobs: dict[str, bytes] = {}

    def append(self, event: Event, scope: Scope) -> Record:
        record = Record(seq=len(self._records) + 1, time=self._clock(), scope=scope, event=event)
        self._records.append(record)
        return record

    def records(self) -> tuple[Record, ...]:
        return tuple(self._records)

    def keep(self, data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        self._blobs[sha256] = data
        return sha256

    def read(self, image: Image) -> bytes:
        return self._blobs[image.sha256]
