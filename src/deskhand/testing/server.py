"""A model service that says what it was told to, over real HTTP on loopback.

It speaks OpenAI's chat completions and responses, Anthropic's messages and Gemini's own form; it checks and keeps all
that it is sent.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from deskhand.testing.content import Wrong
from deskhand.testing.gemini import generate
from deskhand.testing.messages import converse
from deskhand.testing.received import Received, Wire, read_request
from deskhand.testing.responses import respond
from deskhand.testing.said import Act, Say

__all__ = ["Act", "Cut", "Drip", "Fail", "Line", "Raw", "Received", "Rule", "Say", "ScriptedServer", "Stall"]

_WIRES: Mapping[str, Wire] = {"/chat/completions": "chat", "/messages": "messages", "/responses": "responses"}
GREETING = "Ollama is running"
"""What the root answers, as text: nothing an API's client can read."""


@dataclass(frozen=True)
class Fail:
    """An error in the form of the wire; `param` names the parameter that is at fault."""

    status: int
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    param: str = ""


@dataclass(frozen=True)
class Raw:
    """Any bytes with any status."""

    body: str = ""
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stall:
    """Headers, when `headers` is set, and then nothing."""

    headers: bool = True


@dataclass(frozen=True)
class Drip:
    """A reply, a byte every `every` seconds."""

    text: str
    every: float


@dataclass(frozen=True)
class Cut:
    """A reply whose connection is closed in the middle of the body."""

    text: str = "cut"


Answer = str | Mapping[str, object] | Say | Act | Fail | Raw | Stall | Drip | Cut
Line = Answer | Callable[[Received], Answer]
"""What is answered: a reply's text, or its object, or anything above, or a function of the request."""
Rule = Callable[[Received], Fail | None]
"""Refuses requests that the service does not take; a request that is refused uses no line."""


