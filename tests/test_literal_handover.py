"""The embedded model as host: what is said of places, and values that go from one application to the next."""

from __future__ import annotations

import pytest

from deskhand.core.geometry import Box
from deskhand.core.observation import Application, Window
from deskhand.models.literal import explain

APPLICATIONS = (
    Application(id="mousepad", name="Mousepad", categories=("TextEditor",), default_for=("text/plain",)),
    Application(id="sheet", name="Sheet Works", categories=("Spreadsheet",)),
    Application(id="desk", name="Front Desk", categories=("Office",)),
)
OPEN = (Window(id="0x1", title="Front Desk", app="desk", box=Box(0, 0, 9, 9), active=True),)


def lines(request: str) -> list[tuple[str, str]]:
    """Give application and clause of everything that is read."""
    return [(line.application, line.text) for line in explain(request, APPLICATIONS, OPEN)]


@pytest.mark.parametrize(
    ("request_", "clauses"),
    [
        ("on the Sizes tab choose Large", ["switch to the Sizes tab", "choose Large"]),
        ("press Save, and on the Sizes tab choose Large", ["press Save", "switch to the Sizes tab", "choose Large"]),
        ("press Compute Total on the Sizes tab", ["switch to the Sizes tab", "press Compute Total"]),
        ("click on the Sizes tab", ["click on the Sizes tab"]),
        ("in the View menu turn on Rulers", ["turn on Rulers in the View menu"]),
        ("press 7, then the plus button, then 6", ["press 7", "the plus button", "press 6"]),
        ("read the number and the country", ["read the number", "read the country"]),
        ("read the Terms and Conditions", ["read the Terms and Conditions"]),
        (
            "check Gift wrap, Needs parking and Send newsletter",
            ["check Gift wrap, Needs parking and Send newsletter"],
        ),
        (
            "fill in the form with Surname: Lee, E-mail: a@b.c",
            ["set “Surname” to “Lee”", "set “E-mail” to “a@b.c”"],
        ),
    ],
)
def test_a_request_with_a_place_or_a_list_is_split_where_it_is_meant(request_: str, clauses: list[str]) -> None:
    read = [text for _, text in lines(f"Open Front Desk, {request_}")][1:]

    assert read == clauses


def test_what_is_carried_over_is_read_in_one_application_and_written_in_the_other() -> None:
    there = "Open Front Desk, press Total and copy the total into cell B1 of Sheet Works"
    back = "copy the total from Sheet Works to the Age field in Front Desk"

    assert lines(there)[2:] == [("Front Desk", "read the total"), ("Sheet Works", "put {{total}} into cell B1")]
    assert lines(back) == [("Sheet Works", "read the total"), ("Front Desk", "put {{total}} into Age field")]


def test_a_file_that_is_named_by_how_it_is_saved_is_written_once() -> None:
    read = lines("Read the number in Front Desk and type it into a new text file saved as /tmp/reg.txt")

    assert [text for _, text in read[1:]] == [
        "start a new text file",
        "write {{number}}",
        "save it under “/tmp/reg.txt”",
    ]
