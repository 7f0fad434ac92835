from __future__ import annotations

import os
import signal
import struct
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import pytest
from xcffib.xproto import CW, EventMask, PropMode, WindowClass

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Point, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.desktops.programs import guarded
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import (
    Owner,
    active_window,
    list_windows,
    owner_at,
    pop_ups,
    window_manager,
)
from deskhand.devices.linux.windows.managing import activate, close, listens, tell
from deskhand.devices.linux.x11.display import Display

pytestmark = pytest.mark.anyio
PLACE = Box(50, 60, 350, 260)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def display() -> AsyncIterator[Display]:
    async with virtual_desktop(Size(800, 600)) as desktop:
        display = Display.open(desktop.display_name)
        yield display
        display.close()


@asynccontextmanager
async def bare_server(folder: Path, depth: int = 24) -> AsyncIterator[str]:
    """A display without a window manager."""
    reading, writing = os.pipe()
    (folder / "gone").mkdir()
    async with guarded(folder / "gone") as programs:
        with (folder / "log").open("ab") as log:
            arguments = ["/usr/bin/Xvfb", "-displayfd", "3", "-screen", "0", f"800x600x{depth}"]
            await programs.start(arguments, {"PATH": "/usr/bin"}, folder, [log.fileno(), writing])
        os.close(writing)
        line = ""
        while not line.endswith("\n"):
            await anyio.wait_readable(reading)
            line += os.read(reading, 16).decode()
        os.close(reading)
        yield f":{line.strip()}"


class Client:
    """An application of our own, drawing nothing."""

    def __init__(self, display: Display) -> None:
        self.display = Display.open(display.name)

    def window(self, title: str, *, bypass: bool = False, **properties: list[int]) -> int:
        core, number = self.display.conn.core, int(self.display.conn.generate_id())
        place = (PLACE.left, PLACE.top, PLACE.width, PLACE.height)
        kind = (0, WindowClass.InputOutput, 0, CW.OverrideRedirect, [int(bypass)])
        core.CreateWindow(24, number, self.display.root, *place, *kind)
        self.put(number, "_NET_WM_NAME", "UTF8_STRING", title.encode())
        self.put(number, "WM_CLASS", "STRING", b"client\0Client\0")
        self.put(number, "_NET_WM_PID", "CARDINAL", [os.getpid()])
        for name, value in properties.items():
            self.put(number, name, "WINDOW" if name == "WM_TRANSIENT_FOR" else "ATOM", value)
        core.MapWindow(number)
        self.display.conn.flush()
        return number

    def put(self, number: int, name: str, kind: str, value: bytes | list[int]) -> None:
        size = 8 if isinstance(value, bytes) else 32
        atoms = self.display.atoms(name, kind)
        self.display.conn.core.ChangeProperty(PropMode.Replace, number, *atoms, size, len(value), value)

    def destroy(self, number: int) -> None:
        self.display.conn.core.DestroyWindow(number)
        self.display.conn.flush()


@contextmanager
def a_client(display: Display) -> Iterator[Client]:
    client = Client(display)
    try:
        yield client
    finally:
        client.display.close()


async def appear(display: Display, *titles: str) -> list[Window]:
    """Wait until windows are there; give them in this order."""

    def found() -> list[Window]:
        there = {window.title: window for window in list_windows(display)}
        return [there[title] for title in titles] if set(titles) <= set(there) else []

    return await until(found, 10)


async def test_a_window_is_described_as_it_is(display: Display) -> None:
    with a_client(display) as client:
        number = client.window("naïve – 你好")
        (window,) = await appear(display, "naïve – 你好")
        assert await until(lambda: list_windows(display)[0].active, 5)
        (window,) = list_windows(display)

    assert window.id == hex(number)
    assert (window.app, window.pid) == ("Client", os.getpid())
    assert (window.box.width, window.box.height) == (300, 200)
    assert window.box.left >= 50
    assert window.box.top >= 60
    assert not window.minimized


async def test_a_window_belongs_to_whoever_has_made_it_whatever_it_says(display: Display) -> None:
    with a_client(display) as client:
        anonymous, remote = client.window("anonymous"), client.window("remote")
        client.display.conn.core.DeleteProperty(anonymous, display.atom("_NET_WM_PID"))
        client.put(remote, "WM_CLIENT_MACHINE", "STRING", b"elsewhere")
        client.put(remote, "_NET_WM_PID", "CARDINAL", [1])
        client.display.sync()
        found = await appear(display, "anonymous", "remote")

    assert [window.pid for window in found] == [os.getpid(), 0]


