"""Signals at every moment of a command's life, and a terminal that is not to be commanded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import arguments, environment

SECOND = 2.0
"""What a second may take on a machine that does other things beside."""


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.005)


def below(root: int) -> set[int]:
    """All processes below one, zombies not counted."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            except OSError:
                continue
            if state not in b"ZX":
                parents[int(entry.name)] = int(parent)
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found and pid not in found}:
        found |= more
    return found - {root}


def folders_of(pids: set[int]) -> set[Path]:
    """The private folders of the desktops that processes belong to."""
    found = set()
    for pid in pids:
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        found |= {Path(os.fsdecode(word)) for word in words if word.startswith(b"/tmp/deskhand-")}
    return {Path(*folder.parts[:3]) for folder in found}


class Command:
    """A command that runs, and what it started."""

    def __init__(self, words: tuple[str, ...], home: Path) -> None:
        self.process = subprocess.Popen(
            arguments(*words),
            env=environment(home),
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.seen: set[int] = set()
        self.folders: set[Path] = set()

    def children(self) -> int:
        now = below(self.process.pid)
        self.folders |= folders_of(now - self.seen)
        self.seen |= now
        return len(now)

    def ends(self, *signals: signal.Signals) -> tuple[int, float, str, str]:
        """Send signals; give exit code, seconds, stdout and stderr."""
        began = time.monotonic()
        for number in signals:
            self.process.send_signal(number)
            self.children()
        out, err = self.process.communicate(timeout=15)
        return self.process.returncode, time.monotonic() - began, out, err

    def nothing_is_left(self) -> bool:
        return not any(running(pid) for pid in self.seen) and not any(folder.exists() for folder in self.folders)


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in b"ZX"
    except OSError:
        return False


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    begun: list[Command] = []

    def begin(*words: str) -> Command:
        begun.append(Command(words, tmp_path))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.communicate()


RUN = ("run", 'In Mousepad, write "abc", then wait 30 seconds', "--json")
BUSY = ("run", "hello", "--json", "--model", "tests.odd_models:Busy")


@pytest.mark.parametrize(
    "signals", [(signal.SIGINT,), (signal.SIGHUP,), (signal.SIGTERM, signal.SIGINT, signal.SIGTERM)]
)
@pytest.mark.parametrize("children", [0, 1, 2, 5, 8])
def test_a_run_stops_at_once_whatever_it_is_doing_and_leaves_nothing(
    signals: tuple[signal.Signals, ...], children: int, command: Callable[..., Command], tmp_path: Path
) -> None:
    """From importing (no child yet) over the desktop's coming up (some) to its use (all)."""
    run = command(*RUN, "--run-dir", str(tmp_path / "run"))
    # The first things that a command reads are in its memory map; before, there is nobody to listen.
    until(lambda: b"pydantic" in Path(f"/proc/{run.process.pid}/maps").read_bytes())
    until(lambda: run.children() >= children)

    code, took, out, err = run.ends(*signals)

    assert code == 130, err
    assert took < SECOND
    assert "Traceback" not in err
    assert not out or json.loads(out)["outcome"] == "interrupted"
    until(run.nothing_is_left, 2)


def test_an_event_loop_that_is_kept_busy_is_broken_off(command: Callable[..., Command], tmp_path: Path) -> None:
    run = command(*BUSY, "--run-dir", str(tmp_path / "run"))
    events = tmp_path / "run" / "events.jsonl"
    until(lambda: events.exists() and "model.asked" in events.read_text())

    code, took, out, err = run.ends(signal.SIGINT)

    assert code == 130, err
    assert took < SECOND
    assert json.loads(out)["outcome"] == "interrupted"
    assert "Traceback" not in err
    assert '"outcome":"interrupted"' in events.read_text()
    until(run.nothing_is_left, 2)


def test_a_run_that_ignores_hang_ups_goes_on(tmp_path: Path) -> None:
    """As under `nohup`."""
    words = subprocess.list2cmdline(arguments("run", "hello", "--json", "--run-dir", "run"))
    script = f"trap '' HUP; {words} & child=$!; for i in 1 2 3 4 5 6; do kill -HUP $child; done; wait $child"
    done = subprocess.run(
        ["bash", "-c", script],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["outcome"] == "failed"
