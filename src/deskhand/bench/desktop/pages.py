"""The pages of a task, on this computer only, and the forms that are sent to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

KINDS = {"html": "text/html; charset=utf-8", "csv": "text/csv; charset=utf-8"}
LARGEST = 1_000_000


class Site(NamedTuple):
    address: str
    received: list[dict[str, str]]
    """What forms have sent, in order."""


@contextmanager
def served(pages: Mapping[str, str]) -> Iterator[Site]:
    """Serve `pages`, by their paths, until the block is left."""
    received: list[dict[str, str]] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(pages, received)) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield Site(f"http://127.0.0.1:{server.server_address[1]}", received)
        finally:
            server.shutdown()
            thread.join()


def _handler(pages: Mapping[str, str], received: list[dict[str, str]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            self._answer(pages.get(path), path.rpartition(".")[2])

        def do_POST(self) -> None:
            length = min(int(self.headers.get("Content-Length", 0)), LARGEST)
            received.append(dict(parse_qsl(self.rfile.read(length).decode("utf-8", "replace"), keep_blank_values=True)))
            self._answer("<!DOCTYPE html><title>Thank you</title><h1>Thank you, it has been received.</h1>", "html")

        def _answer(self, text: str | None, ending: str) -> None:
            body = (text or "not here").encode()
            self.send_response(200 if text is not None else 404)
            self.send_header("Content-Type", KINDS.get(ending, KINDS["html"]))
            if ending not in ("html", ""):
                self.send_header("Content-Disposition", "attachment")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
