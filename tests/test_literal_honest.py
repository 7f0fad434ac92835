"""The embedded model does not say that something is done where it is not, whatever an application makes of it."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement, Press, Write
from deskhand.core.status import AppAgentStatus
from tests.subtask import UNVERIFIED, Scene, element


def test_a_cell_is_typed_into_only_once_it_has_the_keyboard() -> None:
    cells = (element("e1 cell B1", states=("editable",)), element("e2 cell B2", 20, states=("editable",)))
    scene = Scene("type Apples in cell B2", *cells)

    assert scene.acts() == (Click(target=OnElement(id="e2")),)
    scene.becomes("e1", states=("focused", "editable"))  # the sheet has moved down under the pointer
    assert scene.acts() == (Click(target=OnElement(id="e2")),)
    scene.becomes("e1", states=("editable",))
    scene.becomes("e2", states=("focused", "editable"))
    assert scene.acts(UNVERIFIED) == (Write(message="Apples"),)
    assert scene.acts() == (Press(keys=("enter",)),)
    scene.becomes("e2", value="Apples")

    assert scene.ends().result == "the cell 'B2' holds 'Apples'"


def test_nothing_is_typed_where_another_cell_keeps_the_keyboard() -> None:
    cells = (element("e1 cell B1", states=("focused",)), element("e2 cell B2", 20))
    scene = Scene("type Apples in cell B2", *cells)
    for _ in range(3):
        assert scene.acts() == (Click(target=OnElement(id="e2")),)

    ended = scene.ends()

    assert ended.status is AppAgentStatus.FAIL
    assert ended.result == "the cell 'B2' does not take the keyboard; the cell 'B1' has it"
