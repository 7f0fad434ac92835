"""Commands that upset the shell itself do not keep anybody waiting."""

from __future__ import annotations

import time
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import ActionResult, RunCommand
from deskhand.wiring import open_device

LIMIT = 20.0
"""Seconds that a command may take, of which none of these needs more than a few."""


def ran(folder: Path, *commands: str, seconds: float = LIMIT) -> tuple[list[ActionResult], float]:
    """Run commands in one shell; give what they came to, and how long the last took."""
    found = []
    took = 0.0

    async def main() -> None:
        nonlocal took
        async with open_device(f"shell:cwd={folder}") as device:
            for command in commands:
                began = time.monotonic()
                found.append(await device.perform(RunCommand(command=command, seconds=seconds)))
                took = time.monotonic() - began

    anyio.run(main)
    return found, took


@pytest.mark.parametrize(
    "command", ['echo "a', "echo 'a", "[[ a", "${", "echo ${x", "if true", "( ls", "f() {", "ls |"]
)
def test_a_command_that_is_not_whole_fails_at_once(command: str, tmp_path: Path) -> None:
    (result, after), _ = ran(tmp_path, command, "echo still here")

    assert result.outcome == "failed"
    assert result.text.startswith(("exit code 1 ", "exit code 2 "))
    assert after.value == "still here\n"


def test_a_shell_made_strict_about_variables_goes_on(tmp_path: Path) -> None:
    strict, unset, after = ran(tmp_path, "set -u", "echo $nope", "echo still ${here-here}")[0]

    assert strict.outcome == "done"
    assert unset.text.startswith("exit code 1 ")
    assert "unbound" in unset.value
    assert after.value == "still here\n"


def test_many_programs_in_the_background_do_not_delay_a_stop(tmp_path: Path) -> None:
    many = "for i in $(seq 150); do sleep 3009 & done"
    (begun, stopped), took = ran(tmp_path, many, "while :; do :; done", seconds=1)

    assert begun.outcome == "done"
    assert stopped.text.startswith("stopped"), stopped  # and the shell is still there
    assert took < 5
