"""Pages over real HTTP on loopback, and a browser that shows them."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from deskhand.core.action import Action, ActionResult, Click, CloseWindow, OnElement, OpenApp, OpenUrl
from deskhand.core.observation import ACTIVE_WINDOW, Element, Observation, Subject
from deskhand.core.ports import Device
from deskhand.devices.browser.device import open_browser
from deskhand.perception.options import Perception

Answer = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """Serves what it is given, under any name of this machine."""

    def __init__(self) -> None:
        self.pages: dict[str, str | Answer] = {}
        self.asked: list[str] = []
        """Host and path of every request."""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(f"{self.headers['Host']}{self.path}")
                found = site.pages.get(self.path.partition("?")[0], "<title>None</title>nothing here")
                if callable(found):
                    found(self)
                else:
                    reply(self, found)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self._server.server_port}{path}"

    def page(self, html: str, path: str = "/") -> str:
        """Serve a page; give its address."""
        self.pages[path] = f"<!doctype html><meta charset=utf-8>{html}"
        return self.url(path)


def reply(request: BaseHTTPRequestHandler, body: str, **headers: str) -> None:
    data = body.encode()
    request.send_response(200)
    headers = {"Content-Type": "text/html", **{name.replace("_", "-"): value for name, value in headers.items()}}
    for name, value in {**headers, "Content-Length": str(len(data))}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(data)


def sent_on(url: str) -> Answer:
    """A redirect."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", url)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer


@dataclass
class Visitor:
    """A browser, and what was seen in it last."""

    device: Device
    seen: Observation = field(init=False)

    async def look(self, subject: Subject = ACTIVE_WINDOW) -> Observation:
        self.seen = (await self.device.observe(subject)).observation
        return self.seen

    def element(self, name: str, role: str = "") -> Element:
        found = [e for e in self.seen.elements if e.name == name and role in ("", e.role)]
        assert len(found) == 1, f"{name!r} is there {len(found)} times: {self.listed}"
        return found[0]

    @property
    def listed(self) -> list[str]:
        return [f"{e.role} {e.name!r} {e.value!r} {' '.join(e.states)}".strip() for e in self.seen.elements]

    def on(self, name: str, role: str = "") -> OnElement:
        return OnElement(id=self.element(name, role).id)

    async def do(self, action: Action, window: str = "") -> ActionResult:
        return await self.device.perform(action, window)

    async def click(self, name: str, role: str = "") -> ActionResult:
        return await self.do(Click(target=self.on(name, role)))


@asynccontextmanager
async def visiting(url: str, *options: str, perception: Perception | None = None) -> AsyncIterator[Visitor]:
    """Open a page in a browser of its own and look at it."""
    spec = f"browser:{','.join([*options, f'url={url}'])}"
    async with open_browser(spec, dict(os.environ), perception or Perception()) as device:
        visitor = Visitor(device)
        await visitor.look()
        yield visitor


Visit = Callable[[str], AbstractAsyncContextManager[Visitor]]


@asynccontextmanager
async def in_a_tab(device: Device, url: str) -> AsyncIterator[Visitor]:
    """Open a page in a new tab of a browser and look at it; close all tabs in the end."""
    visitor = Visitor(device)
    await visitor.do(OpenApp(app_name="browser"))
    await visitor.do(OpenUrl(url=url))
    await visitor.look()
    try:
        yield visitor
    finally:
        for window in (await visitor.look()).windows:
            await visitor.do(CloseWindow(window=window.id))
