"""A private desktop: its own screen, session bus, accessibility bus and window manager, gone when we are."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anyio
import anyio.to_thread

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.core.geometry import Size
from deskhand.devices.linux.accessibility.bus import Connection, Failure
from deskhand.devices.linux.accessibility.wire import Call
from deskhand.devices.linux.applications.launch import last_words
from deskhand.devices.linux.desktops import openbox
from deskhand.devices.linux.desktops.furnishing import announce_accessibility, environment_of, furnish
from deskhand.devices.linux.desktops.packages import how_to_install
from deskhand.devices.linux.desktops.programs import GONE, Programs, guarded
from deskhand.devices.linux.desktops.together import all_of
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.spec import FULL_HD
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import manages_windows, window_manager
from deskhand.devices.linux.x11.display import Display

BACKGROUND = 0x3B5568
PATIENCE = 20.0
"""Seconds that each part may take to answer: hundreds of times what it needs, for a machine that swaps."""

PARTS = ("Xvfb", "dbus-daemon", "at-spi-bus-launcher", "openbox", "setxkbmap")
BUS_NAME = "org.freedesktop.DBus"
REGISTRY = "org.a11y.atspi.Registry"
PLACES = "/usr/local/bin:/usr/bin:/bin:/usr/libexec:/usr/lib/at-spi2-core:/usr/lib/at-spi2"


@dataclass
class Desktop:
    """A private desktop that is up."""

    display_name: str
    """What DISPLAY is set to, ":3" for example."""
    environment: Mapping[str, str]
    """For the programs that are to run on it."""
    folder: Path
    """Private; removed with the desktop. `log` in it holds what the programs printed."""
    programs: Programs
    pids: dict[str, int] = field(default_factory=dict)
    """The process of each part, by the program's name."""
    accessibility: str = ""
    """The address of its accessibility bus."""

    @property
    def log(self) -> Path:
        return self.folder / "log"

    async def start(self, arguments: Sequence[str], log: Path | None = None) -> int:
        """Start a program on this desktop and give its process id; what it prints is appended to `log`.

        Raises:
            DeviceLost: the desktop is gone.
        """
        return await _start(self.programs, arguments, self.environment, log or self.log)


@asynccontextmanager
async def virtual_desktop(
    size: Size = FULL_HD,
    *,
    layout: str = "us",
    scale: int = 1,
    environment: Mapping[str, str] | None = None,
    search_path: str = PLACES,
) -> AsyncIterator[Desktop]:
    """Bring up a desktop whose parts all answer, and take it down whatever happens.

    `layout` is an XKB layout, with its variant in brackets: "de(nodeadkeys)". `scale` enlarges toolkits' widgets.
    Of `environment`, the caller's, only search paths and language reach the desktop's programs. `search_path` is
    where the parts themselves are looked for.

    Raises:
        DeviceError: a part is missing or does not answer; names it and what to install.
    """
    found = find_programs(PARTS, search_path)
    with _room():
        folder = Path(tempfile.mkdtemp(prefix="deskhand-", dir="/tmp"))  # short: paths of sockets hold 107 bytes
    async with guarded(folder) as programs:
        with _room():
            furnish(folder)
        variables = environment_of(folder, environment or {}, scale)
        screen = [found["Xvfb"], "-screen", "0", f"{size.width}x{size.height}x24", *SCREEN]
        pid, name = await _announced(programs, screen, variables, folder / "Xvfb.log")
        desktop = Desktop(f":{name}", {**variables, "DISPLAY": f":{name}"}, folder, programs)
        desktop.pids.update({"guardian": programs.guardian_pid, "Xvfb": pid})
        await all_of(partial(_manage_windows, desktop, found, layout), partial(_connect_buses, desktop, found))
        yield desktop


@contextmanager
def _room() -> Iterator[None]:
    """Say what to do when there is no room for the files of a desktop."""
    try:
        yield
    except OSError as error:
        raise DeviceError(f"a private desktop needs room for files in /tmp ({error.strerror}); make some") from error


def _dead(program: str, log: Path, what: str = "") -> DeviceError:
    """Make the error for a part that ended, or did not answer, with what it printed."""
    advice = how_to_install([program])
    return DeviceError(f"{what or program} does not start; it printed: {last_words(log)}; try {advice} --reinstall")


SCREEN = ("-displayfd", "3", "-nolisten", "tcp", "-noreset", "-dpi", "96", "-s", "0", "-extension", "GLX")


def find_programs(names: Sequence[str], search_path: str = PLACES) -> dict[str, str]:
    """Find programs of the system.

    Raises:
        DeviceError: some are missing; says how to install them.
    """
    found = {name: shutil.which(name, path=search_path) for name in names}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise DeviceError(f"missing for a virtual desktop: {', '.join(missing)}; {how_to_install(missing)}")
    return {name: path for name, path in found.items() if path is not None}


