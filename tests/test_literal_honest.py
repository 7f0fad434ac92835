"""The embedded model does not say that something is done where it is not, whatever an application makes of it."""

from __future__ import annotations

from deskhand.core.action import ActionResult, Click, OnElement, Press, SelectOption, Wait, Write
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


def test_time_that_has_passed_is_no_effect_of_a_click() -> None:
    scene = Scene("click Transmit", element("e1 button Transmit"))
    scene.acts(UNVERIFIED)

    ended = scene.ends()

    assert ended.status is AppAgentStatus.FAIL
    assert ended.result == "the button 'Transmit' was clicked, and nothing on the screen has changed"


def test_a_container_that_comes_and_goes_with_the_focus_is_no_effect() -> None:
    scene = Scene("click Transmit", element("e1 button Transmit"), element("e2 group", states=("focused",)))
    scene.acts(UNVERIFIED)
    scene.elements = scene.elements[:1]

    assert scene.ends().status is AppAgentStatus.FAIL


def test_a_button_that_is_called_like_it_is_not_what_was_waited_for() -> None:
    scene = Scene(
        "wait until the total appears\nread it", element("e1 button Compute Total"), element("e2 label –", 30)
    )
    scene.acts()
    scene.becomes("e2", name="Total: 318.75")

    assert scene.ends().result == "318.75"


def test_the_name_of_a_thing_is_not_its_value() -> None:
    read_cell = Scene("read cell C5", element("e1 cell C5"), element("e2 cell C6", 20, value="77")).ends()
    read_button = Scene("read the total", element("e1 button Compute Total")).ends()

    assert read_cell.result == ""
    assert read_button.status is AppAgentStatus.FAIL
    assert read_button.result == "the button 'Compute Total' shows no value that could be read"


def test_what_a_dialog_says_is_read_without_its_buttons() -> None:
    parts = (
        element("e1 dialog Low Stock", states=("modal",)),
        element("e2 label Only three items left.", 20, parent="e1"),
        element("e3 button OK", 40, parent="e1"),
    )

    assert Scene("tell me what the message says", *parts).ends().result == "Only three items left."


def test_a_command_is_started_only_when_the_terminal_shows_it_whole() -> None:
    scene = Scene("run “uname -s”", element("e1 terminal Terminal", value="$ "))
    assert scene.acts(UNVERIFIED) == (Write(message="uname -s", target=OnElement(id="e1")),)
    scene.becomes("e1", value="$ unam")

    ended = scene.ends()

    assert ended.status is AppAgentStatus.FAIL
    assert ended.result == "the terminal does not show the command; it was not started"


def test_what_a_command_prints_is_read_when_the_prompt_is_back() -> None:
    scene = Scene("run “uname”\ntell me what it prints", element("e1 terminal Terminal", value="$ "))
    scene.acts(UNVERIFIED)
    scene.becomes("e1", value="$ uname")
    assert scene.acts() == (Press(keys=("enter",)),)
    scene.becomes("e1", value="$ uname\n")
    scene.decide()
    scene.becomes("e1", value="$ uname\nLinux\n$ ")

    assert scene.ends().result == "Linux"


def test_a_date_is_written_where_a_number_would_be_set() -> None:
    spin = element("e1 spinbutton Arrival:", value="2024-01-01", actions=("set_value",))
    scene = Scene("set the arrival to 2024-06-15", spin)

    assert scene.acts() == (Write(message="2024-06-15", target=OnElement(id="e1"), replace=True),)
    scene.becomes("e1", value="2024-06-15")
    assert scene.ends().status is AppAgentStatus.FINISH


def test_a_combo_box_that_can_be_written_in_is_written_in_when_its_list_does_not_open() -> None:
    combo = element("e1 combobox Title:", value="Mr")
    scene = Scene("choose Dr as Title", combo, element("e2 textbox", value="Mr", parent="e1", states=("editable",)))
    assert scene.acts(ActionResult(outcome="failed", text="it does not open")) == (
        SelectOption(target=OnElement(id="e1"), value="Dr"),
    )

    write, _ = scene.acts()

    assert write == Write(message="Dr", target=OnElement(id="e2"), replace=True)


def test_what_never_comes_is_waited_for_half_a_minute_and_takes_few_steps() -> None:
    scene, waited = Scene("wait until the report appears", element("e1 button Report Sales")), []
    while (decision := scene.decide()).actions:
        waited += [action.seconds for action in decision.actions if isinstance(action, Wait)]

    assert decision.status is AppAgentStatus.FAIL
    assert 30 <= sum(waited) <= 35
    assert len(waited) < 25
