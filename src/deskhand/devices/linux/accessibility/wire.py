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
_SIZES = struct.Struct("<III")
_START = struct.Struct("<4sIII4sI")
_NULLS = tuple(b"\0" * (8 - over) for over in range(8))
"""What ends a text and aligns what follows to 8 bytes, by how far beyond such a place the text ends."""
_ANSWERS = bytes((_REPLY_SERIAL, 1, ord("u"), 0))
_REPEATED = frozenset({"", "ss", "u"})

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
        return _reader_of_all(self.signature)(self.body)


def encode(call: Call, serial: int) -> bytes:
    """Write a method call."""
    # What is asked again and again is written once; texts are not kept, they may be secret.
    write = _after_path if call.signature in _REPEATED else _after_path.__wrapped__
    fields, body = write(*call[:1], *call[2:])
    path = call.path.encode()
    # The message's header is 16 bytes long, so what is aligned in the fields is aligned in the message.
    fields = path + _NULLS[(8 + len(path)) % 8] + fields
    start = _START.pack(b"l\1\0\1", len(body), serial, 8 + len(fields), b"\1\1o\0", len(path))
    return start + fields + b"\0" * (-len(fields) % 8) + body


@lru_cache(maxsize=1024)
def _after_path(
    destination: str, interface: str, member: str, signature: str, values: tuple[Any, ...]
) -> tuple[bytes, bytes]:
    """Write the fields that follow the path, and the body."""
    out, body = bytearray(), bytearray()
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
    for kind, value in zip(_split(signature), values, strict=True):
        _write(body, kind, value)
    return bytes(out), bytes(body)


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
    elif kind[0] == "a":
        place = len(out)
        out += b"\0\0\0\0"
        _pad(out, _ALIGNED[kind[1]])
        start = len(out)
        for item in value:
            _write(out, kind[1:], item)
        _UINT32.pack_into(out, place, len(out) - start)
    elif kind[0] == "(":
        for part, item in zip(_split(kind[1:-1]), value, strict=True):
            _write(out, part, item)
    else:
        out += struct.pack(_FIXED[kind], value)


def size_of(data: bytes, at: int = 0) -> int:
    """Tell from its first 16 bytes how long the message is that begins at `at`.

    Raises:
        ValueError: it is no little-endian D-Bus message.
    """
    if data[at] != ord("l") or data[at + 3] != 1:
        raise ValueError(f"no little-endian D-Bus message: {data[at : at + 4]!r}")
    body, _, fields = _SIZES.unpack_from(data, at + 4)
    return int(16 + (fields + 7 & ~7) + body)


def decode(data: bytes) -> Message:
    """Read a whole message, its body excepted.

    Raises:
        ValueError, IndexError, struct.error: it is malformed.
    """
    end = 16 + _UINT32.unpack_from(data, 12)[0]
    # Answers differ in the serial only; it comes first, or after the name of whom the daemon hands it to.
    at = 20 if data[16] == _REPLY_SERIAL else 28 + (_UINT32.unpack_from(data, 20)[0] + 8 & ~7)
    known = data[at - 4 : at] == _ANSWERS and data[1] in (METHOD_RETURN, ERROR)
    if known:
        reply_to, kind = _UINT32.unpack_from(data, at)[0], data[16:at] + b"\0\0\0\0" + data[at + 4 : end]
        _, error, sender, signature = _fields(kind)
    else:
        reply_to, error, sender, signature = _fields.__wrapped__(data[16:end])
    return Message(data[1], reply_to, error, sender, signature, data[end + (-end % 8) :])


@lru_cache(maxsize=1024)
def _fields(data: bytes) -> tuple[int, str, str, str]:
    """Give whom a message answers, the error's name, the sender and the signature, as its header says."""
    at, end = 0, len(data)
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
    return reply_to, error, sender, signature


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
    end = at + 2 + data[at]
    return _reader_of_variant(data[at + 1 : end - 1])(data, end)


@lru_cache(maxsize=256)
def _reader_of_variant(signature: bytes) -> _Read:
    return _reader(signature.decode("ascii", "replace"))


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
def _reader_of_all(signature: str) -> Callable[[bytes], tuple[Any, ...]]:
    reader = _struct(signature)
    return lambda data: reader(data, 0)[0]


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
    if item in ("u", "i"):
        return _numbers(item)
    if item == "s":
        return _texts

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


def _numbers(kind: str) -> _Read:
    letter = _FIXED[kind][1]

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 4
        count = _UINT32.unpack_from(data, at)[0] // 4
        return list(struct.unpack_from(f"<{count}{letter}", data, at + 4)), at + 4 + 4 * count

    return read


def _texts(data: bytes, at: int) -> tuple[Any, int]:
    at += -at % 4
    end = at + 4 + _UINT32.unpack_from(data, at)[0]
    if end > len(data):
        raise IndexError("a list goes on beyond the end of its message")
    return list(_texts_in(data[at + 4 : end])), end


@lru_cache(maxsize=256)
def _texts_in(data: bytes) -> tuple[str, ...]:
    """Read the same few lists of interfaces that all accessibles have."""
    at, found = 0, []
    while at < len(data):
        text, at = _text(data, at)
        found.append(text)
    return tuple(found)


def _reference(data: bytes, at: int) -> tuple[Any, int]:
    """Read what most answers are full of, a name on the bus and a path."""
    at = at + 7 & ~7
    bus = at + 4 + _UINT32.unpack_from(data, at)[0]
    path = (bus + 4 & ~3) + 4
    end = path + _UINT32.unpack_from(data, path - 4)[0]
    return (data[at + 4 : bus].decode("ascii", "replace"), data[path:end].decode("ascii", "replace")), end + 1


def _struct(kinds: str) -> _Read:
    if kinds == "so":
        return _reference
    readers = [_reader(kind) for kind in _split(kinds)]

    def read(data: bytes, at: int) -> tuple[Any, int]:
        at += -at % 8
        values = []
        for reader in readers:
            value, at = reader(data, at)
            values.append(value)
        return tuple(values), at

    return read
