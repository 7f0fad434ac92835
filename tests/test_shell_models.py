"""Models over real HTTP that work in a shell, each in its own form."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.status import RunOutcome
from deskhand.journal.file import read_records
from deskhand.journal.view import View
from deskhand.settings import load
from deskhand.testing.server import Say, ScriptedServer

WRITE, COUNT = 'x="a b"; printf "%s\\n" "$x" "$PWD" > out.txt; echo "wrote $x"', "wc -l < out.txt"


def as_json(command: str, status: str = "CONTINUE", result: str = "") -> str:
    action = {"function": "run_command", "arguments": {"command": command}}
    return json.dumps({"status": status, "action": [action] if command else [], "result": result})


def as_native(command: str) -> str:
    return f"<think>so</think>\n<operation>next</operation>\n<action>\nrun_command(command={command!r})\n</action>"


def as_call(command: str) -> str:
    called = {"name": "computer_use", "arguments": {"action": "run_command", "command": command}}
    return f"Action: next\n<tool_call>\n{json.dumps(called)}\n</tool_call>"


NATIVE_END = (
    '<operation>all done</operation>\n<action>\nresponse(answer="2 lines")\nterminate(status="success")\n</action>'
)
CALL_END = (
    '<tool_call>\n{"name": "computer_use", "arguments": {"action": "answer", "text": "2 lines"}}\n</tool_call>\n'
    '<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>'
)


@pytest.mark.parametrize(
    ("dialect", "replies"),
    [
        ("json", [as_json(WRITE), as_json(COUNT), as_json("", "FINISH", "2 lines")]),
        ("native", [as_native(WRITE), as_native(COUNT), NATIVE_END]),
        ("tool_call", [as_call(WRITE), as_call(COUNT), CALL_END]),
    ],
)
def test_a_model_works_in_a_shell_in_its_own_form(dialect: str, replies: list[str], tmp_path: Path) -> None:
    with ScriptedServer(*map(Say, replies)) as server:
        given = [f"device=shell:cwd={tmp_path}", "model=openai:m", f"models.default.dialect={dialect}"]
        settings = load([*given, f"models.default.base_url={server.url}", "models.default.key=k"], {}, tmp_path)
        result = anyio.run(lambda: deskhand.run("count them", settings=settings, run_dir=tmp_path / "run"))

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "2 lines")
    assert (tmp_path / "out.txt").read_text() == f"a b\n{tmp_path}\n"
    (round_,) = View.of(read_records(tmp_path / "run")).rounds
    assert {step.agent for step in round_.steps} == {"LinuxAgent"}
    told = str(server.requests[1].body)
    assert all(words in told for words in ("count them", "wrote a b", "run_command", "Quote variables"))
