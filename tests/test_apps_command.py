"""`deskhand apps`: what can be opened, by the names that requests use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deskhand.cli.main import main

ENTRY = "[Desktop Entry]\nType=Application\nName={}\nExec=sh\nKeywords={}\n"


def test_what_can_be_opened_is_listed_and_found_by_name_or_keyword(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "applications"
    folder.mkdir()
    (folder / "org.example.Pad.desktop").write_text(ENTRY.format("Zettel", "notes;"))
    (folder / "adder.desktop").write_text(ENTRY.format("Adder", "sums;"))
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))

    assert main(["apps"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["adder", "Adder"],
        ["org.example.Pad", "Zettel"],
    ]
    assert main(["apps", "NOTES", "--json"]) == 0
    assert [app["name"] for app in json.loads(capsys.readouterr().out)] == ["Zettel"]
    assert main(["apps", "spreadsheet"]) == 1
    assert capsys.readouterr().out == "no application is called like 'spreadsheet'\n"
