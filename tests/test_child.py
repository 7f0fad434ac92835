"""Programs started as children: what they say, and that none is left when whoever wants them is cancelled."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from deskhand.core import child


def children() -> set[str]:
    return {
        pid for task in Path(f"/proc/{os.getpid()}/task").iterdir() for pid in (task / "children").read_text().split()
    }


def test_a_program_reads_what_it_is_given_and_says_how_it_ended() -> None:
    script = 'cat; printf "%s" "$WORD" >&2; exit 3'
    ended = anyio.run(lambda: child.run(["sh", "-c", script], {"WORD": "no"}, input=b"text" * 50_000))
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"text" * 50_000, b"no", 3)


def test_a_program_need_not_read_what_it_is_given() -> None:
    ended = anyio.run(lambda: child.run(["true"], input=b"text" * 500_000))
    assert (ended.stdout, ended.returncode) == (b"", 0)


@pytest.mark.parametrize("program", [["cat"], ["sleep", "60"]], ids=" ".join)
def test_nothing_is_left_of_a_program_that_is_cancelled_at_any_moment(program: list[str]) -> None:
    async def cancelled_after(runs_of_the_loop: int) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: child.run(program, input=b"text" * 50_000))
            for _ in range(runs_of_the_loop):
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()

    before = children()
    for moment in range(16):
        anyio.run(cancelled_after, moment)
        assert children() == before, f"after {moment} runs of the loop"
    gc.collect()  # tells what was left open, which fails the test
