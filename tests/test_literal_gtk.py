"""The embedded model on what GTK applications do their own way: menus behind buttons, settings further down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from deskhand.app import run
from deskhand.core.action import At, Click, Hotkey, OnElement, Press, Scroll, SetValue, Write
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Application, Window
from deskhand.core.status import AppAgentStatus, RunOutcome
from deskhand.models.literal import explain
from deskhand.session.session import SessionResult
from deskhand.settings import Settings
from tests.subtask import DONE, UNVERIFIED, Scene, element

PLAYER = Path(__file__).parent / "apps" / "player_gtk4.py"
TYPELIBS = "lib/*/girepository-1.0/Gtk-4.0.typelib"
gtk4 = pytest.mark.skipif(not any(Path("/usr").glob(TYPELIBS)), reason="needs gir1.2-gtk-4.0")
APPLICATIONS = (
    Application(id="org.gnome.Calculator", name="Calculator", program="gnome-calculator", categories=("Calculator",)),
    Application(id="galculator", name="Galculator", program="galculator"),
    Application(id="xfce4-terminal", name="Xfce Terminal", program="xfce4-terminal", categories=("TerminalEmulator",)),
    Application(id="org.xfce.settings", name="Terminal Preferences", program="xfce4-terminal"),
    Application(id="org.xfce.mousepad", name="Mousepad", categories=("TextEditor",), program="mousepad"),
)


def carry_out(request: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[SessionResult, dict[str, Any]]:
    entries, books = tmp_path / "share" / "applications", tmp_path / "books.json"
    entries.mkdir(parents=True)
    (entries / "org.example.Player.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Player\nExec=/usr/bin/python3 {PLAYER} {books}\n"
    )
    monkeypatch.setenv("XDG_DATA_DIRS", f"{tmp_path / 'share'}:/usr/share")
    settings = Settings(device="linux:virtual,size=1000x700", runs=str(tmp_path / "runs"))
    return anyio.run(lambda: run(request, settings=settings)), json.loads(books.read_text())


@gtk4
def test_a_mode_is_found_in_the_menu_of_a_button(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, state = carry_out("Open the Player and switch to karaoke mode", tmp_path, monkeypatch)

    assert state.get("mode") == "Karaoke"
    assert result.outcome is RunOutcome.FINISHED, result.answer


@gtk4
def test_a_setting_is_scrolled_to_in_the_preferences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = "In the Player, turn on Night Light in the preferences and close the preferences"

    result, state = carry_out(request, tmp_path, monkeypatch)

    assert (state.get("Night Light"), state.get("settings")) == (True, "closed")
    assert result.outcome is RunOutcome.FINISHED, result.answer


@gtk4
def test_a_button_that_does_nothing_is_not_said_to_have_worked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, _ = carry_out("In the Player, click Ignore Me", tmp_path, monkeypatch)

    assert result.outcome is RunOutcome.FAILED
    assert "nothing on the screen has changed" in (result.answer or "")


@pytest.mark.parametrize(
    ("request_", "applications"),
    [
        ("In gnome-calculator compute (3+4)*6", ["Calculator"]),
        ("open xfce4-terminal", ["Xfce Terminal"]),
        ("In mousepad, tick Beep in the preferences", ["Mousepad", "Mousepad"]),
        ("In mousepad open the preferences, then close the preferences", ["Mousepad", "Mousepad"]),
        ("In the mousepad preferences untick Beep", ["Mousepad", "Mousepad"]),
        ("In galculator press 7 and close the calculator", ["Galculator", "Galculator"]),
    ],
)
def test_an_application_is_meant_by_its_program_and_nothing_by_a_word_every_one_has(
    request_: str, applications: list[str]
) -> None:
    assert [line.application for line in explain(request_, APPLICATIONS)] == applications


@pytest.mark.parametrize(
    ("request_", "lines"),
    [
        ("choose Wide via the Mode menu", [("menu", "choose Wide from the Mode menu")]),
        (
            "switch it to Scientific Mode using the View menu",
            [("menu", "choose Scientific Mode from the View menu")],
        ),
        (
            "untick Beep in the settings",
            [("command preferences", "open the preferences"), ("toggle off", "untick Beep")],
        ),
        ("find and replace “cat” with “dog”", [("substitute", "find and replace “cat” with “dog”")]),
        ("press 7, then multiply by 6", [("press or_click", "press 7"), ("operate *", "multiply by 6")]),
        ("start the scan", [("open start", "start the scan")]),
        ("read me the total", [("read", "read me the total")]),
        ("sort the processes by PID", [("sort", "sort the processes by PID")]),
        ("sort the list by Size", [("sort", "sort the list by Size")]),
        ("create a new appointment titled Dentist", [("new_thing", "create a new appointment titled Dentist")]),
    ],
)
def test_clauses_are_read_as_people_mean_them(request_: str, lines: list[tuple[str, str]]) -> None:
    window = Window(id="0x1", title="Form", app="form", box=Box(0, 0, 9, 9), active=True)

    assert [(line.kind, line.text) for line in explain(request_, (), (window,))] == lines


def calculator(*, shows: str) -> list[Any]:
    keys = [element(f"e{n + 2} button {sign}", 20 * n) for n, sign in enumerate("0123456789×+=")]
    return [element("e1 textbox", value=shows, states=("readonly",)), *keys]


def test_a_shown_number_is_worked_on_and_checked() -> None:
    scene = Scene("multiply by 6", *calculator(shows="7"))

    assert scene.acts() == tuple(Click(target=OnElement(id=key)) for key in ("e12", "e8", "e14"))
    scene.becomes("e1", value="42")
    assert scene.ends().result == "42"

    scene = Scene("multiply by 6", *calculator(shows="7"))
    scene.acts()
    scene.becomes("e1", value="13")
    assert scene.ends().status is AppAgentStatus.FAIL


def test_a_click_without_effect_has_failed() -> None:
    scene = Scene("click Go", element("e1 button Go"))
    scene.acts(UNVERIFIED)

    ended = scene.ends()

    assert (ended.status, ended.result) == (
        AppAgentStatus.FAIL,
        "the button 'Go' was clicked, and nothing on the screen has changed",
    )


def test_what_is_further_down_is_scrolled_to_by_the_bar() -> None:
    bar = element("e1 scrollbar").model_copy(update={"box": Box(90, 0, 100, 200)})
    scene = Scene("turn on Sound", bar, element("e2 switch Light", 20))
    for _ in range(4):
        assert not any(isinstance(action, Scroll) for action in scene.acts())

    assert scene.acts() == (Scroll(clicks=-4, target=At(point=Point(95, 100))),)
    scene.elements = (bar, element("e3 switch Sound", 20))
    assert scene.acts() == (Click(target=OnElement(id="e3")),)


def test_a_part_of_a_name_is_taken_from_a_menu_only_when_no_other_menu_has_all_of_it() -> None:
    first, second = element("e1 button Menu"), element("e2 button More", 20)
    party = (element("e3 menu", 40), element("e4 menuitemradio Party", 60, parent="e3"))
    scene = Scene("switch to party mode", first, second)
    while scene.acts() != (Click(target=OnElement(id="e1")),):
        pass
    scene.elements = (first, second, *party)
    assert scene.acts() == (Press(keys=("esc",)), Click(target=OnElement(id="e2")))
    scene.elements = (first, second, element("e5 menu", 40), element("e6 menuitem Party Mode", 60, parent="e5"))
    assert scene.acts() == (Click(target=OnElement(id="e6")),)

    scene = Scene("switch to party mode", first)
    while scene.acts() != (Click(target=OnElement(id="e1")),):
        pass
    scene.elements = (first, *party)
    assert scene.acts()[0] == Press(keys=("esc",))
    scene.elements = (first,)
    assert scene.acts() == (Click(target=OnElement(id="e1")),)
    scene.elements = (first, *party)
    assert scene.acts() == (Click(target=OnElement(id="e4")),)


@pytest.mark.parametrize("request_", ["choose Delete", "click Delete"])
def test_what_only_resembles_an_item_in_its_sense_is_not_done_by_it(request_: str) -> None:
    bar = (element("e1 menubar"), element("e2 menu Edit", parent="e1"), element("e3 menu Record", 20, parent="e1"))
    edit = element("e4 menuitem Remove Record…", 60, parent="e2")
    scene = Scene(request_, *bar)
    while scene.acts() != (Click(target=OnElement(id="e2")),):
        pass
    scene.elements = (*bar, edit)
    assert scene.acts() == (Press(keys=("esc",)), Click(target=OnElement(id="e3")))
    scene.elements = (*bar, element("e5 menuitem Delete…", 60, parent="e3"))
    assert scene.acts() == (Click(target=OnElement(id="e5")),)


def test_a_search_that_finds_while_one_types_needs_no_return() -> None:
    field = element("e1 textbox Search", states=("editable",))
    scene = Scene("search for cat", field, element("e2 listitem cat", 20), element("e3 listitem dog", 40))

    assert scene.acts() == (Write(message="cat", target=OnElement(id="e1"), replace=True),)
    scene.elements = (field.model_copy(update={"value": "cat"}), element("e2 listitem cat", 20))
    assert scene.decide().status is AppAgentStatus.FINISH

    scene = Scene("search for cat", field, element("e2 listitem cat", 20))
    scene.acts()
    assert scene.acts() == (Press(keys=("enter",)),)


def test_starting_something_presses_what_starts_it_and_not_its_page() -> None:
    tab = element("e1 tab Stopwatch")
    scene = Scene("start the stopwatch", tab)

    assert scene.acts() == (Click(target=OnElement(id="e1")),)
    scene.elements = (tab.model_copy(update={"states": ("selected",)}), element("e2 button Start", 20))
    assert scene.acts() == (Click(target=OnElement(id="e2")),)
    scene.becomes("e2", name="Pause")
    assert scene.decide().status is AppAgentStatus.FINISH


def test_what_asks_back_is_not_made_yet() -> None:
    scene = Scene("create a new archive", element("e1 button New"))
    assert scene.acts() == (Click(target=OnElement(id="e1")),)
    scene.elements += (element("e2 dialog New archive", 20, states=("modal", "active")),)

    asked = scene.decide()

    assert asked.status is AppAgentStatus.PENDING
    assert "the application asks: New archive" in asked.questions[0]


def test_a_file_is_opened_by_the_dialog_where_there_is_no_field_for_a_path() -> None:
    scene = Scene("open /tmp/a.png", element("e1 img"))

    assert scene.acts(UNVERIFIED) == (Hotkey(keys=("ctrl", "l")),)
    while (acts := scene.acts(DONE)) != (Hotkey(keys=("ctrl", "o")),):
        assert len(acts) == 1


def test_what_stands_alone_in_a_group_is_called_like_the_group() -> None:
    field = element("e2 spinbutton Kept to save time", 20, parent="e1", value="0", states=("editable",))
    scene = Scene("set the archive threshold to 6", element("e1 group Archive threshold (months)"), field)

    assert scene.acts() == (SetValue(target=OnElement(id="e2"), value="6"),)
    scene.becomes("e2", value="6")
    assert scene.decide().status is AppAgentStatus.FINISH


def test_a_button_that_shows_something_else_than_a_menu_is_shut_again_before_the_next() -> None:
    buttons = (element("e1 button Files", states=("haspopup",)), element("e2 button Look", 20, states=("haspopup",)))
    scene = Scene("click Zigzag", *buttons)
    while scene.acts() != (Click(target=OnElement(id="e1")),):
        pass
    scene.becomes("e1", states=("haspopup", "pressed"))

    assert scene.acts() == (Press(keys=("esc",)), Click(target=OnElement(id="e2")))