async def test_titles_are_read_in_whichever_encoding_they_are_written(display: Display) -> None:
    titles = {
        b"Gr\xf6\xdfe": "Größe",
        "Größe – 你好".encode(): "Größe – 你好",
        b"\x1b%G\xe4\xbd\xa0\x1b%@ x": "你 x",
        b"two\nlines\x07": "two lines",
    }
    with a_client(display) as client:
        for old in titles:
            client.put(client.window(""), "WM_NAME", "STRING", old)
        client.put(client.window(""), "_NET_WM_NAME", "UTF8_STRING", b"bad \xff\xfe.")
        client.put(client.window(""), "_NET_WM_NAME", "UTF8_STRING", b"x" + "é".encode() * 100_000)
        assert await appear(display, *titles.values(), "bad \ufffd\ufffd.", "x" + "é" * 2047)


async def test_the_box_is_where_the_window_is_seen(display: Display) -> None:
    with a_client(display) as client:
        client.window("here")
        await appear(display, "here")
        assert await until(lambda: active_window(display), 5)
        (window,) = list_windows(display)

        assert owner_at(display, Point(window.box.left, window.box.top)) == Owner(os.getpid(), window.id)
        assert owner_at(display, Point(window.box.right - 1, window.box.bottom - 1)) == Owner(os.getpid(), window.id)
        assert owner_at(display, Point(window.box.left, window.box.top - 1)) != Owner(os.getpid(), window.id)
        assert owner_at(display, Point(window.box.right + 50, window.box.bottom)) is None


async def test_the_topmost_window_stands_first_and_is_the_active_one(display: Display) -> None:
    with a_client(display) as client:
        client.window("below")
        await appear(display, "below")
        client.window("above")
        below, above = await appear(display, "below", "above")
        assert await until(lambda: list_windows(display)[0].id == above.id, 5)

        assert await activate(display, below.id) == below.id

        assert await until(lambda: list_windows(display)[0].id == below.id, 5)
        assert [window.active for window in list_windows(display)] == [True, False]


async def test_dialogs_name_the_window_they_belong_to(display: Display) -> None:
    with a_client(display) as client:
        main = client.window("main")
        await appear(display, "main")
        (dialog_kind,) = client.display.atoms("_NET_WM_WINDOW_TYPE_DIALOG")
        client.window("transient", WM_TRANSIENT_FOR=[main])
        client.window("of the group", WM_TRANSIENT_FOR=[display.root], _NET_WM_WINDOW_TYPE=[dialog_kind])
        client.window("kind only", _NET_WM_WINDOW_TYPE=[dialog_kind])
        found = await appear(display, "transient", "of the group", "kind only", "main")

    assert found[0].dialog_of == hex(main)
    assert all(window.dialog_of for window in found[1:3])
    assert found[3].dialog_of == ""


async def test_menus_docks_and_the_background_are_no_windows(display: Display) -> None:
    with a_client(display) as client:
        client.window("a menu", bypass=True)
        for kind in ("DOCK", "DESKTOP", "SPLASH", "NOTIFICATION"):
            client.window(kind, _NET_WM_WINDOW_TYPE=[client.display.atom(f"_NET_WM_WINDOW_TYPE_{kind}")])
        client.window("a window")
        await appear(display, "a window")

        assert [window.title for window in list_windows(display)] == ["a window"]


TK_MENU = """
import tkinter
window = tkinter.Tk()
window.geometry("200x100+50+50")
menu = tkinter.Menu(window, tearoff=False)
for name in ("One", "Two"):
    menu.add_command(label=name)
window.after(200, lambda: menu.tk_popup(400, 300))
window.mainloop()
"""


@pytest.mark.skipif(not Path("/usr/lib/python3.11/tkinter").exists(), reason="needs python3-tk")
async def test_menus_are_known_of_programs_that_do_not_say_whose_their_windows_are() -> None:
    async with virtual_desktop(Size(800, 600)) as desktop:
        pid = await desktop.start(["/usr/bin/python3", "-c", TK_MENU])
        display = Display.open(desktop.display_name)
        found = await until(lambda: pop_ups(display, pid), 10)
        there = owner_at(display, found[0].center) if found else None
        others = pop_ups(display, desktop.pids["openbox"] + 1)
        display.close()

    assert [box.left for box in found] == [400]
    assert there
    assert there.pid == pid
    assert others == ()


