"""Two sessions do not work on the same screen: R140."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.desktops.lease import leased
from tests.command import ROOT, environment

HOLDER = """
import sys
import anyio
from deskhand.devices.linux.desktops.lease import leased
async def hold():
    async with leased(sys.argv[1], {}):
        print("held", flush=True)
        sys.stdin.read()
anyio.run(hold)
"""


def display() -> str:
    """A display of no X server, and no other test's."""
    return f"linux:display=:{70000 + os.getpid() % 20000}"


async def held(spec: str, display: str = "") -> None:
    async with leased(spec, {"DISPLAY": display}):
        pass


def test_r140_a_second_session_on_a_display_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    spec = display()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, spec],
        env=environment(tmp_path),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DeviceError, match=f"process {holder.pid}: "):
            anyio.run(held, spec)
        anyio.run(held, f"{spec}1")
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    anyio.run(held, spec)


def test_r140_the_same_display_is_known_by_its_other_names_and_let_go_after_use() -> None:
    spec = display()

    async def scene() -> None:
        async with leased(spec, {}):
            with pytest.raises(DeviceError, match=str(os.getpid())):
                await held("linux", f"{spec.partition('=')[2]}.0")
        await held(spec)

    anyio.run(scene)


def test_r140_a_session_that_is_just_ending_is_waited_for() -> None:
    spec, first = display(), anyio.Event()

    async def ending() -> None:
        async with leased(spec, {}):
            first.set()
            await anyio.sleep(0.1)  # while the other one already asks

    async def scene() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ending)
            await first.wait()
            await held(spec)

    anyio.run(scene)


def test_r140_private_desktops_are_nobody_elses() -> None:
    async def scene() -> None:
        async with leased("linux:virtual", {}):
            await held("linux:virtual")

    anyio.run(scene)
