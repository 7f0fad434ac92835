from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.accessibility.bus import GONE, NO_REPLY, Connection, Failure
from deskhand.devices.linux.accessibility.wire import Call, decode, encode, size_of

NAME = Call("org.example", "/o", "org.example.I", "Name")


@contextmanager
def peer(tmp_path: Path, answer: Callable[[socket.socket, int], None], calls: int) -> Iterator[str]:
    """Be an application that takes `calls` calls, then answers; `answer` gets the first call's serial."""
    place = tmp_path / "socket"
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(place))
    server.listen()
    done = threading.Event()

    def serve() -> None:
        line = server.accept()[0]
        with line:
            while not line.recv(4096).endswith(b"\r\n"):
                pass
            line.sendall(b"OK 1234deadbeef\r\n")
            received = b""
            while received.count(b"org.example.I") < calls:
                received += line.recv(65536)
            first = received.removeprefix(b"BEGIN\r\n")
            answer(line, struct.unpack_from("<I", first, 8)[0])
            done.wait(5)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"unix:path={place}"
    finally:
        done.set()
        thread.join()
        server.close()


def reply(serial: int, signature: str, body: bytes) -> bytes:
    fields = b"\5\1u\0" + struct.pack("<I", serial)
    fields += b"\x08\1g\0" + bytes((len(signature),)) + signature.encode() + b"\0"
    header = struct.pack("<4BIII", ord("l"), 2, 1, 1, len(body), 7, len(fields)) + fields
    return header + b"\0" * (-len(header) % 8) + body


def text(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data + b"\0"


def soon(seconds: float = 0.2) -> float:
    return time.monotonic() + seconds


Answer = Callable[[socket.socket, int], None]
Connect = Callable[..., Connection]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    with ExitStack() as stack:

        def connect(answer: Answer, calls: int = 1) -> Connection:
            line = Connection(stack.enter_context(peer(tmp_path, answer, calls)), soon(5))
            stack.callback(line.close)
            return line

        yield connect


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("s", ("naïve 你好 😀",)),
        ("ss", ("a", "")),
        ("iiu", (-1, 7, 1 << 31)),
        ("ssv", ("I", "N", ("d", 2.5))),
        ("ssv", ("I", "N", ("b", True))),
        ("isi", (1, "é", 2)),
        ("sa((so)is)", ("a", [((":1.2", "/a"), 1, "x"), ((":1.2", "/a/b"), 2, ""), ((":1.34", "/c"), 3, "yz")])),
    ],
)
def test_what_is_written_is_read_back(signature: str, body: tuple[object, ...]) -> None:
    data = encode(Call("org.example", "/some/path", "org.example.I", "M", signature, body), 3)

    assert size_of(data[:16]) == len(data)
    message = decode(data)
    plain = tuple(value[1] if isinstance(value, tuple) else value for value in body)
    assert message.values() == plain
    assert message.signature == signature


def test_answers_come_in_the_order_of_the_calls_whatever_order_they_arrive_in(connect: Connect) -> None:
    def backwards(line: socket.socket, first: int) -> None:
        for serial in (first + 2, first, first + 1):
            line.sendall(reply(serial, "s", text(f"answer {serial - first}".encode())))

    answers = connect(backwards, 3).calls((NAME, NAME, NAME), soon(5))

    assert answers == [("answer 0",), ("answer 1",), ("answer 2",)]


def test_text_that_is_not_utf_8_is_readable_and_holds_no_half_characters(connect: Connect) -> None:
    line = connect(lambda line, first: line.sendall(reply(first, "s", text(b"bad \xff\xed\xa0\x80 end"))))

    answer = line.call(NAME, soon(5))

    assert not isinstance(answer, Failure)
    assert answer[0].startswith("bad ")
    assert answer[0].endswith(" end")
    assert answer[0].encode("utf-8", "strict")


def test_silence_costs_the_deadline_and_leaves_the_line_usable(connect: Connect) -> None:
    line = connect(lambda *_: None)
    started = time.monotonic()

    assert line.call(NAME, soon(0.1)) == Failure(NO_REPLY)

    assert 0.05 < time.monotonic() - started < 1
    assert not line.lost


def test_a_line_that_is_cut_or_breaks_the_protocol_is_given_up_at_once(connect: Connect) -> None:
    line = connect(lambda line, _: line.sendall(b"x" * 64))

    assert line.calls((NAME, NAME), soon(5)) == [Failure(GONE), Failure(GONE)]
    assert line.lost
    assert line.call(NAME, soon(5)) == Failure(GONE)


def test_an_answer_that_is_not_what_its_signature_says_is_a_failure(connect: Connect) -> None:
    line = connect(lambda line, first: line.sendall(reply(first, "as", struct.pack("<I", 1 << 20))))

    answer = line.call(NAME, soon(5))

    assert isinstance(answer, Failure)
    assert answer.name == "malformed"


def test_nobody_at_an_address_is_an_error_that_names_it(tmp_path: Path) -> None:
    for address in (f"unix:path={tmp_path}/none", "tcp:host=localhost", "nonsense"):
        with pytest.raises(DeviceError, match="nobody answers at the D-Bus address"):
            Connection(address, soon())
