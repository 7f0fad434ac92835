"""Action text: read without running it, and written so that it reads back."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.core import action as act
from deskhand.core.action import Action, At, Described, OnElement
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.value import Value
from deskhand.dialects.actions import call_to_action, spell, to_action
from deskhand.dialects.grammar import parse_calls
from deskhand.dialects.prompt import Platform
from deskhand.dialects.signatures import in_json, stubs, without_places

SCREEN = Size(1920, 1080)
PIXELS = Frame(SCREEN, SCREEN)


def read(text: str, frame: Frame = PIXELS) -> Action:
    (call,) = parse_calls(text)
    return call_to_action(call, frame)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click(x=10, y=20)", act.Click(target=At(point=Point(10, 20)))),
        ("click(10, 20)", act.Click(target=At(point=Point(10, 20)))),
        ("pyautogui.click(x = 10, y = 20,)", act.Click(target=At(point=Point(10, 20)))),
        ("click()", act.Click()),
        ('click(element="e3", button="right")', act.Click(target=OnElement(id="e3"), button="right")),
        ("click(element='Save')", act.Click(target=Described(text="Save"))),
        ("left_click(x='10', y='20')", act.Click(target=At(point=Point(10, 20)))),
        ("doubleClick(x=1, y=2)", act.DoubleClick(target=At(point=Point(1, 2)))),
        (r'type(text="a, b) \"c\"\n=")', act.Write(message='a, b) "c"\n=')),
        (r'write(message="\d stays")', act.Write(message=r"\d stays")),
        ("hotkey('ctrl', 'shift', 's')", act.Hotkey(keys=("ctrl", "shift", "s"))),
        ("hotkey('ctrl+s')", act.Hotkey(keys=("ctrl", "s"))),
        ("hotkey(keys='ctrl s')", act.Hotkey(keys=("ctrl", "s"))),
        ("hotkey('ctrl', '+')", act.Hotkey(keys=("ctrl", "+"))),
        ("press('enter', presses=2)", act.Press(keys=("enter",), presses=2)),
        ("press(['a', 'b'])", act.Press(keys=("a", "b"))),
        ("scroll(-3)", act.Scroll(clicks=-3)),
        ("callUser()", act.CallUser()),
        ("terminate(status='failure', info=None)", act.Terminate(status="failure")),
        ("dragTo(x=1, y=2, start=(3, 4))", act.DragTo(target=At(point=Point(1, 2)), start=At(point=Point(3, 4)))),
        ("set_value(element='e1', value=true)", act.SetValue(target=OnElement(id="e1"), value="on")),
        ("move_window(window='w1', corner=(1, 2))", act.ArrangeWindow(window="w1", how="move", corner=Point(1, 2))),
        ("maximise_window('w1')", act.ArrangeWindow(window="w1", how="maximize")),
        ("call_tool(tool='ls', arguments={'path': '/'})", act.CallTool(tool="ls", arguments={"path": "/"})),
    ],
)
def test_a_call_is_read_as_its_action(text: str, action: Action) -> None:
    assert read(text) == action


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no action"),
        ("I will press OK", "write one call a line"),
        ("import os", "something else than calls"),
        ("__import__('os').system('true')", "no action called 'system'"),
        ("write(message=open('/etc/passwd').read())", "not a plain value"),
        ("write(message=f'{1}')", "not a plain value"),
        ("click(x=1+1, y=2)", "not a plain value"),
        ("click(**{'x': 1})", "no meaning"),
        ("click(x=1, x=2, y=3)", "given x in a way that has no meaning"),
        ("click(x=1, y=2", "never closed"),
        ("clik(x=1, y=2)", "the nearest is click"),
        ("click(x=1)", "needs both x and y"),
        ("click(x=true, y=2)", "not a coordinate"),
        ("click(x=5000, y=2)", "outside 0..1920 x 0..1080"),
        ("click(x=-5, y=2)", "outside"),
        ("click(x=1, y=2, element='e1')", "not both"),
        ("click(x=1, y=2, 3)", "cannot be read"),
        ("click(1, 2, 3, 'left', 'e1', [], 7)", "is given 7 arguments"),
        ("click(clicks=9)", "clicks must be 3 at most"),
        ("wait(seconds=-1)", "wait: seconds must be more than 0; it is wait(seconds"),
        ("hotkey()", "hotkey needs keys"),
        ("write(mesage='x')", "did you mean message?"),
        ("write()", "write needs message"),
        ("moveTo()", "needs a place (x and y, or element);"),
        ("select_option(value='Red')", "needs a place (x and y, or element);"),
        ("press(keys=7.5)", "keys is a list"),
        ("(" * 5000, "cannot be read"),
    ],
)
def test_what_is_no_action_is_sent_back_with_what_would_be_one(text: str, says: str) -> None:
    with pytest.raises(UnreadableReply, match=re.escape(says)):
        read(text)


def test_several_calls_are_read_in_order_whatever_their_indentation() -> None:
    text = "\n  click(x=1, y=2)  # first\n    press('enter')\nwait()\n"

    assert [call.name for call in parse_calls(text)] == ["click", "press", "wait"]


def test_a_text_in_triple_quotes_keeps_its_lines() -> None:
    (call,) = parse_calls("write(message='''a\n  b''')")

    assert call.kwargs == {"message": "a\n  b"}


def test_a_models_grid_is_mapped_onto_pixels_once() -> None:
    thousandths = Frame(SCREEN, Size(1000, 1000))

    assert read("click(x=500, y=1000)", thousandths) == act.Click(target=At(point=Point(960, 1079)))
    assert to_action("click", {"x": 0.0, "y": 0}, thousandths) == act.Click(target=At(point=Point(0, 0)))


def test_every_action_is_told_to_models() -> None:
    told = {
        line.removeprefix("def ").partition("(")[0]
        for platform in get_args(Platform)
        for text in (stubs(platform), in_json(platform), in_json(platform, "mark"), without_places(platform))
        for line in text.splitlines()
        if re.match(r"(def )?\w+\(", line)
    }

    # Tools are told of where there are some.
    assert told == {member.model_fields["kind"].default for member in _members()} - {"call_tool"}


def test_a_desktop_is_not_offered_what_it_has_not() -> None:
    told = in_json("linux")

    for nothing in (
        "navigate_",
        "swipe(",
        "go_backward(",
        "call_tool(",
        "call_user(",
        "terminate(",
        "point |",
        ": point",
    ):
        assert nothing not in told
    assert "moveTo(PLACE)" in told
    assert 'hotkey(keys: list[str]): Press keys together: {"keys": ["ctrl", "s"]}' in told


def _members() -> list[type[Value]]:
    kinds = vars(act).values()
    return [k for k in kinds if isinstance(k, type) and issubclass(k, Value) and "kind" in k.model_fields]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
points = st.builds(Point, st.integers(0, SCREEN.width - 1), st.integers(0, SCREEN.height - 1))
words = texts.filter(lambda text: bool(text.strip()))
targets = st.one_of(
    st.builds(At, point=points),
    st.builds(OnElement, id=st.one_of(st.from_regex(r"e\d{1,4}", fullmatch=True), words)),
    st.builds(Described, text=st.one_of(words, st.just("e3"))),
)
key_names = words.filter(lambda text: text.isprintable() and text == text.strip())  # as keys are called
keys = st.one_of(key_names, st.sampled_from(["ctrl", "s", "+", "ctrl+s", "-", "page down"]))
chords = st.lists(keys, min_size=1, max_size=3).map(tuple)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(
        act.Click,
        target=st.none() | targets,
        clicks=st.integers(1, 3),
        button=st.sampled_from(["left", "back"]),
        modifiers=st.lists(keys, max_size=2).map(tuple),
    ),
    st.builds(act.DoubleClick, target=st.none() | targets),
    st.builds(act.RightClick, target=st.none() | targets),
    st.builds(act.MoveTo, target=targets),
    st.builds(act.DragTo, target=targets, start=st.none() | targets, path=st.lists(points, max_size=3).map(tuple)),
    st.builds(act.Scroll, clicks=st.integers(-100, 100), right=st.integers(-100, 100), target=st.none() | targets),
    st.builds(act.Swipe, from_coord=st.none() | targets, to_coord=st.none() | targets, amount=st.floats(0, 1)),
    st.builds(act.LongPress, target=targets, duration=st.floats(0.01, 60)),
    st.builds(act.Write, message=texts, target=st.none() | targets, replace=st.booleans()),
    st.builds(act.Press, keys=chords, presses=st.integers(1, 100)),
    st.builds(act.Hotkey, keys=chords),
    st.builds(act.KeyDown, key=words),
    st.builds(act.SelectOption, target=targets, value=texts),
    st.builds(act.SetValue, target=targets, value=texts),
    st.builds(act.OpenApp, app_name=words),
    st.builds(act.Wait, seconds=st.floats(0.01, 60)),
    st.builds(act.CallUser, question=texts),
    st.builds(act.Respond, answer=texts),
    st.builds(act.Terminate, status=st.sampled_from(["success", "failure"]), info=st.none() | texts),
    st.builds(
        act.CallTool, tool=words, arguments=st.dictionaries(words, st.none() | st.booleans() | texts, max_size=3)
    ),
)


@given(actions)
def test_what_is_spelled_reads_back_to_the_same_action(action: Action) -> None:
    assert read(spell(action)) == action
