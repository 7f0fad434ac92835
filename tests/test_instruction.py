from __future__ import annotations

import anyio
import pytest

from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element, Image, Observation
from deskhand.perception.ground import LexiconGrounder


def element(number: int, role: str, name: str) -> Element:
    return Element(id=f"e{number}", role=role, name=name, box=Box.at(0, 30 * number, 100, 20))


SEEN = Observation(
    screen=Image(sha256="0", size=Size(400, 400)),
    elements=(
        element(1, "menu", "File"),
        element(2, "menu", "Edit"),
        element(3, "button", "Save"),
        element(4, "textbox", "Name:"),
        element(5, "checkbox", "Show line numbers"),
        element(6, "button", "Cancel"),
        element(7, "button", "Cancel"),
    ),
)


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("Open the Edit menu", "e2"),
        ("the Edit menu", "e2"),
        ("Click the Save button", "e3"),
        ("Click on 'Save' to store the file", "e3"),
        ("Press Save.", "e3"),
        ("Please left-click the Save button, which stores the file", "e3"),
        ("Type the name into the Name field", "e4"),
        ("Click the text field labelled Name", "e4"),
        ('Check the "Show line numbers" box', "e5"),
        ("Double-click the File menu and then wait", "e1"),
        ("Move the mouse over the File menu", "e1"),
    ],
)
def test_a_planners_instruction_points_at_an_element(instruction: str, wanted: str) -> None:
    assert anyio.run(LexiconGrounder().locate, instruction, SEEN).id == wanted


@pytest.mark.parametrize("instruction", ["Click the Delete button", "Click Cancel", "Click", "", "Click the button"])
def test_what_is_not_there_or_not_the_only_one_is_not_guessed(instruction: str) -> None:
    with pytest.raises(TargetNotFound):
        anyio.run(LexiconGrounder().locate, instruction, SEEN)
