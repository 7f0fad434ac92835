from __future__ import annotations

from deskhand.core.action import Press
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Image, Observation, Window
from deskhand.processors.landing import cases_of

BOX = Box(0, 0, 9, 9)
LOGIN = Window(id="0x1", title="Login", app="Login", box=BOX, active=True)
EDITOR = Window(id="0x2", title="notes", app="Editor", box=BOX)
SCREEN = Image(sha256="0", size=Size(9, 9))


def application(window: str, windows: tuple[Window, ...], looked_at: str = "") -> str:
    seen = Observation(screen=SCREEN, windows=windows, window=looked_at)
    (case,) = cases_of(Press(keys=("a",)), seen, window)
    return case.application


def test_an_action_is_judged_by_the_window_that_it_names() -> None:
    assert application("0x2", (LOGIN, EDITOR)) == "Editor notes"
    assert application("", (LOGIN, EDITOR)) == "Login Login"


def test_an_action_for_a_window_that_is_gone_is_not_judged_by_the_active_one() -> None:
    assert application("0x2", (LOGIN,)) == ""


def test_where_its_application_has_another_window_that_counts() -> None:
    other = EDITOR.model_copy(update={"id": "0x3", "title": "other"})
    assert application("0x2", (LOGIN, other), looked_at="0x3") == "Editor other"
