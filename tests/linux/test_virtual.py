from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from deskhand.core.errors import DeviceError, DeviceLost, SettingsError
from deskhand.core.geometry import Size
from deskhand.devices.linux.accessibility.bus import Connection
from deskhand.devices.linux.accessibility.wire import Call
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.processes import family, running
from deskhand.devices.linux.spec import parse_linux
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows, window_manager
from deskhand.devices.linux.x11.display import Display

APPS = Path(__file__).parent / "apps"
SMALL = Size(640, 480)
# Begins the X protocol; the first byte of the answer tells whether we may come in.
KNOCK = """
import socket, struct, sys
server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1])
server.sendall(struct.pack("<BxHHHH2x", 0x6C, 11, 0, 0, 0))
print(server.recv(8)[0])
"""

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@contextmanager
def opened(desktop: Desktop) -> Iterator[Display]:
    display = Display.open(desktop.display_name)
    try:
        yield display
    finally:
        display.close()


def remains(desktop_display: str, folder: Path, pids: list[int]) -> list[str]:
    """List what a desktop has left behind."""
    number = desktop_display.removeprefix(":")
    files = [folder, Path(f"/tmp/.X{number}-lock"), Path(f"/tmp/.X11-unix/X{number}")]
    if in_use(desktop_display):  # somebody else's desktop has been given the number
        del files[1:]
    return [str(file) for file in files if file.exists()] + [f"process {pid}" for pid in pids if running(pid)]


def in_use(display: str) -> bool:
    try:
        Display.open(display).close()
    except DeviceError:
        return False
    return True


async def test_all_parts_of_a_desktop_answer_when_it_is_there() -> None:
    async with virtual_desktop(Size(1280, 800)) as desktop:
        bus = Connection(desktop.environment["DBUS_SESSION_BUS_ADDRESS"], time.monotonic() + 5)
        bus.hello(time.monotonic() + 5)
        enabled = Call(
            "org.a11y.Bus",
            "/org/a11y/bus",
            "org.freedesktop.DBus.Properties",
            "Get",
            "ss",
            ("org.a11y.Status", "IsEnabled"),
        )

        with opened(desktop) as display:
            assert display.size == Size(1280, 800)
            assert window_manager(display) == "Openbox"
        assert bus.call(enabled, time.monotonic() + 5) == (True,)
        bus.close()


async def test_nothing_is_left_of_a_desktop_not_even_programs_that_do_not_want_to_end() -> None:
    async with virtual_desktop(SMALL) as desktop:
        place = desktop.folder / "stubborn"
        await desktop.start([sys.executable, str(APPS / "stubborn.py"), str(place)])
        await desktop.start(["galculator"])
        with opened(desktop) as display:
            assert await until(lambda: list_windows(display) and place.exists(), 20)
            frozen = list_windows(display)[0].pid
        os.kill(frozen, signal.SIGSTOP)
        pids = [*family(desktop.programs.guardian_pid), int(place.read_text())]
        assert len(pids) > 8

    assert remains(desktop.display_name, desktop.folder, pids) == []


OFFICE = """#!/bin/sh
exec 5<"$1"
echo ",me,here,now,file://$XDG_CONFIG_HOME/libreoffice/4;" >".~lock.own.odt#"
sleep 60
"""


async def test_locks_of_documents_that_were_open_go_with_the_desktop_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "soffice.bin").write_text(OFFICE)
    (tmp_path / "soffice.bin").chmod(0o755)
    for name in ("own.odt", ".~lock.other.odt#"):
        (tmp_path / name).write_text("file:///home/me/.config/libreoffice/4;")
    lock = tmp_path / ".~lock.own.odt#"
    async with virtual_desktop(SMALL) as desktop:
        command = f"cd '{tmp_path}' && exec ./soffice.bin own.odt"
        await desktop.start(["sh", "-c", command])
        assert await until(lambda: lock.exists() and lock.read_text(), 5)

    assert sorted(file.name for file in tmp_path.iterdir()) == [".~lock.other.odt#", "own.odt", "soffice.bin"]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=["kill -9", "TERM", "Ctrl-C"])
