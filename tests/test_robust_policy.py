"""Ways around the policy gate that are none."""

from __future__ import annotations

import anyio
import pytest

from deskhand.core.action import (
    Action,
    ActionResult,
    At,
    Click,
    CloseWindow,
    Hotkey,
    KeyDown,
    KeyUp,
    MoveTo,
    OnElement,
    OpenApp,
    OpenUrl,
    Press,
    SelectOption,
    Write,
)
from deskhand.core.geometry import Box, Point, Size
from deskhand.core.observation import Application, Element, Image, Observation, Window
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.testing import PaperDesk, ScriptedModel
from tests.paper import context

WINDOWS = (
    Window(id="w", title="Delete?", app="editor", pid=1, box=Box.at(0, 0, 400, 300), active=True),
    Window(id="other", title="drawing", app="gimp", pid=2, box=Box.at(0, 0, 400, 300)),
)


def element(name: str, role: str = "button", *states: str, top: int = 0, parent: str = "") -> Element:
    return Element(id=name, role=role, name=name, box=Box.at(0, top, 80, 20), states=states, window="w", parent=parent)


QUESTION = element("Question", "dialog", top=200)
DELETE = element("Delete", top=20, parent="Question")
CANCEL = element("Cancel", "button", "focused", top=40, parent="Question")
NAME = element("Name", "textbox", "focused", top=60, parent="Question")
ROW = element("Row", "listitem", "focused", top=80, parent="Question")
PASSWORD = element("Password", "password", "focused", top=100)


def seen(*elements: Element) -> Observation:
    return Observation(
        screen=Image(sha256="0", size=Size(400, 300)),
        elements=elements,
        windows=WINDOWS,
        applications=(Application(id="org.gimp", name="GIMP"),),
        window="w",
    )


def verdict(action: Action, *elements: Element, rules: tuple[Rule, ...] = ()) -> str:
    return Policy(rules).judge(action, seen(*elements), "w").verdict


@pytest.mark.parametrize(
    "action",
    [
        Hotkey(keys=("ctrl", "Return")),
        Hotkey(keys=("shift", "Return")),
        KeyDown(key="Return"),
        KeyDown(key="space"),
        Press(keys=("KP_Enter",)),
        Press(keys=("ctrl+Return",)),
        Write(message="a\nb"),
        Write(message="a\r"),
        Write(message="a\n", target=OnElement(id="Name")),
        Hotkey(keys=("alt", "d")),
        Hotkey(keys=("Alt_L", "D")),
    ],
)
@pytest.mark.parametrize("focus", [NAME, ROW])
def test_every_key_that_may_trigger_a_dialogs_button_is_judged_by_it(action: Action, focus: Element) -> None:
    assert verdict(action, QUESTION, DELETE, NAME, focus) == "ask"


@pytest.mark.parametrize(
    "action",
    [Press(keys=("tab", "Return")), Press(keys=("left", "space")), Write(message="a\t ")],
)
def test_keys_that_move_the_focus_before_one_triggers_are_judged_by_what_they_may_reach(action: Action) -> None:
    assert verdict(action, QUESTION, DELETE, CANCEL) == "ask"


@pytest.mark.parametrize(
    "action", [Press(keys=("Return",)), Hotkey(keys=("alt", "n")), Click(target=OnElement(id="Cancel"))]
)
def test_what_triggers_a_harmless_button_passes(action: Action) -> None:
    assert verdict(action, QUESTION, DELETE, CANCEL) == "allow"


def test_a_click_where_the_pointer_is_is_judged_by_all_it_may_be_over() -> None:
    assert verdict(Click(), QUESTION, DELETE, CANCEL) == "ask"
    assert verdict(Click(), QUESTION, CANCEL) == "allow"


def test_a_click_is_judged_by_every_control_under_the_point_that_may_be_on_top() -> None:
    small = Element(id="s", role="label", name="small", box=Box.at(30, 25, 4, 4), window="w")
    covered = DELETE.model_copy(update={"states": ("covered",)})
    point = At(point=Point(31, 26))

    assert verdict(Click(target=point), DELETE, small) == "ask"
    assert verdict(Click(target=point), covered, small) == "allow"
    assert verdict(MoveTo(target=point), DELETE, small) == "allow"  # triggers nothing


