"""The main job by command, on real applications, with the embedded model."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deskhand.core.event import BlackboardSet, StepStarted, SubtaskEnded
from deskhand.journal.file import read_records
from deskhand.journal.view import View
from tests.command import deskhand, environment, started
from tests.running import until
from tests.warm import Fork

TEXT = "naïve façade – 你好 – 😀"
CUTS = [
    ["session.started", "model.replied", "action.started"],
    ["round.started", "decided", "action.finished"],
    ["step.started", "subtask.assigned", "subtask.ended"],
    ["observed", "step.ended", "snapshot"],
    ["model.asked", "state", "subtask.started"],
]
"""Where runs are killed: each is resumed, and killed again, in the order in which a run comes by."""


def write_request(path: Path) -> str:
    return f'In the text editor, write "{TEXT}" and save it as {path}'


def test_a_text_is_written_and_saved(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"

    done = deskhand("run", write_request(note), "--json", "--run-dir", "run", home=tmp_path)

    said = json.loads(done.stdout)
    assert (said["outcome"], done.returncode) == ("finished", 0), done.stderr
    assert note.read_text().removesuffix("\n") == TEXT
    assert set(said) == {
        "outcome", "answer", "rounds", "steps", "model_calls", "cost_usd", "seconds", "run_dir"
    }  # fmt: skip
    assert "<html" in (tmp_path / "run" / "index.html").read_text()


def test_a_value_travels_from_one_application_to_the_next(tmp_path: Path) -> None:
    total = tmp_path / "total.txt"
    request = f"Compute 12.5 * 8 in the calculator, then write the result into a new text file and save it as {total}"

    done = deskhand("run", request, "--json", "--run-dir", "run", home=tmp_path)

    assert done.returncode == 0, done.stderr
    assert total.read_text().strip() == "100"
    records = list(read_records(tmp_path / "run"))
    agents = [r.scope.agent.partition("/")[0] for r in records if isinstance(r.event, StepStarted)]
    handed = [a for i, a in enumerate(agents) if i == 0 or a != agents[i - 1]]
    assert handed == ["HostAgent", "AppAgent", "HostAgent", "AppAgent", "HostAgent"]
    written = next(r.seq for r in records if isinstance(r.event, BlackboardSet) and r.event.value == "100")
    ends = [r.seq for r in records if isinstance(r.event, SubtaskEnded)]
    assert written < ends[1]


@pytest.mark.parametrize("request_", ["book me a flight", "hello", "xasxasxas"])
def test_what_cannot_be_read_ends_at_once_and_touches_nothing(request_: str, tmp_path: Path) -> None:
    done = deskhand("run", request_, "--json", home=tmp_path)

    said = json.loads(done.stdout)
    assert (said["outcome"], said["steps"], done.returncode) == ("failed", 1, 1)
    assert "--model" in said["answer"]


def test_several_requests_are_asked_for_one_after_the_other(tmp_path: Path) -> None:
    requests = f"{write_request(tmp_path / 'a.txt')}\n\nhello"

    done = deskhand("run", "--run-dir", "run", home=tmp_path, stdin=requests)

    view = View.of(read_records(tmp_path / "run"))
    assert [r.outcome for r in view.rounds] == ["finished", "failed"], done.stderr


def test_a_limit_of_steps_is_an_outcome_of_its_own(tmp_path: Path) -> None:
    done = deskhand("run", write_request(tmp_path / "x.txt"), "--json", "--max-steps", "2", home=tmp_path)

    assert (json.loads(done.stdout)["outcome"], done.returncode) == ("limit", 3)
    assert not (tmp_path / "x.txt").exists()


@pytest.mark.timeout(120)  # it is four runs
@pytest.mark.parametrize("kinds", CUTS, ids=" ".join)
def test_a_run_that_is_killed_again_and_again_resumes_to_the_same_checked_end(kinds: list[str], tmp_path: Path) -> None:
    note, run = tmp_path / "note.txt", tmp_path / "run"
    for kind in kinds:
        words = [kind, str(run), write_request(note)]
        killed = Fork(words, environment(tmp_path), tmp_path, runs="from tests.killed import run; run()")
        _, complaints = killed.communicate(50)
        assert killed.returncode == -signal.SIGKILL, complaints

    done = deskhand("resume", str(run), "--json", home=tmp_path)

    assert (json.loads(done.stdout)["outcome"], done.returncode) == ("finished", 0), done.stderr
    assert note.read_text().removesuffix("\n") == TEXT


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_stops_within_a_second_and_can_be_resumed(how: signal.Signals, tmp_path: Path) -> None:
    note, run = tmp_path / "note.txt", tmp_path / "run"
    request = f'In the text editor, write "{TEXT}", wait 30 seconds, and save it as {note}'
    running = started("run", request, "--json", "--run-dir", str(run), home=tmp_path)
    until(lambda: (run / "events.jsonl").exists() and '"kind":"wait"' in (run / "events.jsonl").read_text())
    began = time.monotonic()
    running.send_signal(how)
    out, _ = running.communicate(timeout=10)
    took = time.monotonic() - began

    assert running.returncode == 130
    assert json.loads(out)["outcome"] == "interrupted"
    assert took < 2  # a second, on a machine that does other things beside
    assert View.of(read_records(run)).round is not None


def test_a_run_needs_no_utf8_terminal(tmp_path: Path) -> None:
    done = deskhand(
        "run",
        write_request(tmp_path / "n.txt"),
        home=tmp_path,
        PYTHONIOENCODING="ascii:strict",
        LC_ALL="C",
        PYTHONUTF8="0",
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "n.txt").read_text().removesuffix("\n") == TEXT


def test_the_example_runs(tmp_path: Path) -> None:
    hello = Path("/tmp/hello.txt")
    hello.unlink(missing_ok=True)
    example = Path(__file__).resolve().parent.parent / "examples" / "run_request.py"
    done = subprocess.run(
        [sys.executable, str(example)],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "finished" in done.stdout, done.stderr
    assert hello.read_text().strip() == "Hello from Python"


def test_the_run_folder_is_the_users_alone(tmp_path: Path) -> None:
    deskhand("run", "hello", "--json", "--run-dir", "run", home=tmp_path)

    assert (tmp_path / "run").stat().st_mode & 0o077 == 0