async def _start(programs: Programs, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> int:
    try:
        output = log.open("ab")
    except FileNotFoundError as error:  # its folder went with it
        raise DeviceLost(GONE) from error
    with output:
        return await programs.start(arguments, environment, Path(environment["HOME"]), [output.fileno()])


async def _announced(
    programs: Programs, arguments: Sequence[str], environment: Mapping[str, str], log: Path
) -> tuple[int, str]:
    """Start a program that says on its descriptor 3 where it can be reached; give its process and that line."""
    reading, writing = (os.fdopen(end, mode, 0) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
    with reading:
        with writing, log.open("ab") as output:
            pid = await programs.start(arguments, environment, log.parent, [output.fileno(), writing.fileno()])
        line = b""
        with anyio.move_on_after(PATIENCE):
            line = await _line(reading.fileno())
    if not line.endswith(b"\n"):
        raise _dead(Path(arguments[0]).name, log)
    return pid, line.decode().strip()


async def _line(reading: int) -> bytes:
    """Read a line, or what there is of one when the other end is closed."""
    line = b""
    while not line.endswith(b"\n"):
        await anyio.wait_readable(reading)
        more = os.read(reading, 512)
        if not more:
            break
        line += more
    return line


async def _manage_windows(desktop: Desktop, found: Mapping[str, str], layout: str) -> None:
    display = Display.open(desktop.display_name)
    try:
        display.admit_only(os.getuid())
        display.paint(BACKGROUND)
        if layout != "us":
            await _lay_out_keys(desktop, found["setxkbmap"], layout)
        variables = openbox.environment_of(desktop.folder, desktop.environment)
        log = desktop.folder / "openbox.log"
        pid = await _start(desktop.programs, [found["openbox"], "--sm-disable"], variables, log)
        desktop.pids["openbox"] = pid
        await until(lambda: window_manager(display) or not running(pid), PATIENCE)
        if not running(pid) or not await manages_windows(display, PATIENCE):
            raise _dead("openbox", log, "the window manager openbox")
    finally:
        display.close()


async def _lay_out_keys(desktop: Desktop, program: str, layout: str) -> None:
    name, _, variant = layout.partition("(")
    arguments = [program, "-layout", name, *(["-variant", variant.rstrip(")")] if variant else [])]
    log = desktop.folder / "layout.log"
    process = await desktop.start([*arguments, "-verbose", "0"], log)
    await until(lambda: not running(process), PATIENCE)
    if log.stat().st_size:
        raise DeviceError(f"the keyboard layout {layout!r} cannot be set: {last_words(log)}")


async def _connect_buses(desktop: Desktop, found: Mapping[str, str]) -> None:
    try:
        pwd.getpwuid(os.getuid())
    except KeyError as error:  # the daemon would break the connection off without a word
        raise DeviceError(
            f"D-Bus serves only users that the system knows, and user id {os.getuid()} is not in /etc/passwd; "
            "run this as one that is"
        ) from error
    announce_accessibility(desktop.folder, found["at-spi-bus-launcher"])
    arguments = [found["dbus-daemon"], "--nofork", "--nopidfile", f"--config-file={desktop.folder}/bus.conf"]
    log = desktop.folder / "buses.log"
    pid, _ = await _announced(desktop.programs, [*arguments, "--print-address=3"], desktop.environment, log)
    desktop.pids["dbus-daemon"] = pid
    address = desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
    bus = await anyio.to_thread.run_sync(accessibility_bus, address, PATIENCE, abandon_on_cancel=True)
    if isinstance(bus, Failure):
        raise _dead("at-spi-bus-launcher", log, f"the accessibility bus ({bus.name})")
    desktop.pids["at-spi-bus-launcher"] = bus.pid
    desktop.accessibility = bus.address


class AccessibilityBus(NamedTuple):
    """The accessibility bus of a session."""

    address: str
    pid: int
    """The process that has it, and starts it."""


def accessibility_bus(address: str, seconds: float) -> AccessibilityBus | Failure:
    """Have the accessibility bus of a session started, and its registry with it. Blocks."""
    deadline = time.monotonic() + seconds
    session = Connection(address, deadline)
    try:
        session.hello(deadline)
        found = session.call(Call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"), deadline)
        owner = session.call(
            Call(BUS_NAME, "/", BUS_NAME, "GetConnectionUnixProcessID", "s", ("org.a11y.Bus",)), deadline
        )
    finally:
        session.close()
    if isinstance(found, Failure):
        return found
    if isinstance(owner, Failure):
        return owner
    bus = Connection(str(found[0]), deadline)
    try:
        bus.hello(deadline)
        started = bus.call(Call(BUS_NAME, "/", BUS_NAME, "StartServiceByName", "su", (REGISTRY, 0)), deadline)
    finally:
        bus.close()
    return started if isinstance(started, Failure) else AccessibilityBus(str(found[0]), int(owner[0]))
