"""A text field in each of several toolkits, which says itself when it holds a text: what typing is judged by."""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import anyio
import anyio.abc
import anyio.to_thread
from anyio.streams.buffered import BufferedByteReceiveStream

from deskhand.core.action import OnElement, Write
from deskhand.core.observation import Element
from deskhand.devices.linux.accessibility.reader import Accessibility
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import Desktop
from deskhand.devices.linux.device import LinuxDevice
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display

APPS = Path(__file__).parent / "apps"
PATIENCE = 30.0
POLL = 0.002


class Held(NamedTuple):
    """What a field came to hold."""

    text: str
    at: float
    """Seconds of the monotonic clock when it was known to be complete; when it was read, if it never was."""
    complete: bool


class Field(Protocol):
    """A field that can be watched without Deskhand's own reading of it."""

    async def begin(self, text: str) -> None:
        """Empty the field; `text` is what it is to hold next."""

    async def held(self, seconds: float) -> Held:
        """Wait until it holds that text, at most so long."""


F = TypeVar("F", bound=Field, covariant=True)


@dataclass(frozen=True)
class Open(Generic[F]):
    """A field on the screen that has the keyboard."""

    kit: str
    field: F
    element: Element
    """As it was looked at."""

    @property
    def target(self) -> OnElement:
        return OnElement(id=self.element.id)


class Program:
    """A field of `apps/field.py`."""

    def __init__(self, process: anyio.abc.Process) -> None:
        assert process.stdin
        assert process.stdout
        self._asking = process.stdin
        self._answers = BufferedByteReceiveStream(process.stdout)
        self._expected = ""

    async def begin(self, text: str) -> None:
        self._expected = text
        await self.ask(text)
        await self.hear("cleared")

    async def held(self, seconds: float) -> Held:
        with anyio.move_on_after(seconds):
            return Held(self._expected, (await self.hear("complete"))["at"], complete=True)
        await self.ask(None)
        told = await self.hear("text")
        return Held(told["text"], told["at"], complete=told["text"] == self._expected)

    async def pressed(self) -> float:
        """Give the moment of the next press of a button over it."""
        return float((await self.hear("pressed"))["at"])

    async def ask(self, value: str | None) -> None:
        await self._asking.send(f"{json.dumps(value)}\n".encode())

    async def hear(self, what: str) -> dict[str, Any]:
        """Give the next answer of a kind; those of other kinds before it are passed over."""
        while True:
            told: dict[str, Any] = json.loads(await self._answers.receive_until(b"\n", 1 << 24))
            if told["what"] == what:
                return told


