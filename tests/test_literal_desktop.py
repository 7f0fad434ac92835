"""The embedded model on a real desktop: requests that no code knows of, on a form that keeps its own books."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from deskhand.app import run
from deskhand.core.status import RunOutcome
from deskhand.session.session import SessionResult
from deskhand.settings import Settings

FORM = Path(__file__).parent / "apps" / "order_form.py"
OPEN = "Open Order Form, then "


def carry_out(request: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[SessionResult, dict[str, Any]]:
    """Run a request on a desktop where the form can be started; give what came of it and what the form says."""
    entries, books = tmp_path / "share" / "applications", tmp_path / "books.json"
    entries.mkdir(parents=True)
    (entries / "order-form.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Order Form\nExec=/usr/bin/python3 {FORM} {books}\n"
    )
    monkeypatch.setenv("XDG_DATA_DIRS", f"{tmp_path / 'share'}:/usr/share")
    settings = Settings(device="linux:virtual,size=1280x900", runs=str(tmp_path / "runs"))
    result = anyio.run(lambda: run(request, settings=settings))
    return result, json.loads(books.read_text())


@pytest.mark.parametrize(
    ("request_", "books"),
    [
        (
            "type Anna Ölçer into the Full name field, fill in the E-mail field with a@b.org and press Enter. "
            "Set Phone to 0123, choose Dark Blue from the Colour list and select Large.",
            {"Full name:": "Anna Ölçer", "E-mail:": "a@b.org", "entered": "E-mail:", "Phone:": "0123", "Size": "Large"},
        ),
        (
            "set the quantity to 7 and the volume slider to 40, then increase the quantity by 3, "
            'write "Hello,\n two lines – 你好" into the comments, and tick Gift wrap and Subscribe to news',
            {"Quantity": 10, "Volume": 40, "Comments": "Hello,\n two lines – 你好", "Gift wrap": True},
        ),
        (
            "switch to the Advanced tab, turn off Autosave and turn on Express delivery. Go to the Goods tab, "
            "scroll down to Item 40 and click it, then double-click it",
            {"Autosave": False, "Express": True, "chosen": "Item 40", "activated": "Item 40"},
        ),
        (
            "click the Edit button in the Delivery section, click the second Edit button, press the Save Draft button "
            "three times, choose View > Zoom > Out and export order",
            {"clicked": [*["Edit Delivery"] * 2, *["Save Draft"] * 3, "Out", "Export Order…"]},
        ),
        (
            "check Details in the View menu, open the About dialog and press OK",
            {"Details": True, "about": "closed"},
        ),
    ],
)
def test_what_was_asked_for_is_there_in_the_end(
    request_: str, books: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, state = carry_out(OPEN + request_, tmp_path, monkeypatch)

    assert {key: state.get(key) for key in books} == books
    assert result.outcome is RunOutcome.FINISHED, result.answer


@pytest.mark.parametrize(
    ("request_", "outcome", "says"),
    [
        ("turn on Stubborn on the Advanced tab", RunOutcome.FAILED, "does not stay on"),
        ("set the quantity to 50", RunOutcome.FAILED, "stands at 20"),
        ("choose Purple from the Colour list", RunOutcome.NEEDS_USER, "'Red', 'Green', 'Dark Blue'"),
    ],
)
def test_what_cannot_be_done_is_never_said_to_be_done(
    request_: str, outcome: RunOutcome, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, state = carry_out(OPEN + request_, tmp_path, monkeypatch)

    assert result.outcome is outcome
    assert says in (result.answer or "")
    assert state["clicked"] == []


def test_a_value_that_appears_later_is_read_word_for_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = OPEN + "click Calculate, wait until it says Done and read the total"

    result, _ = carry_out(request, tmp_path, monkeypatch)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "42.50 EUR")


def test_a_value_is_handed_from_one_application_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = tmp_path / "note.txt"
    request = (
        OPEN + "click Calculate and wait until it says Done. Then read the total, and write it into a new text file "
        f'called "{note}" in mousepad.'
    )

    result, _ = carry_out(request, tmp_path, monkeypatch)

    assert result.outcome is RunOutcome.FINISHED, result.answer
    assert note.read_text() == "42.50 EUR"
