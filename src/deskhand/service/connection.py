"""One connection of a client, which is closed when its request does not come."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST = 10.0
"""Seconds for the head of a request to arrive."""


class Connection(H11Protocol):
    """Closes itself when the head of a request is begun and not ended; uvicorn alone would wait for ever.

    Connections are counted, and a client needs no token to hold one open.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._mind_the_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._mind_the_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_be()
        super().connection_lost(exc)

    def _mind_the_head(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._let_be()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(SLOWEST, self.transport.close)

    def _let_be(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
