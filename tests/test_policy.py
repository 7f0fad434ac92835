from __future__ import annotations

import anyio
import pytest

from deskhand.core.action import Action, At, Click, Hotkey, OnElement, OpenApp, Press, SetValue, Write
from deskhand.core.errors import DeskhandError
from deskhand.core.event import ActionStarted, Judged
from deskhand.core.geometry import Box, Point, Size
from deskhand.core.observation import Element, Image, Observation, Window
from deskhand.core.status import RunOutcome
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.paper import app, assign, click, context, events, host, one_subtask, session

WINDOW = Window(id="w", title="letter.txt - Editor", app="editor", pid=1, box=Box.at(0, 0, 400, 300), active=True)


def element(number: int, role: str, name: str, *, parent: str = "", states: tuple[str, ...] = ()) -> Element:
    box = Box.at(10, 20 * number, 100, 18)
    return Element(id=f"e{number}", role=role, name=name, parent=parent, box=box, states=states, window="w")


def seen(*elements: Element, window: Window = WINDOW) -> Observation:
    return Observation(
        screen=Image(sha256="0", size=Size(400, 300)), elements=elements, windows=(window,), window=window.id
    )


def verdict(action: Action, *elements: Element, rules: tuple[Rule, ...] = (), window: Window = WINDOW) -> str:
    return Policy(rules).judge(action, seen(*elements, window=window), window.id).verdict


ON_E1 = Click(target=OnElement(id="e1"))