@pytest.mark.parametrize("action", [Hotkey(keys=("ctrl", "v")), Hotkey(keys=("shift", "Insert")), KeyDown(key="a")])
def test_pasting_into_a_password_field_needs_leave_too(action: Action) -> None:
    assert verdict(action, PASSWORD) == "ask"


@pytest.mark.parametrize(
    "name", ["_Delete", "D_elete", "De\u200blete", "Ｄｅｌｅｔｅ", "Move to Bin", "Empty Recycle Bin"]
)
def test_a_name_is_read_as_a_person_reads_it(name: str) -> None:
    assert verdict(Click(target=OnElement(id=name)), element(name)) == "ask"


def test_an_option_is_judged_by_what_is_chosen() -> None:
    box = element("Action", "combobox")

    assert verdict(SelectOption(target=OnElement(id="Action"), value="Delete"), box) == "ask"
    assert verdict(SelectOption(target=OnElement(id="Action"), value="Keep"), box) == "allow"


def test_what_nobody_has_seen_needs_leave() -> None:
    assert verdict(Click(target=OnElement(id="e99")), CANCEL) == "ask"


NO_GIMP = Rule(name="no", verdict="deny", application="gimp")


@pytest.mark.parametrize(
    "action", [OpenApp(app_name="gimp"), OpenApp(app_name="org.GIMP"), CloseWindow(window="other")]
)
def test_an_application_is_the_one_that_is_acted_on(action: Action) -> None:
    assert verdict(action, rules=(NO_GIMP,)) == "deny"


@pytest.mark.parametrize("action", [OpenApp(app_name="mousepad"), CloseWindow(window="w")])
def test_a_rule_for_an_application_leaves_the_others_alone(action: Action) -> None:
    assert verdict(action, rules=(NO_GIMP,)) == "allow"
    assert verdict(OpenApp(app_name="x"), rules=(Rule(name="no", verdict="deny", application="editor"),)) == "allow"


@pytest.mark.parametrize(
    "text",
    ["/etc/passwd", 'cat "/etc/passwd"', "(/etc/passwd)", "x=/etc/passwd", "//etc/passwd", "/tmp/../etc/passwd",
     "file:///etc/passwd", "a\n/etc/passwd", "/etc/./x y/z", "“/etc/hosts”"],
)  # fmt: skip
def test_a_path_is_found_however_it_is_written(text: str) -> None:
    rules = (Rule(name="no", verdict="deny", path="/etc/*"),)

    assert verdict(Write(message=text), NAME, rules=rules) == "deny"
    assert verdict(OpenUrl(url=text), rules=rules) == "deny"


@pytest.mark.parametrize("text", ["/home/etc/x", "a/etc/passwd", "https://example.org/etc/x", "etc/x"])
def test_what_only_looks_like_a_path_is_none(text: str) -> None:
    assert verdict(Write(message=text), NAME, rules=(Rule(name="no", verdict="deny", path="/etc/*"),)) == "allow"


def test_an_element_of_a_window_that_is_not_looked_at_is_judged_as_it_was_shown() -> None:
    desk = PaperDesk()
    made = context(ScriptedModel(), desk=desk)

    async def main() -> str:
        first = (await made.dispatcher.dispatch(OpenApp(app_name="editor"))).value
        delete = next(e for e in (await made.dispatcher.observe()).elements if e.name == "Delete")
        await made.dispatcher.dispatch(OpenApp(app_name="calculator"))
        shown = await made.dispatcher.observe()
        assert shown.element(delete.id) is None
        assert first != shown.window
        return (await made.dispatcher.dispatch(Click(target=OnElement(id=delete.id)))).text

    assert "deleting was refused" in anyio.run(main)
    assert [w.presses for w in desk.windows] == [0, 0]


def test_keys_that_are_held_count() -> None:
    made = context(ScriptedModel(), desk=PaperDesk(outcome=ActionResult(outcome="unverified")))
    texts: list[str] = []

    async def main() -> None:
        await made.dispatcher.dispatch(OpenApp(app_name="editor"))
        for action in (KeyDown(key="shift"), Press(keys=("Delete",)), KeyUp(key="shift"), Press(keys=("Delete",))):
            texts.append((await made.dispatcher.dispatch(action)).text)

    anyio.run(main)

    assert ["refused" in text for text in texts] == [False, True, False, False]
