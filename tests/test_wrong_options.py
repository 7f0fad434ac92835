"""What is wrong with a command is said in the words that it was given in."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.cli.main import main
from tests.command import ROOT, deskhand


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max-steps", "0", "x"], "--max-steps 0: limits.round_steps: input should be greater than or equal to 1"),
        (["--max-seconds", "soon", "x"], "--max-seconds soon: limits.seconds: input should be a valid number"),
        (["--mode", "idle", "x"], "--mode idle: running_mode: input should be 'request'"),
        (["--max-steps", "3", "-c", "limits.seconds=no", "x"], "-c limits.seconds: limits.seconds: input should be"),
        (["--mode", "batch", "--plan", "none"], "none cannot be read: no such file or directory"),
        (["--plan", "none"], "none cannot be read: no such file or directory"),
    ],
)
def test_a_wrong_value_is_said_of_the_option_it_was_given_with(words: list[str], said: str, tmp_path: Path) -> None:
    done = deskhand("run", *words, home=tmp_path)

    assert done.returncode == 2
    assert said in done.stderr


def test_a_pipe_that_holds_no_request_is_no_run_that_ended_well(tmp_path: Path) -> None:
    done = deskhand("run", home=tmp_path, stdin=" \n\n")

    assert done.returncode == 2
    assert "none came in by the input; give one" in done.stderr


def test_a_plan_that_a_shell_cannot_follow_is_refused_in_words_a_user_knows(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"task": "t", "steps": ["list the files"], "object": "gimp"}')
    done = deskhand("run", "--device", f"shell:cwd={tmp_path}", "--plan", "plan.json", home=tmp_path)

    assert done.returncode == 2
    assert "the plan is for 'gimp', which a shell cannot open; leave its object out" in done.stderr


def test_what_a_request_means_is_explained_for_a_shell_too(tmp_path: Path) -> None:
    done = deskhand("explain", "--device", "shell", "list the files here, then book a flight", home=tmp_path)

    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "1. “list the files here” means $ ls -l -- .",
        "2. “book a flight” is not understood",
    ]


def test_what_is_no_device_is_explained_to_be_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)

    assert main(["explain", "--device", "toaster", "list the files"]) == 2
    assert "there is no device 'toaster'" in capsys.readouterr().err
    assert main(["explain", "--device", "linux,monitor=0", "list the files"]) == 2
    assert "write 'linux:monitor=0'" in capsys.readouterr().err


def test_a_dialect_of_ones_own_reads_replies_on_the_command_line(tmp_path: Path) -> None:
    words = ("parse", "--dialect", "own_dialect:TwoWords")
    done = deskhand(*words, home=tmp_path, stdin="press Save", PYTHONPATH=f"{ROOT / 'src'}:{ROOT / 'examples'}")

    assert done.returncode == 0
    assert '{"name": "click", "params": {"target": {"text": "the button Save"}}}' in done.stdout
