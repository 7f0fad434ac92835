"""Parts of a desktop that are killed, halted or short of what they need."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
import xcffib

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Size
from deskhand.devices.linux.desktops.programs import TAKEDOWN
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.patience import connect
from tests.command import arguments, environment
from tests.running import Command, below, commands, running, until

SMALL = Size(640, 480)
WRITE = ("run", 'In Mousepad, write "abc", then wait 30 seconds', "--json", "--run-dir", "run")


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    with commands(tmp_path) as begin:
        yield begin


def test_a_server_that_stops_answering_is_given_up_on_all_connections() -> None:
    async def main() -> None:
        async with virtual_desktop(SMALL) as desktop:
            waiting = connect(desktop.display_name, patience=0.5)
            other = Display.open(desktop.display_name)
            os.kill(desktop.pids["Xvfb"], signal.SIGSTOP)
            began = time.monotonic()
            with pytest.raises(xcffib.ConnectionException):
                waiting.core.GetInputFocus().reply()  # type: ignore[has-type]  # xcffib has no annotations
            with pytest.raises(DeviceError, match="does not answer any more"):
                other.sync()
            assert time.monotonic() - began < 5

    anyio.run(main)


def test_a_server_that_is_halted_is_not_waited_for_when_connecting() -> None:
    async def main() -> None:
        async with virtual_desktop(SMALL) as desktop:
            os.kill(desktop.pids["Xvfb"], signal.SIGSTOP)
            with pytest.raises(xcffib.ConnectionException):
                connect(desktop.display_name, patience=0.3)

    anyio.run(main)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_nothing_is_left_even_when_the_guardian_is_killed_or_halted(how: signal.Signals) -> None:
    pids: set[int] = set()
    folder = Path("/nonexistent")

    async def main() -> None:
        nonlocal folder
        async with virtual_desktop(SMALL) as desktop:
            pids.update(below(desktop.pids["guardian"]))
            folder = desktop.folder
            os.kill(desktop.pids["guardian"], how)

    began = time.monotonic()
    anyio.run(main)

    assert len(pids) > 3
    assert not folder.exists()
    until(lambda: not any(map(running, pids)), 3)
    assert time.monotonic() - began < TAKEDOWN + 5


@pytest.mark.parametrize("part", ["Xvfb", "guardian"])
def test_a_run_whose_desktop_is_killed_ends_with_one_clear_line_and_can_be_resumed(
    part: str, command: Callable[..., Command], tmp_path: Path
) -> None:
    run = command(*WRITE)
    events = tmp_path / "run" / "events.jsonl"
    until(lambda: events.exists() and "action.started" in events.read_text())
    run.children()
    os.kill(run.part(part), signal.SIGKILL)

    code, _, out, err = run.ends()

    assert code == 4, err
    said = json.loads(out)
    assert said["outcome"] == "error"
    assert re.search("is gone|no X server answers", said["answer"])
    assert "Traceback" not in err
    assert '"outcome":"error"' in events.read_text()
    until(run.nothing_is_left, 3)


def test_an_interruption_is_answered_while_the_server_hangs(command: Callable[..., Command], tmp_path: Path) -> None:
    run = command(*WRITE)
    events = tmp_path / "run" / "events.jsonl"
    until(lambda: events.exists() and "action.started" in events.read_text())
    run.children()
    os.kill(run.part("Xvfb"), signal.SIGSTOP)

    code, took, out, err = run.ends(signal.SIGINT, signal.SIGTERM)

    assert code == 130, err
    assert took < 4
    assert json.loads(out)["outcome"] == "interrupted"
    until(run.nothing_is_left, 3)


def test_a_few_open_files_are_enough(tmp_path: Path) -> None:
    words = subprocess.list2cmdline(arguments("look", "--device", "linux:virtual,size=640x480"))
    done = subprocess.run(
        ["bash", "-c", f"ulimit -n 40; {words}"], env=environment(tmp_path), capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("screen 640x480")
