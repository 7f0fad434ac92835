"""D-Bus messages as bytes: method calls out, replies in. Little endian only, as every Linux desktop is."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

_METHOD_CALL, METHOD_RETURN, ERROR = 1, 2, 3
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _REPLY_SERIAL, _DESTINATION, _SENDER, _SIGNATURE = range(1, 9)

_FIXED = {"n": "<h", "q": "<H", "i": "<i", "u": "<I", "x": "<q", "t": "<Q", "d": "<d"}
_ALIGNED = {"y": 1, "n": 2, "q": 2, "i": 4, "u": 4, "b": 4, "x": 8, "t": 8, "d": 8, "s": 4, "o": 4, "a": 4}
_ALIGNED |= {"g": 1, "v": 1, "(": 8, "{": 8}
_UINT32 = struct.Struct("<I")

_Read = Callable[[bytes, int], tuple[Any, int]]


class Call(NamedTuple):
    """A method call; `body` holds one value for each complete type of `signature`."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()


class Message(NamedTuple):
    """A message that arrived."""

    kind: int
    reply_to: int
    """The serial of the call it answers; 0 for what is not an answer."""
    error: str
    """The name of the error it reports."""
    sender: str
    signature: str
    body: bytes

    def values(self) -> tuple[Any, ...]:
        """Read the body.

        Raises:
            ValueError, IndexError, struct.error: it is not what its signature says.
        """
        read = _reader_of_all(self.signature)
        return tuple(read(self.body))


def encode(call: Call, serial: int) -> bytes:
    """Write a method call."""
    body = b""
    if call.signature:
        out = bytearray()
        for kind, value in zip(_split(call.signature), call.body, strict=True):
            _write(out, kind, value)
        body = bytes(out)
    path = call.path.encode()
    fields = bytearray(b"\1\1o\0" + _UINT32.pack(len(path)) + path + b"\0")
    _pad(fields, 8)
    # The message's header is 16 bytes long, so what is aligned in `fields` is aligned in the message.
    fields += _other_fields(call.destination, call.interface, call.member, call.signature)
    length = len(fields)
    _pad(fields, 8)
    return struct.pack("<4BIII", ord("l"), _METHOD_CALL, 0, 1, len(body), serial, length) + bytes(fields) + body


@lru_cache(maxsize=1024)
def _other_fields(destination: str, interface: str, member: str, signature: str) -> bytes:
    out = bytearray()
    for code, kind, text in (
        (_DESTINATION, "s", destination),
        (_INTERFACE, "s", interface),
        (_MEMBER, "s", member),
        (_SIGNATURE, "g", signature),
    ):
        if text:
            _pad(out, 8)
            out += bytes((code, 1, ord(kind), 0))
            _write(out, kind, text)
    return bytes(out)


def _pad(out: bytearray, to: int) -> None:
    out += b"\0" * (-len(out) % to)


def _write(out: bytearray, kind: str, value: Any) -> None:
    _pad(out, _ALIGNED[kind[0]])
    if kind in ("s", "o"):
        data = value.encode("utf-8", "replace").replace(b"\0", b"")  # a NUL would end the connection
        out += _UINT32.pack(len(data)) + data + b"\0"
    elif kind == "g":
        out += bytes((len(value),)) + value.encode() + b"\0"
    elif kind == "b":
        out += _UINT32.pack(bool(value))
    elif kind == "v":
        inner, content = value
        _write(out, "g", inner)
        _write(out, inner, content)
    else:
        out += struct.pack(_FIXED[kind], value)


def size_of(header: bytes) -> int:
    """Tell from the first 16 bytes how long the whole message is.

    Raises:
        ValueError: it is no little-endian D-Bus message.
    """
    if header[0] != ord("l") or header[3] != 1:
        raise ValueError(f"no little-endian D-Bus message: {header[:4]!r}")
    body, _, fields = struct.unpack_from("<III", header, 4)
    return int(16 + fields + (-fields % 8) + body)


