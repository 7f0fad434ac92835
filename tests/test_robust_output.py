"""What is printed: no text of others commands the terminal, and no closed pipe hides how a run ended."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest

from deskhand.cli.progress import Progress
from deskhand.core.action import ActionResult, Write
from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    BlackboardSet,
    Event,
    Judged,
    Noted,
    Record,
    RoundStarted,
    Scope,
    SubtaskAssigned,
)
from tests.command import arguments, deskhand, environment

TITLE = "\x1b]0;owned\x07\x9b2J\x1b[31m a\rb \u202egnp.exe"
"""What a window may be called: sets the terminal's title, clears it, colours it, hides what stands before."""


@pytest.mark.parametrize(
    "event",
    [
        RoundStarted(request=TITLE),
        SubtaskAssigned(application=TITLE, subtask=TITLE),
        BlackboardSet(key="seen", value=TITLE),
        ActionStarted(action=Write(message=TITLE), on=f"button {TITLE}"),
        ActionFinished(result=ActionResult(outcome="done", text=TITLE), seconds=0),
        Judged(action=Write(message="x"), verdict="ask", rule=TITLE, allowed=True, by="user"),
        Noted(text=TITLE),
    ],
)
def test_progress_shows_control_characters_and_does_not_obey_them(event: Event) -> None:
    out = io.StringIO()

    Progress(out).show(Record(seq=1, time=0, scope=Scope(), event=event))

    assert out.getvalue().endswith("\n")
    assert out.getvalue()[:-1].isprintable()


def test_an_answer_shows_control_characters_and_does_not_obey_them(tmp_path: Path) -> None:
    done = deskhand("run", f"hello {TITLE}", home=tmp_path)

    assert done.returncode == 1
    for line in (done.stdout + done.stderr).splitlines():
        assert line.isprintable()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_does_not_hide_how_the_run_ended(unbuffered: str, tmp_path: Path) -> None:
    command = subprocess.list2cmdline(arguments("run", "hello"))
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | true"],
        env=environment(tmp_path, PYTHONUNBUFFERED=unbuffered),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("config",), ("run", "hello", "--json")])
def test_an_answer_that_cannot_be_written_is_trouble(words: tuple[str, ...], tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            arguments(*words),
            env=environment(tmp_path),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 4
    assert "the disk is full" in done.stderr.splitlines()[-1]
    assert done.stderr.count("the disk is full") == 1


def test_trouble_of_any_kind_is_one_json_object_and_its_traceback_is_there_for_the_asking(tmp_path: Path) -> None:
    words = ("run", "hello", "--json", "--model", "tests.odd_models:Broken")

    quiet, loud = deskhand(*words, home=tmp_path), deskhand(*words, "-v", home=tmp_path)

    assert (quiet.returncode, json.loads(quiet.stdout)["outcome"]) == (4, "error")
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr
