"""The embedded model as app agent: one clause a step, grounded on what is shown, and done only when it holds."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from deskhand.core.action import ActionResult, Click, Hotkey, OnElement, Press, SetValue, Wait, Write
from deskhand.core.observation import Element
from deskhand.core.status import AppAgentStatus
from tests.subtask import UNVERIFIED, Scene, element


def test_a_clause_is_done_only_when_its_effect_is_seen() -> None:
    scene = Scene("check Bold\nclick OK", element("e1 checkbox Bold"), element("e2 button OK", 30))

    assert scene.acts() == (Click(target=OnElement(id="e1")),)
    assert scene.acts() == (SetValue(target=OnElement(id="e1"), value="on"),)  # it is still off: another way
    failed = scene.ends()

    assert failed.status is AppAgentStatus.FAIL
    assert "'Bold' does not stay on" in failed.result


def test_the_next_clause_follows_in_the_step_that_sees_the_effect() -> None:
    scene = Scene("check Bold\nclick OK", element("e1 checkbox Bold"), element("e2 button OK", 30))
    scene.acts()
    scene.becomes("e1", states=("checked",))

    assert scene.acts() == (Click(target=OnElement(id="e2")),)
    finished = scene.decide()

    assert (finished.status, finished.actions) == (AppAgentStatus.FINISH, ())
    assert finished.result == "the checkbox 'Bold' is on; clicked the button 'OK'"


def test_what_holds_already_is_left_alone() -> None:
    scene = Scene("turn on Bold", element("e1 switch Bold", states=("checked",)))

    assert scene.decide().result == "the switch 'Bold' was on already"


def test_a_text_counts_as_written_when_the_field_holds_it() -> None:
    scene = Scene("type “007” into the Code field", element("e1 textbox Code:", states=("editable",), value="1"))

    assert scene.acts(UNVERIFIED) == (Write(message="007", target=OnElement(id="e1"), replace=True),)
    scene.becomes("e1", value="007")

    assert scene.decide().status is AppAgentStatus.FINISH


def test_a_text_that_was_cut_off_by_the_field_is_not_said_to_be_written() -> None:
    scene = Scene("type Anna Maria into the Code field", element("e1 textbox Code:", states=("editable",)))
    scene.acts(ActionResult(outcome="failed", text="it holds 'Anna '"))
    scene.becomes("e1", value="Anna ")

    assert scene.ends().status is AppAgentStatus.FAIL


@pytest.mark.parametrize("value", ["007", "a\nb\n", "  spaces  ", "“quoted” {{x}}", "x" * 20_000, "你好 😀"])
def test_a_value_of_the_blackboard_is_written_unchanged(value: str) -> None:
    area = element("e1 textbox", states=("editable", "multiline", "focused"))
    scene = Scene("write {{order no}}", area, board={"order no": value})

    assert scene.acts() == (Write(message=value, target=OnElement(id="e1")),)


def test_a_value_that_is_read_is_the_result_and_stands_on_the_blackboard_under_its_name() -> None:
    total = element("e1 label Total: 42.50 EUR")
    scene = Scene("read the total (call it {{total}})", total)

    decision = scene.decide()

    assert (decision.status, decision.result, decision.blackboard) == (
        AppAgentStatus.FINISH,
        "42.50 EUR",
        {"total": "42.50 EUR"},
    )


def test_a_value_that_was_never_written_is_missed() -> None:
    scene = Scene("write {{total}}", element("e1 textbox", states=("editable",)), board={"other": "1"})

    assert scene.decide().result == "there is no value called 'total' on the blackboard; there are: other"


KEYS = tuple(element(f"e{n} button {name}", n) for n, name in enumerate("0123456789.+-*/=C"))
DISPLAY = element("e99 textbox", 40, value="0", states=("readonly",))


def test_a_sum_is_worked_out_by_the_calculator_and_what_it_shows_is_checked() -> None:
    scene = Scene("compute 12.5 * 8", *KEYS, DISPLAY)

    pressed = [
        next(k.name for k in KEYS if OnElement(id=k.id) == a.target) for a in scene.acts() if isinstance(a, Click)
    ]
    scene.becomes("e99", value="100")

    assert "".join(pressed) == "C12.5*8="
    assert scene.decide().result == "100"


def test_a_calculator_that_shows_something_else_is_not_believed() -> None:
    scene = Scene("compute 12.5 * 8", *KEYS, DISPLAY)
    scene.acts()
    scene.becomes("e99", value="101")

    tried_by_keys = scene.ends()

    assert tried_by_keys.actions[0] == Press(keys=("esc",))
    assert "it shows '101'" in scene.ends().result


def test_several_things_that_fit_are_asked_about_and_the_answer_counts() -> None:
    scene = Scene("click Edit", element("e1 button Edit"), element("e2 button Edit", 30))
    asked = scene.decide()
    scene.answers.append((asked.questions[0], "the second one"))

    assert asked.status is AppAgentStatus.PENDING
    assert "button 'Edit' (e1); button 'Edit' (e2)" in asked.questions[0]
    assert scene.acts() == (Click(target=OnElement(id="e2")),)


def test_an_answer_may_call_it_off() -> None:
    scene = Scene("click Edit", element("e1 button Edit"), element("e2 button Edit", 30))
    scene.answers.append((scene.decide().questions[0], "stop"))

    assert scene.decide().status is AppAgentStatus.FAIL


def test_nothing_that_fits_is_asked_about_after_looking_again() -> None:
    scene = Scene("click Frobnicate", element("e1 button OK"))

    asked = scene.ends()

    assert (asked.status, asked.actions) == (AppAgentStatus.PENDING, ())
    assert "nothing here fits 'Frobnicate'" in asked.questions[0]


def test_what_appears_a_little_later_is_still_found() -> None:
    scene = Scene("click Late", element("e1 button OK"))
    assert scene.acts() == (Wait(seconds=0.2),)
    scene.elements += (element("e2 button Late", 30),)

    assert scene.acts() == (Click(target=OnElement(id="e2")),)


def test_what_is_greyed_out_is_not_clicked() -> None:
    scene = Scene("click Pay", element("e1 button Pay", states=("disabled",)))

    failed = scene.ends()

    assert failed.status is AppAgentStatus.FAIL
    assert "greyed out" in failed.result


def test_a_menu_is_looked_into_before_its_item_is_asked_about() -> None:
    bar = (
        element("e1 menubar"),
        element("e2 menu File", parent="e1"),
        element("e3 menu Help", 20, parent="e1"),
    )
    scene = Scene("choose Zoom In", *bar)

    while (acted := scene.acts()) and isinstance(acted[0], Wait):
        pass
    assert acted == (Click(target=OnElement(id="e2")),)
    scene.elements += (element("e4 menuitem Zoom In", 40, parent="e2"),)

    assert scene.acts() == (Click(target=OnElement(id="e4")),)


def test_a_conditional_clause_is_skipped_when_its_condition_does_not_show() -> None:
    scene = Scene("if a warning appears, click Continue", element("e1 button Continue"))

    decision = scene.decide()

    assert (decision.status, decision.actions) == (AppAgentStatus.FINISH, ())
    assert "does not show" in decision.result


def test_keys_are_pressed_and_a_button_of_that_name_comes_first() -> None:
    assert Scene("press Ctrl+Shift+S", element("e1 textbox")).acts() == (Hotkey(keys=("ctrl", "shift", "s")),)
    assert Scene("press Tab three times", element("e1 textbox")).acts() == (Press(keys=("tab",), presses=3),)
    assert Scene("press 5", element("e1 button 5")).acts() == (Click(target=OnElement(id="e1")),)


def saving(*dialog: Element) -> Scene:
    scene = Scene("save it under /tmp/a.txt", element("e1 textbox", states=("editable", "multiline"), value="x"))
    assert scene.acts() == (Hotkey(keys=("ctrl", "shift", "s")),)
    scene.elements += dialog
    return scene


FILE_DIALOG = (
    element("e10 dialog Save As", states=("modal", "active")),
    element("e11 textbox Name:", parent="e10", states=("editable", "focused")),
    element("e12 button Cancel", 30, parent="e10"),
    element("e13 button Save", 60, parent="e10"),
)


def test_saving_under_a_path_enters_it_whole_and_looks_at_the_title() -> None:
    scene = saving(*FILE_DIALOG)
    assert scene.acts() == (Write(message="/tmp/a.txt", target=OnElement(id="e11"), replace=True),)
    scene.becomes("e11", value="/tmp/a.txt")
    assert scene.acts() == (Click(target=OnElement(id="e13")),)
    scene.elements = scene.elements[:1]
    scene.windows = (scene.windows[0].model_copy(update={"title": "/tmp/a.txt - Editor"}),)

    decision = scene.decide()

    assert (decision.status, decision.result) == (
        AppAgentStatus.FINISH,
        "saved under /tmp/a.txt (the window is called '/tmp/a.txt - Editor')",
    )


def test_replacing_a_file_is_left_to_the_gate_and_given_up_when_it_says_no() -> None:
    scene = saving(*FILE_DIALOG)
    scene.acts()
    scene.becomes("e11", value="/tmp/a.txt")
    scene.acts()
    scene.elements += (
        element("e20 alert Question", states=("modal", "active")),
        element("e21 label A file named “a.txt” already exists. Replace it?", parent="e20"),
        element("e22 button Cancel", 30, parent="e20"),
        element("e23 button Replace", 60, parent="e20"),
    )

    assert scene.acts(ActionResult(outcome="failed", text="not allowed: replacing a file")) == (
        Click(target=OnElement(id="e23")),
    )
    assert scene.acts() == (Click(target=OnElement(id="e22")),)  # what is open is closed before it is given up
    scene.elements = scene.elements[:1]

    failed = scene.ends()

    assert failed.status is AppAgentStatus.FAIL
    assert "not allowed: replacing a file" in failed.result


def test_a_clause_that_cannot_be_read_fails_instead_of_being_guessed() -> None:
    failed = Scene("frobnicate the widget", element("e1 button OK")).decide()

    assert failed.status is AppAgentStatus.FAIL
    assert "“frobnicate the widget” cannot be read" in failed.result


def test_a_subtask_that_is_taken_up_anew_starts_from_its_first_clause() -> None:
    scene = Scene("click A\nclick B", element("e1 button A"), element("e2 button B", 30))
    scene.acts()
    assert scene.acts() == (Click(target=OnElement(id="e2")),)
    again = Scene("click A\nclick B", *scene.elements)
    again._plan = scene._plan  # left over from the run that was cut off

    assert again.acts() == (Click(target=OnElement(id="e1")),)


def test_a_step_on_three_hundred_elements_takes_a_few_milliseconds() -> None:
    many: Sequence[Element] = [element(f"e{n} button Number {n}", n) for n in range(300)]
    scene = Scene("click Number 298", *many)
    scene.decide()

    started = time.process_time()
    Scene("click Number 299", *many).decide()

    assert time.process_time() - started < 0.1
