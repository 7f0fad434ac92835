"""How text goes from the owner of a selection to whoever asks for it (ICCCM 2), both ways."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import xcffib
import xcffib.xproto

from deskhand.devices.linux.display import Display

_PIECE = 128 * 1024
"""Bytes handed over at once; what is longer goes in pieces (INCR)."""

_READ_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING")
_UTF8_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT")
_OFFERED = ("TARGETS", "TIMESTAMP", *_UTF8_TARGETS, "STRING")
_LANDING = "DESKHAND_SELECTION"
"""The property of our window where answers arrive."""

_NAMES = (*_OFFERED, *_READ_TARGETS, "ATOM", "INTEGER", "INCR", _LANDING)
_CHANGE_PROPERTY = 18
_PROPERTY_CHANGE = xcffib.xproto.EventMask.PropertyChange


class Sender:
    """Answers requests for text that we own; `on_taken` is told the window that has received it."""

    def __init__(self, display: Display, on_taken: Callable[[int], None]) -> None:
        self._display = display
        self._core = display.conn.core
        self._atom = dict(zip(_NAMES, display.atoms(*_NAMES), strict=True))
        self._utf8 = {self._atom[name] for name in _UTF8_TARGETS}
        self._on_taken = on_taken
        self._under_way: dict[tuple[int, int], Iterator[bytes]] = {}

    def answer(self, request: Any, text: str | None, since: int) -> None:
        """Hand over what is asked for, or say that we cannot."""
        place = request.requestor, request.property or request.target  # older clients name no property
        data = self._text_as(request.target, text)
        if data is not None:
            self._hand_over(place, self._type_of(request.target), data)
        elif text is not None and request.target == self._atom["TARGETS"]:
            offered = struct.pack(f"={len(_OFFERED)}I", *(self._atom[name] for name in _OFFERED))
            self._put(place, self._atom["ATOM"], 32, offered)
        elif text is not None and request.target == self._atom["TIMESTAMP"]:
            self._put(place, self._atom["INTEGER"], 32, struct.pack("=I", since))
        else:
            place = request.requestor, 0
        notice = struct.pack(
            "=BxHIIIIIxxxxxxxx", 31, 0, request.time, request.requestor, request.selection, request.target, place[1]
        )
        self._core.SendEvent(False, request.requestor, 0, notice)
        if data is not None and place not in self._under_way:
            self._on_taken(request.requestor)

    def go_on(self, window: int, prop: int) -> None:
        """Send the next piece: the last one has been fetched."""
        pieces = self._under_way.get((window, prop))
        if pieces is None:
            return
        piece = next(pieces)
        self._put((window, prop), self._atom["UTF8_STRING"], 8, piece)
        if not piece:  # the empty one is the end
            del self._under_way[window, prop]
            self._listen(window, 0)
            self._on_taken(window)

    def _text_as(self, target: int, text: str | None) -> bytes | None:
        if text is None:
            return None
        if target in self._utf8:
            return text.encode()
        latin = text.encode("latin-1", "ignore")
        return latin if target == self._atom["STRING"] and len(latin) == len(text) else None

    def _type_of(self, target: int) -> int:
        return self._atom["UTF8_STRING"] if target == self._atom["TEXT"] else target

    def _hand_over(self, place: tuple[int, int], kind: int, data: bytes) -> None:
        if len(data) <= _PIECE:
            self._put(place, kind, 8, data)
            return
        self._under_way[place] = _pieces(data)
        self._listen(place[0], _PROPERTY_CHANGE)
        self._put(place, self._atom["INCR"], 32, struct.pack("=I", len(data)))

    def _put(self, place: tuple[int, int], kind: int, bits: int, data: bytes) -> None:
        window, prop = place
        head = struct.pack("=xB2xIIIB3xI", 0, window, prop, kind, bits, len(data) * 8 // bits)
        # By hand, since the binding packs data one byte at a time.
        self._core.send_request(_CHANGE_PROPERTY, io.BytesIO(head + data))

    def _listen(self, window: int, mask: int) -> None:
        self._core.ChangeWindowAttributes(window, xcffib.xproto.CW.EventMask, [mask])


class Reader:
    """Asks the owner of the clipboard for its text, once; `answer` gets it, or None when it has none."""

    def __init__(self, display: Display, window: int, when: int, answer: Future[str | None]) -> None:
        self._display = display
        self._core = display.conn.core
        self._atom = dict(zip(_NAMES, display.atoms(*_NAMES), strict=True))
        self._clipboard = display.atom("CLIPBOARD")
        self._window = window
        self._when = when
        self._targets = [self._atom[name] for name in _READ_TARGETS]
        self._pieces: list[bytes] | None = None
        self._answer = answer
        self._ask_for_next()

    def hear(self, notice: Any) -> None:
        """Take the owner's answer."""
        if notice.time != self._when or self._answer.done():
            return  # of a question that was given up
        if not notice.property:
            self._ask_for_next()
            return
        kind, data = self._fetch()
        if kind == self._atom["INCR"]:
            self._pieces = []
        else:
            self._finish(kind, data)

    def go_on(self) -> None:
        """Take the next piece, if it comes in pieces."""
        if self._pieces is None:
            return
        kind, data = self._fetch()
        if data:
            self._pieces.append(data)
        elif kind:
            self._finish(kind, b"".join(self._pieces))

    def give_up(self) -> None:
        """Stop listening: the owner has not answered, and a new question is to be asked."""
        if not self._answer.done():
            self._answer.set_result(None)

    def _ask_for_next(self) -> None:
        if not self._targets:
            self._answer.set_result(None)
            return
        self._core.ConvertSelection(
            self._window, self._clipboard, self._targets.pop(0), self._atom[_LANDING], self._when
        )

    def _fetch(self) -> tuple[int, bytes]:
        # Fetching deletes the property, which asks for the next piece.
        reply = self._core.GetProperty(True, self._window, self._atom[_LANDING], 0, 0, 0x1FFFFFFF).reply()
        return int(reply.type), bytes(reply.value.buf())

    def _finish(self, kind: int, data: bytes) -> None:
        self._pieces = None
        codec = "latin-1" if kind == self._atom["STRING"] else "utf-8"
        self._answer.set_result(data.decode(codec, "replace"))


def _pieces(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), _PIECE):
        yield data[start : start + _PIECE]
    yield b""