def decode(data: bytes) -> Message:
    """Read a whole message, its body excepted.

    Raises:
        ValueError, IndexError, struct.error: it is malformed.
    """
    length = _UINT32.unpack_from(data, 12)[0]
    at, end = 16, 16 + length
    reply_to, error, sender, signature = 0, "", "", ""
    while at < end:
        at += -at % 8
        code, kind = data[at], data[at + 2]
        at += 4
        if kind == ord("u"):
            number, at = _UINT32.unpack_from(data, at)[0], at + 4
            reply_to = number if code == _REPLY_SERIAL else reply_to
            continue
        text, at = _text_short(data, at) if kind == ord("g") else _text(data, at)
        if code == _ERROR_NAME:
            error = text
        elif code == _SENDER:
            sender = text
        elif code == _SIGNATURE:
            signature = text
    return Message(data[1], reply_to, error, sender, signature, data[end + (-end % 8) :])


def _text(data: bytes, at: int) -> tuple[str, int]:
    at += -at % 4
    length = _UINT32.unpack_from(data, at)[0]
    at += 4
    # Toolkits do send broken UTF-8; a replacement character keeps the rest readable.
    return data[at : at + length].decode("utf-8", "replace"), at + length + 1


def _text_short(data: bytes, at: int) -> tuple[str, int]:
    length = data[at]
    return data[at + 1 : at + 1 + length].decode("ascii", "replace"), at + length + 2


def _variant(data: bytes, at: int) -> tuple[Any, int]:
    signature, at = _text_short(data, at)
    return _reader(signature)(data, at)


def _boolean(data: bytes, at: int) -> tuple[Any, int]:
    at += -at % 4
    return bool(_UINT32.unpack_from(data, at)[0]), at + 4


def _byte(data: bytes, at: int) -> tuple[Any, int]:
    return data[at], at + 1


def _split(signature: str) -> list[str]:
    """Cut a signature into its complete types."""
    kinds, at = [], 0
    while at < len(signature):
        end = _end_of(signature, at)
        kinds.append(signature[at:end])
        at = end
    return kinds


def _end_of(signature: str, at: int) -> int:
    if signature[at] == "a":
        return _end_of(signature, at + 1)
    if signature[at] not in "({":
        return at + 1
    depth = 0
    for end in range(at, len(signature)):
        depth += (signature[end] in "({") - (signature[end] in ")}")
        if not depth:
            return end + 1
    raise ValueError(f"unbalanced D-Bus signature {signature!r}")


@lru_cache(maxsize=256)
def _reader_of_all(signature: str) -> Callable[[bytes], list[Any]]:
    readers = [_reader(kind) for kind in _split(signature)]

    def read(data: bytes) -> list[Any]:
        at, values = 0, []
        for reader in readers:
            value, at = reader(data, at)
            values.append(value)
        return values

    return read


@lru_cache(maxsize=256)
def _reader(kind: str) -> _Read:
    simple: dict[str, _Read] = {
        "s": _text,
        "o": _text,
        "g": _text_short,
        "v": _variant,
        "b": _boolean,
        "y": _byte,
    }
    if kind in simple:
        return simple[kind]
    if kind[0] == "a":
        return _array(kind[1:])
    if kind[0] in "({":
        return _struct(kind[1:-1])
    return _fixed(kind)


def _fixed(kind: str) -> _Read:
    layout = struct.Struct(_FIXED[kind])
    size = layout.size

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % size
        return layout.unpack_from(data, at)[0], at + size

    return read


def _array(item: str) -> _Read:
    reader, alignment = _reader(item), _ALIGNED[item[0]]

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 4
        length = _UINT32.unpack_from(data, at)[0]
        at += 4
        at += -at % alignment
        end, values = at + length, []
        while at < end:
            value, at = reader(data, at)
            values.append(value)
        return values, at

    return read


def _struct(kinds: str) -> _Read:
    readers = [_reader(kind) for kind in _split(kinds)]

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 8
        values = []
        for reader in readers:
            value, at = reader(data, at)
            values.append(value)
        return tuple(values), at

    return read