@pytest.mark.parametrize(
    "name",
    ["Delete", "Move to Trash", "Send", "Send Now", "Pay now", "Buy", "Place order", "Install", "Upgrade",
     "Uninstall", "Replace", "Overwrite", "Löschen", "Senden", "Supprimer", "删除", "发送", "DELETE ALL", "Discard"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["button", "menuitem", "link"])
def test_risky_controls_need_leave(name: str, role: str) -> None:
    assert verdict(ON_E1, element(1, role, name)) == "ask"


@pytest.mark.parametrize(
    "name", ["Save", "OK", "Undelete list?"[:4], "Sender", "Payment history", "Cancel", "Open", "Deleted items", "Sort"]
)
def test_harmless_controls_pass(name: str) -> None:
    assert verdict(ON_E1, element(1, "button", name)) == "allow"


def test_a_field_that_is_called_like_a_risk_is_none() -> None:
    assert verdict(ON_E1, element(1, "textbox", "Send to")) == "allow"


def test_a_click_at_a_point_is_judged_by_what_lies_under_it() -> None:
    at = Click(target=At(point=Point(20, 25)))

    assert verdict(at, element(1, "button", "Delete")) == "ask"
    assert verdict(at, element(1, "button", "Save")) == "allow"


def test_a_label_inside_a_button_is_judged_as_the_button() -> None:
    button = Element(id="e1", role="button", name="Delete", box=Box.at(0, 0, 100, 100), window="w")
    icon = Element(id="e2", role="img", name="", parent="e1", box=Box.at(10, 10, 20, 20), window="w")

    assert verdict(Click(target=At(point=Point(15, 15))), button, icon) == "ask"


@pytest.mark.parametrize("action", [Press(keys=("Return",)), Press(keys=("space",)), Hotkey(keys=("enter",))])
def test_keys_that_trigger_are_judged_by_the_focus(action: Action) -> None:
    assert verdict(action, element(1, "button", "Delete", states=("focused",))) == "ask"
    assert verdict(action, element(1, "button", "Save", states=("focused",))) == "allow"


def test_return_in_a_dialog_is_judged_by_its_riskiest_button() -> None:
    dialog = (
        element(1, "dialog", "Question"),
        element(2, "button", "Cancel", parent="e1"),
        element(3, "button", "Replace", parent="e1"),
    )

    assert verdict(Press(keys=("Return",)), *dialog) == "ask"
    assert verdict(Press(keys=("Escape",)), *dialog) == "allow"
    assert verdict(Write(message="x\n"), *dialog) == "ask"


@pytest.mark.parametrize(
    "action",
    [Write(message="x"), Write(message="x", target=OnElement(id="e1")), SetValue(target=OnElement(id="e1"), value="x")],
)
def test_typing_into_a_password_field_needs_leave(action: Action) -> None:
    assert verdict(action, element(1, "password", "Password", states=("focused",))) == "ask"


def test_replacing_the_file_that_is_being_edited_does_not() -> None:
    question = element(1, "alert", "A file named “letter.txt” already exists. Do you want to replace it?")

    assert verdict(Click(target=OnElement(id="e2")), question, element(2, "button", "Replace")) == "allow"
    other = element(1, "alert", "A file named “other.txt” already exists.")
    assert verdict(Click(target=OnElement(id="e2")), other, element(2, "button", "Replace")) == "ask"


def test_a_rule_of_the_user_comes_before_the_built_in_ones() -> None:
    rules = (Rule(name="mine", verdict="allow", text="^Delete$", role=("button",)),)

    assert verdict(ON_E1, element(1, "button", "Delete"), rules=rules) == "allow"


def test_a_deny_holds_before_all_else() -> None:
    rules = (
        Rule(name="mine", verdict="allow", role=("button",)),
        Rule(name="never", verdict="deny", text="Delete"),
    )

    assert verdict(ON_E1, element(1, "button", "Delete"), rules=rules) == "deny"


@pytest.mark.parametrize(
    ("rule", "action", "expected"),
    [
        (Rule(name="r", verdict="ask", keys="ctrl+q"), Hotkey(keys=("Control", "q")), "ask"),
        (Rule(name="r", verdict="ask", keys="ctrl+q"), Hotkey(keys=("ctrl", "w")), "allow"),
        (Rule(name="r", verdict="deny", application="editor"), Write(message="x"), "deny"),
        (Rule(name="r", verdict="deny", application="browser"), Write(message="x"), "allow"),
        (Rule(name="r", verdict="ask", text="rm -rf"), Write(message="sudo rm -rf /"), "ask"),
        (Rule(name="r", verdict="deny", path="/etc/*"), Write(message="/etc/passwd"), "deny"),
        (Rule(name="r", verdict="deny", path="/etc/*"), Write(message="/home/me/x"), "allow"),
        (Rule(name="r", verdict="deny", action=("open_app",)), OpenApp(app_name="x"), "deny"),
    ],
)
def test_rules_fit_by_each_of_their_conditions(rule: Rule, action: Action, expected: str) -> None:
    assert verdict(action, element(1, "textbox", "Text", states=("focused",)), rules=(rule,)) == expected


def test_what_is_refused_is_told_to_the_model_and_not_done() -> None:
    desk = PaperDesk()
    model = one_subtask(app("CONTINUE", click("e102")), app("FINISH"))
    made = context(model, desk=desk)

    assert anyio.run(session(made).run).outcome is RunOutcome.FINISHED
    assert [a.kind for a in desk.done] == ["open_app"]
    judged = events(made, Judged)[0]
    assert (judged.rule, judged.allowed, judged.by) == ("deleting", False, "nobody there")
    assert "deleting was refused" in model.requests[2].model_dump_json()


def test_leave_for_one_action_does_not_carry_to_the_next() -> None:
    user = ScriptedUser(confirms=[True, False])
    desk = PaperDesk()
    model = one_subtask(app("CONTINUE", click("e102")), app("CONTINUE", click("e102")), app("FINISH"))
    anyio.run(session(context(model, desk=desk, user=user)).run)

    assert desk.windows[0].presses == 1
    assert len(user.asked) == 2
    assert "Delete" in user.asked[0]


def test_yes_answers_an_ask_and_never_lifts_a_deny() -> None:
    desk = PaperDesk()
    rules = (Rule(name="never ok", verdict="deny", text="^OK$"),)
    model = one_subtask(app("CONTINUE", click("e102")), app("CONTINUE", click("e101")), app("FINISH"))
    made = context(model, desk=desk, rules=rules, allow_all=True)
    anyio.run(session(made).run)

    assert desk.windows[0].presses == 1
    assert [(j.rule, j.allowed, j.by) for j in events(made, Judged)] == [
        ("deleting", True, "--yes"),
        ("never ok", False, "policy"),
    ]


def test_the_question_comes_before_the_action_is_begun() -> None:
    made = context(one_subtask(app("CONTINUE", click("e102")), app("FINISH")), user=ScriptedUser(confirms=[True]))
    anyio.run(session(made).run)

    kinds = [r.event.kind for r in made.journal.records() if isinstance(r.event, Judged | ActionStarted)]
    assert kinds[-2:] == ["judged", "action.started"]


def test_a_fault_in_the_asking_counts_as_no() -> None:
    class Broken(ScriptedUser):
        async def confirm(self, question: str) -> bool | None:
            raise DeskhandError("no terminal")

    desk = PaperDesk()
    model = ScriptedModel(host=[assign(), host("FAIL")], app=[app("CONTINUE", click("e102")), app("FAIL")])
    anyio.run(session(context(model, desk=desk, user=Broken())).run)

    assert desk.windows[0].presses == 0