class Page:
    """The field of `apps/field.html` that has the keyboard, in a browser: first a text area.

    Tab leads on to one of one line, then to an element whose contents can be edited.
    """

    def __init__(self) -> None:
        self.asked: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.told: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._expected = ""

    async def begin(self, text: str) -> None:
        self._expected = text
        self.asked.put(text)
        await self.hear("cleared", PATIENCE)

    async def held(self, seconds: float) -> Held:
        if told := await self.hear("complete", seconds):
            return Held(self._expected, _monotonic(told["now"]), complete=True)
        self.asked.put(None)
        told = await self.hear("text", PATIENCE)
        return Held(told["text"], _monotonic(told["now"]), complete=told["text"] == self._expected)

    async def hear(self, what: str, seconds: float) -> dict[str, Any]:
        """Give the next answer of a kind, those before it passed over; an empty one when none comes in time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                told = await anyio.to_thread.run_sync(partial(self.told.get, timeout=left))
            except queue.Empty:
                break
            if told["what"] == what:
                return told
        return {}


def _monotonic(epoch_ms: float) -> float:
    return epoch_ms / 1000 - time.time() + time.monotonic()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    page: Page

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:  # the browser has been ended
            return

    def do_GET(self) -> None:
        if self.path == "/next":
            self._answer(json.dumps({"text": self.page.asked.get()}).encode(), "application/json")
        else:
            self._answer((APPS / "field.html").read_bytes(), "text/html")

    def do_POST(self) -> None:
        self.page.told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self._answer(b"", "text/plain")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Paragraph:
    """The first paragraph of a document in Writer, read by a connection of its own."""

    def __init__(self, device: LinuxDevice, tree: Accessibility, ours: Element, theirs: str) -> None:
        self._device = device
        self._tree = tree
        self._ours = ours
        self._theirs = theirs
        self._watching: threading.Thread | None = None
        self._end = threading.Event()
        self._held = Held("", 0, complete=False)

    async def begin(self, text: str) -> None:
        await self._device.perform(Write(message="", replace=True, target=OnElement(id=self._ours.id)))
        assert not await anyio.to_thread.run_sync(self._tree.text, self._theirs), "the paragraph is not empty"
        self._end.clear()
        self._watching = threading.Thread(target=self._watch, args=(text,), daemon=True)
        self._watching.start()

    async def held(self, seconds: float) -> Held:
        assert self._watching
        await anyio.to_thread.run_sync(self._watching.join, seconds)
        self._end.set()
        await anyio.to_thread.run_sync(self._watching.join)
        return self._held

    def _watch(self, text: str) -> None:
        while True:
            now = self._tree.text(self._theirs) or ""
            self._held = Held(now, time.monotonic(), complete=now == text)
            if now == text or self._end.wait(POLL):
                return


@asynccontextmanager
async def program(kit: str, desktop: Desktop, device: LinuxDevice) -> AsyncIterator[Open[Program]]:
    command = ["/usr/bin/python3", str(APPS / "field.py"), kit]
    log = (desktop.folder / "log").open("ab")
    async with await anyio.open_process(command, env=dict(desktop.environment), stderr=log) as process:
        try:
            field = Program(process)
            await field.hear("ready")
            yield Open(kit, field, await _focused(device, "textbox"))
        finally:
            if process.returncode is None:
                process.kill()
            log.close()


@asynccontextmanager
async def page(desktop: Desktop, device: LinuxDevice) -> AsyncIterator[Open[Page]]:
    field = Page()
    handler = type("Handler", (_Handler,), {"page": field})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        pid = await desktop.start(with_options(["chromium", f"--app={address}"], desktop.environment))
        try:
            yield Open("chromium", field, await _focused(device))
        finally:
            await _ended(desktop, pid)
            field.asked.put(None)
            server.shutdown()


@asynccontextmanager
async def writer(desktop: Desktop, device: LinuxDevice) -> AsyncIterator[Open[Paragraph]]:
    pid = await desktop.start(with_options(["soffice", "--writer"], desktop.environment))
    tree = Accessibility(desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
    display = Display.open(desktop.display_name)
    try:
        ours = await _focused(device, "paragraph")
        tree.connect()
        window = next(each for each in list_windows(display) if each.id == ours.window)
        theirs = next(each for each in tree.read(window, [], display.box).elements if each.role == "paragraph")
        yield Open("writer", Paragraph(device, tree, ours, theirs.id), ours)
    finally:
        tree.close()
        display.close()
        await _ended(desktop, pid)


KITS: dict[str, Callable[[Desktop, LinuxDevice], AbstractAsyncContextManager[Open[Field]]]] = {
    "gtk3": partial(program, "gtk3"),
    "gtk4": partial(program, "gtk4"),
    "qt5": partial(program, "qt5"),
    "writer": writer,
    "chromium": page,
}


async def _focused(device: LinuxDevice, role: str = "") -> Element:
    """Wait for a field that has the keyboard."""
    with anyio.fail_after(PATIENCE):
        while True:
            if found := await _with_keyboard(device, role):
                return found
            await anyio.sleep(0.02)


async def begin(opened: Open[Field], device: LinuxDevice, text: str) -> None:
    """Empty a field for a text and wait until that is seen from outside; browsers tell of it a little later."""
    await opened.field.begin(text)
    with anyio.fail_after(PATIENCE):
        while True:
            found = await _with_keyboard(device, "")
            if found and not found.value.strip():
                return
            await anyio.sleep(0.01)


async def _with_keyboard(device: LinuxDevice, role: str) -> Element | None:
    elements = (await device.observe()).observation.elements
    fields = (each for each in elements if {"focused", "editable"} <= set(each.states))
    return next((each for each in fields if role in ("", each.role)), None)


async def _ended(desktop: Desktop, pid: int) -> None:
    """End what a program has become: some hand over to another process."""
    display = Display.open(desktop.display_name)
    try:
        for each in {window.pid for window in list_windows(display)} | {pid}:
            _kill(each)
        assert await until(lambda: not list_windows(display), PATIENCE), "a window stays open"
    finally:
        display.close()


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:  # it has ended by itself
        return
