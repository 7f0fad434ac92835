"""What becomes of the keyboard when the process that uses it is killed."""

from __future__ import annotations

import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import anyio.abc
import pytest

from deskhand.devices.linux.waiting import until

if TYPE_CHECKING:
    from tests.linux.input.conftest import Seat

pytestmark = [pytest.mark.anyio, pytest.mark.device]

HOLD_FOR_EVER = """
import sys, anyio
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.input.keyboard import Keyboard

async def main():
    keyboard = Keyboard(Display.open(sys.argv[1]))
    await keyboard.down("ctrl")
    await keyboard.down("x")
    await anyio.sleep_forever()

anyio.run(main)
"""
TYPE_INTO_WHAT_HANGS = """
import sys, anyio
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.input.keyboard import Keyboard

anyio.run(Keyboard(Display.open(sys.argv[1]), patience=60).type, "ж你")
"""
CAPS_LOCK = 2


@asynccontextmanager
async def another(program: str, seat: Seat) -> AsyncIterator[anyio.abc.Process]:
    """Run a program that uses the keyboard of a seat."""
    async with await anyio.open_process([sys.executable, "-c", program, seat.display.name]) as process:
        yield process
        await process.wait()


async def comes_true(condition: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(10):
        while not await condition():
            pass


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_r044_keys_are_let_go_when_their_process_is_killed(seat: Seat, how: signal.Signals) -> None:
    async with another(HOLD_FOR_EVER, seat) as holding:
        assert await until(lambda: len(seat.pressed()[0]) > 1, 10)
        holding.send_signal(how)
    assert await seat.nothing_is_down()


async def test_keys_that_were_lent_and_caps_lock_are_given_back_when_their_process_is_killed(seat: Seat) -> None:
    async def lent() -> bool:
        return await seat.keymap() != before

    async def given_back() -> bool:
        return await seat.keymap() == before and bool(seat.locked_modifiers() & CAPS_LOCK)

    async with seat.form("view") as form:
        await seat.keyboard.press(["Caps_Lock"])
        before = await seat.keymap()
        form.process.send_signal(signal.SIGSTOP)
        async with another(TYPE_INTO_WHAT_HANGS, seat) as typing:
            await comes_true(lent)
            assert not seat.locked_modifiers() & CAPS_LOCK
            typing.kill()
        await comes_true(given_back)
