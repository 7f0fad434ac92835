"""Signals at every moment of a command's life, and a terminal that is not to be commanded."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import arguments, environment, started, started_anew
from tests.running import Command, commands, until

SECOND = 2.0
"""What a second may take on a machine that does other things beside."""


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    with commands(tmp_path) as begin:
        yield begin


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
    run = command(*RUN, "--run-dir", str(tmp_path / "run"), start=started if children else started_anew)
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