async def test_nothing_is_left_of_a_desktop_whose_owner_is_killed(end: signal.Signals) -> None:
    owner = await anyio.open_process([sys.executable, str(APPS / "owner.py")], stderr=None)
    async with owner:
        assert owner.stdout
        line = b""
        with anyio.fail_after(30):
            while not line.endswith(b"\n"):
                line += await owner.stdout.receive()
        told: dict[str, Any] = json.loads(line)
        assert all(running(pid) for pid in told["pids"])

        owner.send_signal(end)

        await owner.wait()
    there = (told["display"], Path(told["folder"]), told["pids"])
    # Asked once: right after, somebody else's desktop may begin to come up under that number.
    assert await until(lambda: not remains(*there), 10), remains(*there)


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.08, 0.12])
async def test_nothing_is_left_of_a_desktop_whose_owner_is_killed_while_it_comes_up(delay: float) -> None:
    owner = await anyio.open_process([sys.executable, str(APPS / "owner.py")], stderr=None)
    async with owner:

        def begun() -> tuple[int, Path] | None:
            """Find the guardian, and the folder that it keeps."""
            for pid in family(owner.pid) - {owner.pid}:
                try:
                    words = (Path("/proc") / str(pid) / "cmdline").read_bytes().decode().split("\0")
                except (FileNotFoundError, ProcessLookupError):  # it has ended since it was listed
                    continue
                if any(word.endswith("sweeper.py") for word in words):
                    return pid, next(Path(word) for word in words if word.startswith("/tmp/deskhand-"))
            return None

        found = await until(begun, 20, every=0.001)
        assert found
        guardian, folder = found
        await anyio.sleep(delay)
        pids = [guardian, *family(guardian)]
        owner.kill()

    assert await until(lambda: not folder.exists() and not any(map(running, pids)), 10)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=["TERM", "kill -9"])
async def test_a_desktop_whose_guardian_ends_is_lost(end: signal.Signals) -> None:
    async with virtual_desktop(SMALL) as desktop:
        pids = [*family(desktop.programs.guardian_pid)]

        os.kill(desktop.programs.guardian_pid, end)

        assert await until(lambda: not any(map(running, pids)), 10)
        with pytest.raises(DeviceLost, match="start anew"):
            await desktop.start(["true"])
    shutil.rmtree(desktop.folder, ignore_errors=True)  # which nobody is left to remove after kill -9


async def test_programs_get_their_words_as_they_are() -> None:
    words = ["a b", "it's\n$HOME `id` \\ \"", "", "é😀", "-n", "x=1"]
    async with virtual_desktop(SMALL) as desktop:
        log = desktop.folder / "said"
        await desktop.start(["printf", "<%s>", *words], log)
        expected = "".join(f"<{word}>" for word in words)
        assert await until(lambda: log.exists() and log.read_text() == expected, 5), log.read_text()


async def test_nothing_is_left_when_it_is_cancelled_while_it_comes_up() -> None:
    before = set(Path("/tmp").glob("deskhand-*"))
    for seconds in (0.01, 0.03, 0.06):
        with anyio.move_on_after(seconds):
            async with virtual_desktop(SMALL):
                await anyio.sleep_forever()

    assert not [folder for folder in set(Path("/tmp").glob("deskhand-*")) - before if owned_by_us(folder)]


def owned_by_us(folder: Path) -> bool:
    """Tell whether a program of ours still works in a folder; desktops of other tests come and go meanwhile."""
    below = family(os.getpid()) - {os.getpid()}
    return any(str(folder).encode() in (Path("/proc") / str(pid) / "environ").read_bytes() for pid in below)


async def test_desktops_side_by_side_know_nothing_of_each_other() -> None:
    async with virtual_desktop(SMALL) as one, virtual_desktop(SMALL) as other:
        assert one.display_name != other.display_name
        for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME"):
            assert one.environment[name] != other.environment[name]

        await one.start(["galculator"])
        with opened(one) as here, opened(other) as there:
            assert await until(lambda: list_windows(here), 20)
            assert list_windows(there) == ()


async def test_many_desktops_come_up_at_once() -> None:
    names: list[str] = []

    async def bring_up() -> None:
        async with virtual_desktop(SMALL) as desktop:
            names.append(desktop.display_name)
            await until(lambda: len(names) == 6, 20)

    async with anyio.create_task_group() as group:
        for _ in range(6):
            group.start_soon(bring_up)

    assert len(set(names)) == 6


async def test_only_its_owner_can_read_its_folder() -> None:
    async with virtual_desktop(SMALL) as desktop:
        assert desktop.folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
async def test_other_users_of_the_machine_cannot_see_the_screen() -> None:
    async with virtual_desktop(SMALL) as desktop:
        knock = ["/usr/bin/python3", "-c", KNOCK, f"/tmp/.X11-unix/X{desktop.display_name[1:]}"]
        stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *knock]
        assert (await anyio.run_process(knock)).stdout == b"1\n"
        assert (await anyio.run_process(stranger)).stdout == b"0\n"


