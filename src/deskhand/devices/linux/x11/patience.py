"""An end to waiting for an X server that has stopped answering: libxcb itself would wait for ever."""

from __future__ import annotations

import os
import socket
import threading
import time
import weakref
from contextlib import suppress
from typing import Any

import xcffib
import xcffib.xproto

PATIENCE = 10.0
"""Seconds that a server may take for one answer: thousands of times what it needs, for a machine that swaps."""


class Connection(xcffib.Connection):
    """A connection to an X server that breaks when an answer is overdue: whoever waits for it sees it as lost."""

    def __init__(self, server: str) -> None:
        self.server = server
        self._waiting_since = 0.0
        super().__init__(server)  # type: ignore[no-untyped-call]  # xcffib has no annotations

    def waited(self) -> float:
        """Give the seconds since the answer that is waited for now was asked for."""
        since = self._waiting_since
        return time.monotonic() - since if since else 0.0

    def wait_for_reply(self, sequence: int) -> Any:
        self._waiting_since = time.monotonic()
        try:
            return super().wait_for_reply(sequence)
        finally:
            self._waiting_since = 0.0

    def request_check(self, sequence: int) -> None:
        self._waiting_since = time.monotonic()
        try:
            super().request_check(sequence)
        finally:
            self._waiting_since = 0.0

    def disconnect(self) -> None:
        _WATCH.forget(self)
        super().disconnect()  # type: ignore[no-untyped-call]  # as above

    def break_off(self) -> None:
        """Make the thread that waits for an answer give up; called from another."""
        with suppress(OSError, xcffib.XcffibException), socket.socket(fileno=os.dup(self.get_file_descriptor())) as own:
            own.shutdown(socket.SHUT_RDWR)


def connect(name: str, patience: float = PATIENCE) -> Connection:
    """Connect to a display.

    Raises:
        xcffib.ConnectionException: nobody answers there, or not in time.
    """
    made: list[Connection] = []
    failed: list[Exception] = []

    def work() -> None:
        try:
            made.append(Connection(name))
        except (xcffib.XcffibException, UnicodeError) as error:
            failed.append(error)

    # In a thread that can be left behind: a server that is halted takes a connection and then says nothing.
    thread = threading.Thread(target=work, name=f"connecting to {name}", daemon=True)
    thread.start()
    thread.join(patience)
    if not made and not failed:
        _WATCH.give_up({name})
    if not made:
        raise failed[0] if failed else xcffib.ConnectionException(0)  # type: ignore[no-untyped-call]  # as above
    _WATCH.keep(made[0], patience)
    return made[0]


class _Watch:
    """A thread that looks after all connections of this process, while there are any."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._connections: weakref.WeakKeyDictionary[Connection, float] = weakref.WeakKeyDictionary()
        self._running = False

    def keep(self, connection: Connection, patience: float) -> None:
        with self._changed:
            self._connections[connection] = patience
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="patience with X servers", daemon=True).start()

    def forget(self, connection: Connection) -> None:
        with self._changed:
            self._connections.pop(connection, None)
            if not self._connections:
                self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while self._connections:
                self.give_up({each.server for each, patience in self._connections.items() if each.waited() > patience})
                self._changed.wait(0.5)
            self._running = False

    def give_up(self, servers: set[str]) -> None:
        """Break all connections to servers: whoever tries the next one should not have to wait again."""
        with self._changed:
            for connection in [each for each in self._connections if each.server in servers]:
                connection.break_off()


_WATCH = _Watch()
