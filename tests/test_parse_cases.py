"""`deskhand parse` on replies as models write them: each of the kinds that other systems got wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from deskhand.cli.main import main

FILE = Path(__file__).parent / "cases" / "action_parse.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
DIALECTS = {"native": "native", "agentic": "plan", "grounding": "ground"}


def parse(raw: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw.encode()), encoding="utf-8"))
    code = main(["parse", *options])
    said = json.loads(capsys.readouterr().out)
    assert code == (0 if said["ok"] else 1)
    return said


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_reply_of_the_case_files_is_read_as_expected(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = parse(case["raw"], monkeypatch, capsys, "--dialect", DIALECTS[case["mode"]])

    expected = {key: value for key, value in case["expected"].items() if key != "stretch"}
    assert {key: said.get(key) for key in expected} == expected, said
    if said["ok"]:
        assert said["repaired"] == expected.get("repaired", False)
        assert said.get("coord_space") == expected.get("coord_space")
    assert said["ok"] or said["message"]
