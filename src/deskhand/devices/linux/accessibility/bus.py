"""A blocking D-Bus connection that keeps many calls in flight and waits for no answer beyond its deadline."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.accessibility.wire import ERROR, METHOD_RETURN, Call, Message, decode, encode, size_of

NO_REPLY = "no reply"
GONE = "gone"
_WINDOW = 300
"""How many calls are on their way at once: enough to keep an application busy, few enough for its queue."""
_BUS = "org.freedesktop.DBus"


class Failure(NamedTuple):
    """A call that was not answered: the error's name, `NO_REPLY` or `GONE`."""

    name: str
    text: str = ""


Answer = tuple[Any, ...] | Failure


class Connection:
    """A connection to a bus, or straight to an application. Not for two threads at once."""

    def __init__(self, address: str, until: float) -> None:
        """Connect and authenticate as the user of this process; `until` is a time of `time.monotonic`.

        Raises:
            DeviceError: nobody answers at `address`.
        """
        self._serial = 0
        self._received = bytearray()
        self.lost = False
        try:
            self._socket = _connect(address)
        except (OSError, ValueError) as error:
            raise _nobody(address, error) from error
        try:
            self._authenticate(until)
        except OSError as error:
            self.close()
            raise _nobody(address, error) from error

    def hello(self, until: float) -> None:
        """Introduce ourselves to a bus; an application that is talked to directly does without.

        Raises:
            DeviceError: it is no bus.
        """
        answer = self.call(Call(_BUS, "/org/freedesktop/DBus", _BUS, "Hello"), until)
        if isinstance(answer, Failure):
            raise DeviceError(f"the D-Bus daemon does not take us ({answer.name} {answer.text})")

    def call(self, call: Call, until: float) -> Answer:
        """Make one call and wait for its answer."""
        return self.calls((call,), until)[0]

    def calls(self, calls: Sequence[Call], until: float) -> list[Answer]:
        """Make calls, many at a time, and give their answers in the same order."""
        answers: list[Answer] = [Failure(GONE if self.lost else NO_REPLY)] * len(calls)
        if time.monotonic() >= until:
            return answers
        waiting: dict[int, int] = {}
        out = bytearray()
        sent = 0
        while (sent < len(calls) or waiting) and not self.lost:
            while sent < len(calls) and len(waiting) < _WINDOW:
                self._serial = self._serial % 0xFFFFFFFF + 1
                waiting[self._serial] = sent
                out += encode(calls[sent], self._serial)
                sent += 1
            if not self._exchange(out, until):
                break
            for message in self._messages():
                place = waiting.pop(message.reply_to, None)
                if place is not None:
                    answers[place] = _answer(message)
        if self.lost:
            for place in (*waiting.values(), *range(sent, len(calls))):
                answers[place] = Failure(GONE)
        elif out:
            self.close()  # half a message may be on its way: nothing can follow it
        return answers

    def close(self) -> None:
        self.lost = True
        self._socket.close()

    def _exchange(self, out: bytearray, until: float) -> bool:
        """Send and receive what can be without waiting, after waiting for something; false at the deadline."""
        left = until - time.monotonic()
        events = select.POLLIN | (select.POLLOUT if out else 0)
        poller = select.poll()
        poller.register(self._socket, events)
        ready = poller.poll(max(0, int(left * 1000) + 1)) if left > 0 else []
        if not ready:
            return False
        try:
            if ready[0][1] & select.POLLOUT:
                del out[: self._socket.send(out)]
            if ready[0][1] & ~select.POLLOUT:
                self._receive()
        except BlockingIOError:
            pass
        except OSError:
            self.close()
        return True

    def _receive(self) -> None:
        data = self._socket.recv(1 << 18)
        if not data:
            self.close()
        self._received += data

    def _messages(self) -> Iterator[Message]:
        received, at = bytes(self._received), 0
        try:
            while len(received) - at >= 16:
                end = at + size_of(received, at)
                if len(received) < end:
                    break
                yield decode(received[at:end])
                at = end
        except (ValueError, IndexError, struct.error):
            self.close()  # what follows a malformed message cannot be read either
        del self._received[:at]

    def _authenticate(self, until: float) -> None:
        self._socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        line = bytearray()
        while not line.endswith(b"\r\n"):
            if not self._exchange(bytearray(), until):
                raise TimeoutError("no answer to the authentication")
            if self.lost:
                raise ConnectionError("the connection was closed")
            line += self._received
            self._received.clear()
        if not line.startswith(b"OK"):
            raise ConnectionError(f"authentication was refused: {line.decode(errors='replace').strip()}")
        self._socket.sendall(b"BEGIN\r\n")


def _answer(message: Message) -> Answer:
    try:
        values = message.values()
    except (ValueError, IndexError, KeyError, struct.error) as error:
        return Failure("malformed", str(error))
    if message.kind == METHOD_RETURN:
        return values
    text = str(values[0]) if message.kind == ERROR and values else ""
    return Failure(message.error or "malformed", text)


def _nobody(address: str, error: Exception) -> DeviceError:
    return DeviceError(f"nobody answers at the D-Bus address {address!r} ({error})")


def _connect(address: str) -> socket.socket:
    """Open the first Unix socket of a D-Bus address that can be opened.

    Raises:
        OSError, ValueError: there is none.
    """
    problem: OSError = ConnectionError("no unix: address")
    for one in address.split(";"):
        kind, _, rest = one.partition(":")
        values = dict(part.split("=", 1) for part in rest.split(",") if "=" in part)
        place = unquote(values.get("path", "")) or "\0" + unquote(values.get("abstract", ""))
        if kind != "unix" or place == "\0":
            continue
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # A listener whose queue is full would keep `connect` waiting for ever.
        connection.setblocking(False)
        try:
            connection.connect(place)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem
