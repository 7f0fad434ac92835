from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from deskhand.app import run
from deskhand.core.action import ArrangeWindow
from deskhand.core.event import ActionFinished, ActionStarted, Record
from deskhand.core.status import RunOutcome
from deskhand.models.literal.clauses import read_clause
from deskhand.settings import Settings


def test_windows_are_moved_maximized_and_brought_back_by_request(tmp_path: Path) -> None:
    request = "Open the text editor, move the window to 30, 40, maximize the window and restore the window"
    settings = Settings(device="linux:virtual,size=1280x900", runs=str(tmp_path / "runs"))
    records: list[Record] = []

    result = anyio.run(lambda: run(request, settings=settings, listeners=[records.append]))

    assert result.outcome is RunOutcome.FINISHED, result.answer
    asked = [r.event.action for r in records if isinstance(r.event, ActionStarted)]
    assert [each.how for each in asked if isinstance(each, ArrangeWindow)] == ["move", "maximize", "restore"]
    assert any("is at (30, 40)" in r.event.result.text for r in records if isinstance(r.event, ActionFinished))


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("minimise the calculator window", "minimise"),
        ("resize the window to 800 x 600", "resize"),
        ("unmaximize it", "unmaximize"),
        ("restore the window", "restore"),
    ],
)
def test_what_is_said_of_windows_is_read(text: str, mode: str) -> None:
    clause = read_clause(text)
    assert clause is not None
    assert (clause.kind, clause.mode) == ("window", mode)


@pytest.mark.parametrize("text", ["restore the defaults", "move the slider to 7", "move the file to the trash"])
def test_what_only_sounds_alike_is_not_about_windows(text: str) -> None:
    clause = read_clause(text)
    assert clause is None or clause.kind != "window"
