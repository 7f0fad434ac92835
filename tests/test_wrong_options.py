"""What is wrong with a command is said in the words that it was given in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import deskhand


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


def test_a_plan_for_a_shell_is_refused_in_words_a_user_knows(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"task": "t", "steps": ["list the files"]}')
    done = deskhand("run", "--device", f"shell:cwd={tmp_path}", "--plan", "plan.json", home=tmp_path)

    assert done.returncode == 2
    assert "a plan's steps are not followed on shell; ask for them in a request" in done.stderr
