from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import pytest
import xcffib.xkb
from anyio.streams.buffered import BufferedByteReceiveStream

from deskhand.core.geometry import Point
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.input.clipboard import Clipboard
from deskhand.devices.linux.input.keyboard import Keyboard
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.input.text import Contents
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display

APPS = Path(__file__).parent.parent / "apps"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Form:
    """The GTK form of `apps/input_form.py`, up and active."""

    process: anyio.abc.Process
    answers: BufferedByteReceiveStream
    pad: Point
    """A place on the area that logs what the pointer does."""

    async def ask(self, command: str = "state") -> dict[str, Any]:
        assert self.process.stdin
        await self.process.stdin.send(f"{command}\n".encode())
        return await self.hear()

    async def hear(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(await self.answers.receive_until(b"\n", 1 << 22))
        return answer

    async def until(self, holds: Callable[[dict[str, Any]], bool], seconds: float = 10) -> dict[str, Any]:
        """Ask until the state is as expected, or time is up; give the last state."""
        state = await self.ask()
        with anyio.move_on_after(seconds):
            while not holds(state):
                await anyio.sleep(0.005)
                state = await self.ask()
        return state

    async def text(self, field: str, expected: str) -> str:
        """Give what a field holds once it is as expected, else after a while."""
        state = await self.until(lambda s: s["texts"][field] == expected, 3)
        return str(state["texts"][field])

    async def events(self, count: int) -> list[str]:
        """Give the events once there are that many, else after a while."""
        state = await self.until(lambda s: len(s["events"]) >= count, 3)
        return list(state["events"])

    def reader(self, field: str) -> Callable[[], Any]:
        """Give what reads a field back, as an accessibility tree would."""

        async def read() -> Contents:
            state = await self.ask()
            return Contents(state["texts"][field], *state["selections"][field])

        return read


@dataclass
class Seat:
    """A private desktop with its keyboard, pointer and clipboard."""

    desktop: Desktop
    display: Display
    keyboard: Keyboard
    pointer: Pointer
    clipboard: Clipboard

    @asynccontextmanager
    async def form(self, focus: str = "pad") -> AsyncIterator[Form]:
        command = ["/usr/bin/python3", str(APPS / "input_form.py"), focus]
        async with await anyio.open_process(command, env=dict(self.desktop.environment), stderr=None) as process:
            assert process.stdout
            form = Form(process, BufferedByteReceiveStream(process.stdout), Point(0, 0))
            try:
                x, y = (await form.hear())["ready"]
                form.pad = Point(x + 30, y + 30)
                yield form
            finally:
                if process.returncode is None:
                    process.kill()

    @asynccontextmanager
    async def terminal(self, folder: Path) -> AsyncIterator[Path]:
        """Open an xterm whose `cat` writes what is typed to the file that is given."""
        file = folder / "typed"
        shell = f"stty -echo; : > {file}.ready; exec cat > {file}"
        # It may miss an answer of the window manager, and would wait for it for five seconds.
        options = ["-u8", "-xrm", "*wmTimeout: 50"]
        command = ["xterm", *options, "-e", "sh", "-c", shell]
        async with await anyio.open_process(command, env=dict(self.desktop.environment), stderr=None) as process:
            try:
                ready = Path(f"{file}.ready")
                assert await until(lambda: ready.exists() and self.active_window(), 20)
                yield file
            finally:
                if process.returncode is None:
                    process.kill()

    def active_window(self) -> int:
        asked = self.display.conn.core.GetProperty(
            False, self.display.root, self.display.atom("_NET_ACTIVE_WINDOW"), 33, 0, 1
        ).reply()
        return int(asked.value.to_atoms()[0]) if asked.value_len else 0

    async def layout(self, *layout: str) -> None:
        await anyio.run_process(["setxkbmap", "-display", self.display.name, *layout])

    async def keymap(self) -> bytes:
        """Give the whole keymap as text."""
        printed = await anyio.run_process(["xkbcomp", "-xkb", self.display.name, "-"], stderr=None)
        return printed.stdout

    def clipboard_owner(self) -> int:
        return int(self.display.conn.core.GetSelectionOwner(self.display.atom("CLIPBOARD")).reply().owner)

    def lock_group(self, group: int) -> None:
        """Switch to another of the layouts, as the user's switch in the panel does."""
        self.display.conn(xcffib.xkb.key).LatchLockState(0x100, 0, 0, True, group, 0, False, 0)
        self.display.conn.flush()

    def locked_modifiers(self) -> int:
        return int(self.display.conn(xcffib.xkb.key).GetState(0x100).reply().lockedMods)

    async def wait_for(self, file: Path, text: str) -> None:
        """Assert that a file comes to hold a text."""
        await until(lambda: file.read_text() == text, 5)
        assert file.read_text() == text

    def pressed(self) -> tuple[list[int], int]:
        """Give the bytes of keys that are down and the mask of modifiers and buttons, as the server has them."""
        keys = self.display.conn.core.QueryKeymap().reply().keys
        mask = self.display.conn.core.QueryPointer(self.display.root).reply().mask
        return [byte for byte in keys if byte], int(mask)

    async def nothing_is_down(self) -> bool:
        """Wait until no key, button or modifier is down; a window manager may hold back a release for a moment."""
        return await until(lambda: self.pressed() == ([], 0), 2)


@pytest.fixture
async def seat() -> AsyncIterator[Seat]:
    async with virtual_desktop() as desktop:
        display = Display.open(desktop.display_name)
        seat = Seat(desktop, display, Keyboard(display), Pointer(display), Clipboard(display.name))
        try:
            yield seat
        finally:
            seat.keyboard.close()
            seat.clipboard.close()
            display.close()
