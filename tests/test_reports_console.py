"""Faults that users met when they installed other systems and ran them, by the number of their report."""

from __future__ import annotations

import json
import os
import pkgutil
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import deskhand
from deskhand.core.event import RoundEnded, RoundStarted
from deskhand.journal.file import read_records
from tests.command import ROOT, arguments, environment

MODEL = ["--model", "tests.talkative:Talkative", "--run-dir", "run"]
REQUEST = os.fsdecode("say 😀 你好 and ".encode() + b"\xff")
"""With a byte that is no UTF-8, as a terminal hands it over."""


def bare(home: Path, **more: str) -> dict[str, str]:
    """Neither display nor home nor language."""
    return {**environment(home), "HOME": "/nonexistent", **more}


def shell(command: str, home: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    words = shlex.join(arguments("run", REQUEST, *MODEL))
    line = command.replace("DESKHAND", words)
    env = bare(home, **more)
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], env=env, cwd=home, capture_output=True, timeout=50, check=False
    )


def check_the_log(home: Path) -> None:
    events = [r.event for r in read_records(home / "run")]
    assert next(e.request for e in events if isinstance(e, RoundStarted)) == "say 😀 你好 and \ufffd"
    assert next(e.answer for e in events if isinstance(e, RoundEnded)) == "😀 你好 naïve \ufffd half"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_r118_an_old_console_shows_what_it_can_and_the_log_has_everything(encoding: str, tmp_path: Path) -> None:
    done = shell("DESKHAND", tmp_path, PYTHONIOENCODING=f"{encoding}:strict", LC_ALL="C", PYTHONUTF8="0")

    assert done.returncode == 0, done.stderr
    assert done.stdout.decode(encoding).startswith("finished: ? ?? na")
    assert b"Traceback" not in done.stderr
    check_the_log(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "DESKHAND >&-",
        "DESKHAND >&- 2>&- <&-",
        "DESKHAND | head -n 1",
        "DESKHAND 2>&1 | head -n 1",
        "DESKHAND --json | head -c 0",
    ],
)
def test_r118_an_output_that_is_closed_or_goes_away_changes_nothing(command: str, tmp_path: Path) -> None:
    done = shell(command, tmp_path)

    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    check_the_log(tmp_path)


def test_r117_every_module_can_be_imported_without_display_and_home(tmp_path: Path) -> None:
    names = [m.name for m in pkgutil.walk_packages(deskhand.__path__, "deskhand.")]
    code = (
        f"import importlib, signal, sys; before = {{s: signal.getsignal(s) for s in signal.valid_signals()}}\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "import deskhand\n"
        "for name in deskhand.__all__: getattr(deskhand, name)\n"
        "assert {s: signal.getsignal(s) for s in signal.valid_signals()} == before, 'signals'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=bare(tmp_path), cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_r117_a_private_desktop_needs_neither_display_nor_home(tmp_path: Path) -> None:
    done = subprocess.run(
        arguments("run", "hello", "--json", "--run-dir", str(tmp_path / "run")),
        env=bare(tmp_path),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert json.loads(done.stdout)["outcome"] == "failed"
    assert "--model" in json.loads(done.stdout)["answer"]


LIBRARY = """
import asyncio, signal, sys, threading
import anyio, deskhand
from deskhand.settings import Settings

ours = []
signal.signal(signal.SIGINT, lambda *_: ours.append("our own handler"))
before = {s: signal.getsignal(s) for s in signal.valid_signals()}
settings = Settings(model="tests.talkative:Talkative")

async def beside(beats):
    while True:
        beats.append(1)
        await asyncio.sleep(0.005)

async def main(folder):
    beats = []
    ticking = asyncio.ensure_future(beside(beats))

    async def interrupt(record):
        if record.event.kind == "observed":
            signal.raise_signal(signal.SIGINT)

    hears = [interrupt] if threading.current_thread() is threading.main_thread() else []
    result = await deskhand.run("x", settings=settings, run_dir=folder, listeners=hears)
    ticking.cancel()
    return str(result.outcome), len(beats) > 10

said = [asyncio.run(main(sys.argv[1] + "/a"))]
worker = threading.Thread(target=lambda: said.append(asyncio.run(main(sys.argv[1] + "/b"))))
worker.start()
worker.join()
said += ours
said.append({s: signal.getsignal(s) for s in signal.valid_signals()} == before)
said.append(sys.stdin.read())
print(said)
"""


def test_r132_a_library_leaves_signals_stdin_and_other_coroutines_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIBRARY, str(tmp_path)],
        env=environment(tmp_path),
        cwd=ROOT,
        input="not for deskhand\n",
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )

    said = [("finished", True), ("finished", True), "our own handler", True, "not for deskhand\n"]
    assert done.stdout.strip() == str(said), done.stderr
