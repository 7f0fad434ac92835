"""`deskhand parse` on replies as models write them: each of the kinds that other systems got wrong."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from deskhand.cli.main import main
from deskhand.cli.parse import main as parse_command
from tests.command import deskhand

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


def test_positional_arguments_names_and_types_are_resolved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = parse(
        "<think>t</think><operation>o</operation><action>TripleClick('966', 546)\nwrite(123)</action>",
        monkeypatch,
        capsys,
        *("--dialect", "native"),
    )

    assert said == {
        "ok": True,
        "thought": "t",
        "instruction": "o",
        "actions": [
            {"name": "click", "params": {"clicks": 3, "x": 966, "y": 546}},
            {"name": "write", "params": {"message": "123"}},
        ],
        "repaired": True,
    }


@pytest.mark.parametrize(
    ("dialect", "raw", "actions"),
    [
        (
            "json",
            '{"status": "CONTINUE", "action": {"name": "press", "args": {"key": "Enter"}}}',
            [{"name": "press", "params": {"keys": "enter"}}],
        ),
        (
            "marks",
            '{"status": "CONTINUE", "action": [{"function": "click", "arguments": {"mark": 12}}]}',
            [{"name": "click", "params": {"element": "e12"}}],
        ),
    ],
)
def test_replies_in_json_are_read_with_their_status(
    dialect: str, raw: str, actions: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = parse(raw, monkeypatch, capsys, "--dialect", dialect)

    assert (said["status"], said["actions"]) == ("CONTINUE", actions)


@pytest.mark.parametrize(
    ("options", "raw", "expected"),
    [
        (("--screen", "800x600"), "click(x=812, y=588)", {"point": [812, 588]}),
        (("--screen", "800x600"), "click(x=813, y=588)", {"error": "out_of_range"}),
        (("--model", "qwen3-vl"), "click(x=1000, y=1000)", {"point": [1000, 1000], "coord_space": "0-1000"}),
        (("--model", "internvl"), "click(x=1001, y=1)", {"error": "out_of_range"}),
        (("--model", "GPT"), "click(x=1920, y=1080)", {"point": [1920, 1080]}),
        (("--model", "gpt"), "click(x=1921, y=1080)", {"error": "out_of_range"}),
        (("--model", "0-1"), "(1, 1)", {"point": [1, 1], "coord_space": "0-1"}),
    ],
)
def test_a_point_is_judged_in_the_space_of_the_profile_on_the_screen(
    options: tuple[str, ...],
    raw: str,
    expected: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = parse(raw, monkeypatch, capsys, "--dialect", "ground", *options)

    assert {key: said[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (("--dialect", "nativ"), "did you mean 'native'"),
        (("--dialect", "native", "--model", "scalecue"), "did you mean 'scalecua'"),
        (("--dialect", "native", "--screen", "big"), "WxH"),
        (("--dialect", "native", "--screen", "0x600"), "WxH"),
        ((), "--dialect"),
    ],
)
def test_wrong_options_are_said_in_one_line(options: tuple[str, ...], hint: str, tmp_path: Path) -> None:
    done = deskhand("parse", *options, home=tmp_path, stdin="wait()")

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert hint in done.stderr


def test_a_shell_reads_one_object_whatever_the_bytes(tmp_path: Path) -> None:
    done = deskhand("parse", "--dialect", "native", home=tmp_path, stdin="<action>write(message='é 你')</action>")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["actions"] == [{"name": "write", "params": {"message": "é 你"}}]


def test_bytes_that_are_no_text_are_replaced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"<action>write('\xff')</action>"), encoding="utf-8"))

    assert main(["parse", "--dialect", "native"]) == 0
    assert json.loads(capsys.readouterr().out)["actions"][0]["params"] == {"message": "\ufffd"}


OWN = [json.loads(line) for line in FILE.with_name("replies.jsonl").read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("dialect", ["native", "plan", "ground", "json", "marks"])
def test_replies_of_any_family_are_read_repaired_or_sent_back(
    dialect: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = []
    for case in (case for case in OWN if case["dialect"] == dialect):
        monkeypatch.setattr("sys.stdin", io.StringIO(case["raw"]))
        parse_command(Namespace(dialect=dialect, screen="1920x1080", model="scalecua"))
        said = json.loads(capsys.readouterr().out)
        if {key: said.get(key) for key in case["expected"]} != case["expected"] or len(said.get("message", "")) > 1000:
            odd.append((case["id"], said))

    assert odd == []