async def test_r074_windows_that_vanish_while_they_are_read_do_no_harm(display: Display) -> None:
    stop = threading.Event()

    def come_and_go() -> None:
        with a_client(display) as client:
            while not stop.is_set():
                numbers = [client.window(f"brief {at}") for at in range(5)]
                stop.wait(0.01)
                for number in numbers:
                    client.destroy(number)

    thread = threading.Thread(target=come_and_go)
    thread.start()
    seen = 0
    until_then = time.monotonic() + 2
    while time.monotonic() < until_then:
        seen += len(list_windows(display))
        active_window(display)
        owner_at(display, Point(100, 100))
    stop.set()
    thread.join()
    assert seen


async def test_a_window_that_is_gone_cannot_be_activated_and_says_so(display: Display) -> None:
    with a_client(display) as client:
        number = client.window("gone")
        await appear(display, "gone")
        client.destroy(number)
        await until(lambda: not list_windows(display), 5)

    started = time.monotonic()
    assert await activate(display, hex(number), 0.3) != hex(number)
    assert await close(display, hex(number), 0.3)
    assert time.monotonic() - started < 2


async def test_r075_activating_the_active_window_returns_at_once(display: Display) -> None:
    with a_client(display) as client:
        client.window("it")
        (window,) = await appear(display, "it")
        await until(lambda: active_window(display), 5)

        started = time.monotonic()
        assert await activate(display, window.id) == window.id
        assert time.monotonic() - started < 0.5


async def test_r075_a_window_manager_that_does_nothing_costs_the_deadline_and_the_truth_is_told(
    display: Display,
) -> None:
    with a_client(display) as client:
        client.window("one")
        await appear(display, "one")
        client.window("two")
        one, two = await appear(display, "one", "two")
        await until(lambda: active_window(display) == int(two.id, 16), 5)
        (owner,) = processes_of("openbox", display)
        os.kill(owner, signal.SIGSTOP)

        started = time.monotonic()
        now = await activate(display, one.id, 0.5)

        assert now == two.id
        assert 0.5 <= time.monotonic() - started < 2
        assert not await listens(display, 0.1)
        assert not await close(display, one.id, 0.3)
        os.kill(owner, signal.SIGCONT)


def processes_of(name: str, display: Display) -> list[int]:
    """Find the processes of a program that run on a display."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
            if (folder / "comm").read_text().strip() == name and f"DISPLAY={display.name}\0".encode() in environment:
                found.append(int(folder.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


async def test_a_minimized_window_is_listed_as_such_and_brought_back(display: Display) -> None:
    with a_client(display) as client:
        number = client.window("small")
        (window,) = await appear(display, "small")
        iconify(display, number)
        assert await until(lambda: list_windows(display)[0].minimized, 5)

        assert await activate(display, window.id) == window.id
        assert not list_windows(display)[0].minimized

        # It is brought up as well from another desktop.
        tell(display, display.root, display.root, "_NET_NUMBER_OF_DESKTOPS", (2,))
        tell(display, display.root, number, "_NET_WM_DESKTOP", (1, 2))
        assert await until(lambda: not active_window(display), 5)
        assert await activate(display, window.id) == window.id


def iconify(display: Display, number: int) -> None:
    event = struct.pack("=BBHII5I", 33, 32, 0, number, display.atom("WM_CHANGE_STATE"), 3, 0, 0, 0, 0)
    to_manager = EventMask.SubstructureRedirect | EventMask.SubstructureNotify
    display.conn.core.SendEvent(False, display.root, to_manager, event)
    display.conn.flush()


async def test_r075_without_a_window_manager_windows_are_listed_and_brought_up_all_the_same(tmp_path: Path) -> None:
    async with bare_server(tmp_path) as name:
        display = Display.open(name)
        assert window_manager(display) == ""
        with a_client(display) as client:
            client.window("one")
            client.window("two")
            client.window("a menu", bypass=True)
            one, _ = await appear(display, "one", "two")
            assert [window.title for window in list_windows(display)] == ["two", "one"]

            started = time.monotonic()
            assert await activate(display, one.id) == one.id
            assert [(window.title, window.active) for window in list_windows(display)] == [
                ("one", True),
                ("two", False),
            ]
            assert time.monotonic() - started < 2
        display.close()


async def test_a_display_with_few_colours_is_refused(tmp_path: Path) -> None:
    async with bare_server(tmp_path, depth=16) as name:
        with pytest.raises(DeviceError, match="colour depth of 16 bits; 24 are needed"):
            Display.open(name)


async def test_a_window_is_closed_and_one_that_does_not_want_to_is_reported(display: Display) -> None:
    with a_client(display) as client:
        number = client.window("deaf", WM_PROTOCOLS=[client.display.atom("WM_DELETE_WINDOW")])
        await appear(display, "deaf")
        assert not await close(display, hex(number), 0.3)

        other = client.window("plain")
        await appear(display, "plain")
        assert await close(display, hex(other))