class ScriptedServer:
    """Answers with its lines in order; when they are used up, with `always`, or with 500.

    Use it as a context manager; leaving the block closes it, and raises `AssertionError` when something it was sent
    broke the rules of the wire, unless `faults` was emptied.
    """

    def __init__(
        self,
        *lines: Line,
        always: Line | None = None,
        rules: Iterable[Rule] = (),
        key: str = "",
        mount: str = "/v1",
    ) -> None:
        """With a `key`, requests without it are refused; `mount` is the path in front of `/chat/completions`."""
        self.requests: list[Received] = []
        self.faults: list[str] = []
        self.left = 0
        """How many clients went away before they had their answer."""
        self.key = key
        self.mount = mount.rstrip("/")
        self.given: dict[str, Any] = {}
        """What it gave of what a vendor wants back unchanged, by its id."""
        self._lines, self._always, self._rules = list(lines), always, tuple(rules)
        self._come = threading.Condition()  # held by the thread of one connection at a time
        self._http = _Server(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="scripted server")

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL, as a user would set it."""
        return self.root + self.mount

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._http.close()
        self._thread.join()
        if kind is None and self.faults:
            raise AssertionError("; ".join(self.faults))

    def wait_for(self, requests: int, seconds: float = 10.0) -> None:
        """Block until so many requests have come.

        Raises:
            TimeoutError: they have not, in so many seconds.
        """
        with self._come:
            if not self._come.wait_for(lambda: len(self.requests) >= requests, seconds):
                raise TimeoutError(f"{len(self.requests)} of {requests} requests came within {seconds:g} s")

    def answer(self, received: Received) -> Answer:
        """Keep a request and choose its answer."""
        with self._come:
            self.requests.append(received)
            self._come.notify_all()
            for rule in self._rules:
                if (refused := rule(received)) is not None:
                    return refused
            line = self._lines.pop(0) if self._lines else self._always
        if line is None:
            return Fail(500, "the script has no line left")
        return line(received) if callable(line) else line


class _Server(ThreadingHTTPServer):
    """One thread a connection, all ended by `close`."""

    daemon_threads = False

    def __init__(self, script: ScriptedServer) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.script = script
        self.numbers = count(1)
        self.open: set[socket.socket] = set()
        self.waker, self.closing = socket.socketpair()

    def close(self) -> None:
        self.shutdown()
        self.waker.close()  # whoever waits sees `closing` come to its end
        for connection in list(self.open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # the client was faster
        self.server_close()
        self.closing.close()

    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exception()
        if not isinstance(error, ConnectionError | ValueError):
            self.script.faults.append(f"the double itself failed: {error!r}")


def _wire_of(path: str, mount: str) -> Wire | None:
    if path.startswith(f"{mount}/models/") and path.endswith(":generateContent"):
        return "gemini"
    return _WIRES.get(path.removeprefix(mount)) if path.startswith(mount) else None


class _Left(ConnectionError):
    """The client went away, or the server is closing."""


class _Connection(BaseHTTPRequestHandler):
    """Speaks HTTP/1.1 with keep-alive; each answer leaves in one piece."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.number = next(self.server.numbers)
        self.server.open.add(self.connection)

    def finish(self) -> None:
        self.server.open.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/":
            self._send(Raw(GREETING, media_type="text/plain"))
        elif path == f"{self.server.script.mount}/models":
            self._send(Raw(json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]})))
        else:
            self._send(Raw("404 page not found", 404, "text/plain"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        url, script = urlsplit(self.path), self.server.script
        if (wire := _wire_of(url.path, script.mount)) is None:
            self._send(Raw("404 page not found", 404, "text/plain"))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        keys = [headers.get(name, "") for name in ("authorization", "api-key", "x-goog-api-key")]
        if script.key and script.key not in (keys[0][7:], *keys[1:]):
            given = next(filter(None, keys), "none")
            self._send(_error(Fail(401, f"Incorrect API key provided: {given}", code="invalid_api_key"), wire))
            return
        try:
            received = read_request(wire, url, headers, raw, (monotonic(), self.number, script.given))
        except (Wrong, KeyError, TypeError) as error:
            script.faults.append(f"{url.path}: {error}")
            self._send(_error(Fail(400, str(error)), wire))
            return
        self._give(script.answer(received), received)

    def _give(self, answer: Answer, received: Received) -> None:
        try:
            match answer:
                case Say() | Act():
                    self._wait(answer.after)
                    self._send(Raw(self._reply(answer, received)))
                case Fail():
                    self._send(_error(answer, received.wire))
                case Raw():
                    self._send(answer)
                case Stall():
                    self._stall(answer)
                case Drip():
                    self._drip(answer, self._reply(Say(answer.text), received))
                case Cut():
                    self._cut(self._reply(Say(answer.text), received))
                case str():
                    self._send(Raw(self._reply(Say(answer), received)))
                case _:
                    self._send(Raw(self._reply(Say(json.dumps(answer, ensure_ascii=False)), received)))
        except ConnectionError:
            self.server.script.left += 1
            self.close_connection = True

    def _send(self, answer: Raw) -> None:
        data = answer.body.encode()
        self._head(answer, len(data))
        self.wfile.write(data)
        self.wfile.flush()

    def _head(self, answer: Raw, length: int) -> None:
        self.send_response(answer.status)
        self.send_header("content-type", answer.media_type)
        self.send_header("content-length", str(length))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _stall(self, answer: Stall) -> None:
        if answer.headers:
            self._head(Raw(), 1000)
            self.wfile.flush()
        self._wait(None)

    def _drip(self, answer: Drip, body: str) -> None:
        data = body.encode()
        self._head(Raw(), len(data))
        for place in range(len(data)):
            self.wfile.write(data[place : place + 1])
            self.wfile.flush()
            self._wait(answer.every)

    def _cut(self, body: str) -> None:
        data = body.encode()
        self._head(Raw(), len(data))
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.close_connection = True

    def _reply(self, said: Say | Act, received: Received) -> str:
        model, given = received.model, self.server.script.given
        match received.wire:
            case "responses":
                made = respond(said, model, given)
            case "gemini":
                made = generate(said, model, given)
            case "messages":
                made = converse(said, received.body, given)
            case "chat" if isinstance(said, Act):
                raise ValueError("chat completions have no such calls; say them in words")
            case "chat":
                made = _completion(said, model)
        return json.dumps(made, ensure_ascii=False)

    def _wait(self, seconds: float | None) -> None:
        """Wait; raises `_Left` as soon as the client has gone or the server is to close."""
        if seconds != 0 and select.select([self.connection, self.server.closing], [], [], seconds)[0]:
            raise _Left


def _completion(said: Say, model: str) -> dict[str, object]:
    refusal = said.text if said.finish == "refusal" else None
    message = {"role": "assistant", "content": None if refusal else said.text, "refusal": refusal}
    finish = {"filter": "content_filter", "refusal": "stop"}.get(said.finish, said.finish)
    made: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
    }
    if said.usage is not None:
        read, written, cached = said.usage
        made["usage"] = {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
    return made


def _error(failed: Fail, wire: Wire) -> Raw:
    error: dict[str, object] = {"message": failed.message}
    if wire == "gemini":
        error |= {"code": failed.status, "status": failed.code or "INVALID_ARGUMENT"}
    elif wire == "messages":
        error["type"] = failed.code or "error"
    else:
        error |= {"type": failed.code or "error", "code": failed.code or None, "param": failed.param or None}
    body = {"error": error} if wire != "messages" else {"type": "error", "error": error}
    return Raw(json.dumps(body, ensure_ascii=False), failed.status, headers=failed.headers)
