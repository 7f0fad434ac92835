"""A shell as a device: what a command does to it, and what is left afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from deskhand.core import shell
from deskhand.core.action import Action, ActionResult, Click, CloseWindow, Hotkey, Press, RunCommand, Write
from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.observation import Observation
from deskhand.core.ports import Device
from deskhand.core.secret import Secrets
from deskhand.wiring import open_device

Work = Callable[["Shell"], Awaitable[None]]


class Shell:
    """A device and its folder, with short ways to use it."""

    def __init__(self, device: Device, folder: Path) -> None:
        self.device = device
        self.folder = folder

    async def run(
        self, command: str, seconds: float = 20, *, background: bool = False, terminal: bool = False
    ) -> ActionResult:
        action = RunCommand(command=command, seconds=seconds, background=background, terminal=terminal)
        return await self.device.perform(action)

    async def said(self, command: str) -> str:
        return (await self.run(command)).value.strip()

    async def seen(self) -> Observation:
        return (await self.device.observe()).observation

    async def told(self, name: str) -> str:
        return shell.value_of(await self.seen(), name)


@asynccontextmanager
async def opened(folder: Path, kind: str = "", secrets: Secrets | None = None) -> AsyncIterator[Shell]:
    async with open_device(f"shell:{kind}cwd={folder}", secrets) as device:
        yield Shell(device, folder)


def in_shell(folder: Path, work: Work, kind: str = "", secrets: Secrets | None = None) -> None:
    async def main() -> None:
        async with opened(folder, kind, secrets) as made:
            await work(made)

    anyio.run(main)


def alive(mark: str) -> list[int]:
    """The processes with a word in their command line."""
    entries = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [int(entry.name) for entry in entries if mark in words_of(entry)]


def words_of(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_text("utf-8", "replace").split("\0")
    except OSError:
        return []


async def becomes(condition: Callable[[], bool]) -> bool:
    """Wait until something is so, for some seconds at most."""
    with anyio.move_on_after(12):
        while not condition():  # noqa: ASYNC110 -- /proc tells nobody
            await anyio.sleep(0.02)
        return True
    return False


async def gone(mark: str) -> bool:
    return await becomes(lambda: not alive(mark))


def test_what_a_command_leaves_is_there_for_the_next(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        await it.run("mkdir sub; cd sub; export A=5; B=6; f() { echo f$1; }")

        assert await it.said("echo $A $B; f x; pwd") == f"5 6\nfx\n{tmp_path}/sub"
        assert await it.told(shell.WORKING_FOLDER) == f"{tmp_path}/sub"
        assert await it.told(shell.SESSION_FOLDER) == str(tmp_path)

    in_shell(tmp_path, work)


def test_what_happened_is_told_with_its_exit_code(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        result = await it.run("echo out; echo err >&2; (exit 7)")

        assert (result.outcome, result.value) == ("failed", "out\nerr\n")
        assert "exit code 7" in result.text
        assert await it.told(shell.EXIT_CODE) == "7"
        assert await it.told(shell.OUTPUT) == "out\nerr\n"
        assert await it.told(shell.LAST_COMMAND) == "echo out; echo err >&2; (exit 7)"
        look = await it.device.observe()
        assert look.pictures[look.observation.screen.sha256].startswith(b"\x89PNG")

    in_shell(tmp_path, work)


def test_whoever_reads_input_meets_the_end_of_it(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        assert await it.said("cat; read x; echo [$x]; python3 -c 'input()' 2>&1 | tail -1; head -1 </dev/tty") == (
            "[]\nEOFError: EOF when reading a line\nbash: /dev/tty: No such device or address"
        )

    in_shell(tmp_path, work)


@pytest.mark.parametrize(
    "command",
    [
        "sleep 3001",
        "sleep 3001; echo no",
        "(sleep 3001; echo no) | cat",
        "while :; do :; done",
        "f() { while :; do sleep 3001; done; }; g() { f; g; }; g",
        "bash -c 'trap \"\" INT TERM; while :; do :; done; : 3001'",
        "setsid sleep 3001 | cat",
        "cat /dev/zero | sleep 3001",
    ],
)
def test_a_command_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path, command: str) -> None:
    async def work(it: Shell) -> None:
        await it.run("x=kept")
        result = await it.run(command, 0.2)

        assert result.outcome == "failed"
        assert "stopped" in result.text
        assert "no" not in result.value
        assert await gone("3001")
        assert await it.said("echo $x") == "kept"

    in_shell(tmp_path, work)


def test_a_shell_that_does_not_come_back_is_replaced(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        result = await it.run("trap '' INT; while :; do sleep 0.1; done", 0.2)

        assert result.outcome == "unverified"
        assert "a new one has begun" in result.text
        assert await it.said("echo again") == "again"

    in_shell(tmp_path, work)


@pytest.mark.parametrize("command", ["exit 3", "kill -9 $$", "exec true", "set -e; false"])
def test_a_command_that_ends_its_shell_leaves_a_new_one_in_the_same_folder(tmp_path: Path, command: str) -> None:
    async def work(it: Shell) -> None:
        await it.run("mkdir sub; cd sub; x=1")
        result = await it.run(command)

        assert result.outcome == "unverified"
        assert await it.said('pwd; echo "[$x]"') == f"{tmp_path}/sub\n[]"

    in_shell(tmp_path, work)


def test_output_without_end_is_bounded(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        result = await it.run("yes")

        assert "printed more than" in result.text
        assert len(result.value) < 4000
        assert await it.said("echo on") == "on"

    in_shell(tmp_path, work)


def test_of_long_output_beginning_and_end_are_told_and_where_the_rest_is(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        value = (await it.run("seq 100000")).value

        assert value.startswith("1\n2\n")
        assert value.endswith("\n100000\n")
        assert len(value) < 4000
        kept = value.partition("all of it is in ")[2].partition(")")[0]
        assert await it.said(f"sed -n 54321p {kept}") == "54321"

    in_shell(tmp_path, work)


def test_one_enormous_line_is_bounded(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        assert len((await it.run("head -c 5000000 /dev/zero | tr '\\0' x")).value) < 4000

    in_shell(tmp_path, work)


def test_what_is_no_text_is_said_to_be_none(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        assert "3000 bytes that are no text" in await it.said("head -c 3000 /dev/urandom")
        assert await it.said(r"printf 'a\rb \033[31mred\033[0m \303 \033]0;title\007end\n'") == "b red \ufffd end"

    in_shell(tmp_path, work)


def test_a_folder_that_is_removed_under_the_shell_is_said(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        result = await it.run("mkdir sub; cd sub; rmdir ../sub")

        assert "is gone" in result.text
        assert await it.said(f"cd {tmp_path}; pwd") == str(tmp_path)

    in_shell(tmp_path, work)


def test_terminal_modes_and_names_of_our_own_do_no_harm(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        assert (await it.run("stty raw -echo")).outcome == "failed"
        await it.run("printf() { echo no; }; PS1='$(echo hi)'; exec 9>&1")
        assert "no" in await it.said("printf x")

    in_shell(tmp_path, work)


def test_a_file_that_is_there_is_not_replaced_unless_that_is_said(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        await it.run("echo a > x")

        assert (await it.run("echo b > x")).outcome == "failed"
        assert await it.said("cat x; echo b >| x; cat x") == "a\nb"

    in_shell(tmp_path, work)


def test_what_runs_in_the_background_is_told_and_spared_and_ends_with_the_session(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        started = await it.run("echo begun; exec sleep 3002", background=True)
        assert started.outcome == "done"
        assert (await it.run("sleep 3003", 0.1)).outcome == "failed"

        behind = [e.value for e in (await it.seen()).elements if e.name == shell.BACKGROUND]
        assert any("sleep 3002" in line for line in behind)
        assert await becomes(lambda: bool(alive("3002")))
        file = started.text.rpartition(" ")[2]
        assert await it.said(f"cat {file}") == "begun"
        await it.run("(setsid sleep 3002 &)")

    in_shell(tmp_path, work)

    assert not alive("3002")


def test_what_floods_the_disk_from_the_background_is_ended(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        await it.run("yes flood3004", background=True)
        assert await becomes(lambda: bool(alive("flood3004")))

        assert await gone("flood3004")

    in_shell(tmp_path, work)


def test_calling_a_command_off_ends_it(tmp_path: Path) -> None:
    async def work(it: Shell) -> None:
        with anyio.move_on_after(0.3):
            await it.run("sleep 3005; sleep 3005")

        assert not alive("3005")
        assert await it.said("echo on") == "on"

    in_shell(tmp_path, work)


def test_nothing_outlives_a_process_that_is_killed(tmp_path: Path) -> None:
    call = 'run_command("sleep 3006 & setsid sleep 3006 & sleep 3006")'
    code = "from deskhand.cli.main import entry; entry()"
    words = ["act", "--yes", "--device", f"shell:cwd={tmp_path}", call]
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 15
    while len(alive("3006")) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)  # the condition is polled: all three are there
    begun = len(alive("3006"))
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert begun == 3
    assert anyio.run(gone, "3006")


def test_programs_see_no_variable_that_may_be_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnopqrstuvwxyz")
    monkeypatch.setenv("MY_SETTING", "x")
    monkeypatch.setenv("https_proxy", "http://me:pass@proxy:1")
    monkeypatch.setenv("LC_TIME", "C")

    async def work(it: Shell) -> None:
        names = (await it.said("env | cut -d= -f1")).split()
        assert {"PATH", "HOME", "LC_TIME"} <= set(names)
        assert not {"OPENAI_API_KEY", "MY_SETTING", "https_proxy"} & set(names)

    in_shell(tmp_path, work)


def test_a_secret_reaches_the_command_as_part_of_one_word_and_is_seen_nowhere(tmp_path: Path) -> None:
    value = "a'b\"$(touch pwned) `c` \\d"

    async def work(it: Shell) -> None:
        await it.run(
            """printf '%s|' {{secret:pin}} "<{{secret:pin}}>" 'x{{secret:pin}}' "$(echo {{secret:pin}})" > out"""
        )
        assert (tmp_path / "out").read_text() == f"{value}|<{value}>|x{value}|{value}|"
        assert not (tmp_path / "pwned").exists()

        result = await it.run("cat out; echo {{secret:pin}}")
        told = f"{result} {await it.seen()}"
        assert "touch pwned" not in told
        assert "{{secret:pin}}" in await it.told(shell.LAST_COMMAND)

    in_shell(tmp_path, work, secrets=Secrets({"pin": value}))


def test_a_program_that_is_used_with_keys_has_a_screen(tmp_path: Path) -> None:
    pytest.importorskip("pyte", reason="the extra `shell` is not installed")

    async def act(it: Shell, action: Action) -> ActionResult:
        return await it.device.perform(action)

    async def work(it: Shell) -> None:
        await it.run("cd /; x=1")
        assert (await it.run(f"{sys.executable} -q", terminal=True)).outcome == "done"
        result = await act(it, Write(message='import os; print("grüße", 6 * 7, os.getcwd())\n'))
        assert "grüße 42 /" in result.value
        seen = await it.seen()
        assert [w.id for w in seen.windows if w.active] == [shell.TERMINAL]
        assert any(e.name == "grüße 42 /" and e.window == shell.TERMINAL for e in seen.elements)
        assert (await it.run("true", terminal=True)).outcome == "failed"
        ended = await act(it, Hotkey(keys=("ctrl", "d")))
        assert "exit code 0" in ended.text
        assert [w.id for w in (await it.seen()).windows] == [shell.WINDOW]

        await it.run("sleep 3007", terminal=True)
        assert (await act(it, CloseWindow(window=shell.TERMINAL))).outcome == "done"
        assert await gone("3007")
        assert (await act(it, Press(keys=("enter",)))).outcome == "failed"
        assert (await act(it, Click())).outcome == "failed"

    in_shell(tmp_path, work)


def test_in_the_sandbox_nothing_but_the_folder_can_be_written_and_there_is_no_network(tmp_path: Path) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    outside = Path.home() / f"deskhand-outside-{os.getpid()}"

    async def work(it: Shell) -> None:
        assert await it.said(f"echo in > inside; touch {outside} && echo out; cat inside") == (
            f"touch: cannot touch '{outside}': Read-only file system\nin"
        )
        assert "unreachable" in await it.said("echo > /dev/tcp/1.1.1.1/80")
        assert (await it.run("sleep 3008; echo no", 0.2)).outcome == "failed"
        assert await it.said("cd /; x=1; pwd; echo $x") == "/\n1"
        assert await gone("3008")

    in_shell(tmp_path, work, "sandbox,")
    assert (tmp_path / "inside").read_text() == "in\n"
    assert not outside.exists()


def test_without_bubblewrap_the_sandbox_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(DeviceError, match="apt-get install bubblewrap"):
        anyio.run(opening, f"shell:sandbox,cwd={tmp_path}")


async def opening(spec: str) -> None:
    async with open_device(spec):
        raise AssertionError("it opened")


@pytest.mark.parametrize(
    ("spec", "message"), [("shell:sandbx", "did you mean 'sandbox'"), ("shell:cwd=/no/such", "there is no such folder")]
)
def test_a_wrong_spec_is_said(spec: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        anyio.run(opening, spec)
