"""What lies behind something else has no mark, and what a dialog blocks is hardly told."""

from __future__ import annotations

import pytest

from deskhand.core.geometry import Box, Size
from deskhand.core.message import ElementsPart, WindowsPart
from deskhand.core.observation import Element, Window
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.render import render_parts
from deskhand.perception.covering import blocked, uncovered
from deskhand.perception.marks import markable, place_labels

MAIN = Window(id="main", title="Main", box=Box(0, 0, 800, 600))
FIND = Window(id="find", title="Find", box=Box(300, 100, 700, 500), active=True, dialog_of="main")
SAVE = FIND.model_copy(update={"id": "save", "title": "Save", "modal": True})
OPEN = Element(id="e1", role="button", name="Open", box=Box(320, 120, 380, 150), window="main", actions=("press",))
NEXT = OPEN.model_copy(update={"id": "e2", "name": "Next", "box": Box(20, 20, 80, 50)})
TEXT = Element(id="e3", role="textbox", value="typed", box=Box(0, 60, 800, 600), window="main")
OK = Element(id="e4", role="button", name="OK", box=Box(600, 450, 680, 480), window="find", actions=("press",))


def marked(*elements: Element, windows: tuple[Window, ...]) -> dict[str, Box]:
    shown = uncovered(elements, windows)
    return {f"e{label.number}": label.box for label in place_labels(shown, Size(800, 600))}


def test_a_control_behind_another_window_has_no_mark_and_one_beside_it_has() -> None:
    assert marked(OPEN, NEXT, OK, windows=(FIND, MAIN)).keys() == {"e2", "e4"}
    assert marked(OPEN, NEXT, OK, windows=(FIND.model_copy(update={"minimized": True}), MAIN)).keys() == {
        "e1",
        "e2",
        "e4",
    }


def test_the_frame_of_what_is_partly_covered_keeps_off_what_is_in_front() -> None:
    frame = marked(TEXT, windows=(FIND, MAIN))["e3"]

    assert frame.clipped(FIND.box).empty
    assert frame.clipped(TEXT.box) == frame


def test_a_window_behind_a_modal_dialog_has_no_mark_at_all() -> None:
    assert marked(OPEN, NEXT, TEXT, windows=(SAVE, MAIN)) == {}
    assert blocked((), (SAVE, MAIN)) == {"main"}
    assert blocked((OK.model_copy(update={"states": ("modal",)}),), (FIND, MAIN)) == {"main"}
    assert blocked((OK,), (FIND, MAIN)) == frozenset()


def test_an_open_menu_covers_what_is_below_it_and_its_items_are_marked() -> None:
    menu = Element(id="e5", role="menu", name="View", box=Box(10, 0, 50, 18), window="main", actions=("press",))
    items = [
        Element(id=f"e{n}", role="menuitem", name=f"I{n}", box=Box.at(10, n * 3, 120, 24), window="main", parent="e5")
        for n in (6, 14)
    ]

    assert {e.id for e in markable(uncovered([menu, *items, NEXT], (MAIN,)))} == {"e5", "e6", "e14"}


def test_of_a_blocked_window_only_what_it_holds_is_listed_and_to_marks_nothing() -> None:
    many = tuple(TEXT.model_copy(update={"id": f"e{n}", "value": f"v{n}"}) for n in range(20, 40))
    parts = (
        ElementsPart(elements=(OPEN, *many, OK.model_copy(update={"window": "save"}))),
        WindowsPart(windows=(SAVE, MAIN)),
    )

    told, by_numbers = render_parts(parts), MarksReply().compose("app", parts).turns[0].text

    assert 'in the window main "Main", blocked until its dialog is closed:' in told
    assert ('value="v20"' in told, 'value="v29"' in told, 'value="v30"' in told, '"Open"' in told) == (
        True,
        True,
        False,
        False,
    )
    assert "... 11 more that are blocked" in told
    assert '"OK"' in told
    assert "none of its controls can be used" in by_numbers
    assert ('"OK"' in by_numbers, '"Open"' in by_numbers) == (True, False)


def test_a_list_of_marks_says_when_some_controls_lie_behind_something() -> None:
    parts = (ElementsPart(elements=(OPEN, NEXT, OK)), WindowsPart(windows=(FIND, MAIN)))

    text = MarksReply().compose("app", parts).turns[0].text

    assert ('"Next"' in text, '"Open"' in text, "lie behind" in text) == (True, False, True)


@pytest.mark.parametrize("windows", [(), (FIND,)])
def test_what_is_in_no_known_window_is_as_it_was(windows: tuple[Window, ...]) -> None:
    assert uncovered((OPEN, TEXT), windows) == (OPEN, TEXT)