async def test_a_missing_part_is_named_with_the_package_that_brings_it(tmp_path: Path) -> None:
    (tmp_path / "Xvfb").symlink_to("/usr/bin/Xvfb")

    with pytest.raises(DeviceError, match=r"openbox.*apt-get install .*at-spi2-core dbus openbox"):
        async with virtual_desktop(SMALL, search_path=str(tmp_path)):
            pass


@pytest.mark.parametrize("part", ["Xvfb", "dbus-daemon", "openbox", "at-spi-bus-launcher", "setxkbmap"])
async def test_a_part_that_dies_at_once_is_reported_with_its_last_words(tmp_path: Path, part: str) -> None:
    for folder in (Path("/usr/bin"), Path("/usr/libexec")):
        for name in {"Xvfb", "dbus-daemon", "at-spi-bus-launcher", "openbox", "setxkbmap", "xkbcomp"} - {part}:
            if (folder / name).exists():
                (tmp_path / name).symlink_to(folder / name)
    (tmp_path / part).write_text("#!/bin/sh\necho no memory left >&2\nexit 1\n")
    (tmp_path / part).chmod(0o755)

    with pytest.raises(DeviceError, match="no memory left"):
        async with virtual_desktop(SMALL, layout="de", search_path=str(tmp_path)):
            pass


async def test_the_layout_is_the_one_that_was_asked_for() -> None:
    async with virtual_desktop(SMALL, layout="de(nodeadkeys)") as desktop:
        shown = await anyio.run_process(["setxkbmap", "-query"], env={**desktop.environment})
    said = shown.stdout.decode()
    assert "de" in said
    assert "nodeadkeys" in said


async def test_keys_to_services_do_not_reach_the_programs_and_language_does() -> None:
    caller = {"OPENAI_API_KEY": "sk-1", "LANG": "de_DE.UTF-8", "LC_TIME": "fr_FR.UTF-8", "DISPLAY": ":99"}
    async with virtual_desktop(SMALL, environment=caller) as desktop:
        assert "sk-1" not in desktop.environment.values()
        assert desktop.environment["LANG"] == "de_DE.UTF-8"
        assert desktop.environment["LC_TIME"] == "fr_FR.UTF-8"
        assert desktop.environment["DISPLAY"] == desktop.display_name


def test_a_display_that_is_not_there_is_one_clear_line() -> None:
    with pytest.raises(DeviceError) as caught:
        Display.open(":4711")
    assert str(caught.value) == (
        "cannot open display ':4711': no X server answers there or it refuses this user; "
        "start one or use --device linux:virtual"
    )


def test_a_spec_says_which_desktop_is_meant() -> None:
    assert parse_linux("linux").display == ""
    assert parse_linux("linux:display=:7").display == ":7"
    spec = parse_linux("linux:virtual,size=1280x800,scale=2,layout=de")
    assert (spec.virtual, spec.size, spec.scale, spec.layout) == (True, Size(1280, 800), 2, "de")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("linux:virtul", "did you mean 'virtual'"),
        ("linux:virtual,sise=1x1", "did you mean 'size'"),
        ("linux:virtual,size=big", "written like 1920x1080"),
        ("linux:virtual,size=10x10", "from 200 to 16384"),
        ("linux:virtual,scale=1.5", "whole number from 1 to 4"),
        ("linux:virtual,layout=dee", "no keyboard layout 'dee'; the nearest are .*de"),
        ("linux:virtual,layout=de(nodead)", "no variant 'nodead'; the nearest are.*nodeadkeys"),
        ("linux:virtual,display=:1", "can only be said of a desktop that is there already"),
        ("linux:virtual,desktop=x", "can only be said of a desktop that is there already"),
        ("linux:desktop=x,size=800x600", "can only be said of a virtual desktop"),
        ("linux:desktop=x,display=:1", "names two desktops"),
        ("linux:desktop=", "the name of one that"),
        ("linux:size=800x600", "can only be said of a virtual desktop"),
        ("linux:display=seven", "written like :7"),
        ("linux:virtual,size=800x600,size=900x600", "stands twice"),
        ("windows", "is no Linux desktop"),
    ],
)
def test_a_wrong_spec_is_refused_with_the_nearest_that_is_right(spec: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        parse_linux(spec)
