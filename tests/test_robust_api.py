"""The Python API in the hands of programs that do other things beside."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.errors import ContractError
from deskhand.core.event import Record

DESK = deskhand.Settings(device="linux:virtual,size=640x480")


def test_sessions_stand_side_by_side_and_leave_the_loop_and_its_signals_alone(tmp_path: Path) -> None:
    beats = 0
    watched = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
    before = [signal.getsignal(number) for number in watched]

    async def beat() -> None:
        nonlocal beats
        while True:
            beats += 1
            await anyio.sleep(0.005)

    async def main() -> list[str]:
        async with anyio.create_task_group() as group:
            group.start_soon(beat)
            one = deskhand.open_session("hello", settings=DESK, run_dir=tmp_path / "one")
            other = deskhand.open_session("hello", settings=DESK, run_dir=tmp_path / "other")
            async with one as first, other as second:
                outcomes = [(await session.run()).outcome.value for session in (first, second)]
            group.cancel_scope.cancel()
        return outcomes

    assert anyio.run(main) == ["failed", "failed"]
    assert beats > 5
    assert [signal.getsignal(number) for number in watched] == before


def test_a_session_runs_in_a_loop_of_another_thread(tmp_path: Path) -> None:
    results: list[str] = []

    async def main() -> None:
        results.append((await deskhand.run("hello", settings=DESK, run_dir=tmp_path / "run")).outcome.value)

    thread = threading.Thread(target=anyio.run, args=(main,))
    thread.start()
    thread.join(30)

    assert results == ["failed"]


def test_a_session_is_run_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with deskhand.open_session("hello", settings=DESK, run_dir=tmp_path / "run") as session:
            await session.run()
            with pytest.raises(ContractError, match="run already"):
                await session.run()

    anyio.run(main)


def test_a_listener_that_raises_does_not_end_the_run(tmp_path: Path) -> None:
    def fault(record: Record) -> None:
        raise ValueError(record.event.kind)

    async def main() -> str:
        done = await deskhand.run("hello", settings=DESK, run_dir=tmp_path / "run", listeners=[fault])
        return done.outcome.value

    assert anyio.run(main) == "failed"
