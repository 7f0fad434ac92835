"""The `ground` dialect: a picture and words go out, and a point comes back in any of the forms there are."""

from __future__ import annotations

import pytest

from deskhand.core.action import At, Click
from deskhand.core.decision import AppDecision
from deskhand.core.family import family_called
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.message import NotesPart, PicturePart, Reply, RequestPart, SubtaskPart
from deskhand.core.observation import Image
from deskhand.dialects.ground import GroundReply, Pointing
from deskhand.dialects.unreadable import Unreadable

SCREEN = Size(1920, 1080)
FRAME = Frame(SCREEN, SCREEN)
GROUND = GroundReply()


@pytest.mark.parametrize(
    "text",
    [
        "<action>\nclick(x=966, y=546)\n</action>",
        "click(966, 546)",
        "pyautogui.click(966, 546)",
        "click(y=546, x=966)",
        "click(x='966', y='546')",
        "click(start_box='<|box_start|>(966,546)<|box_end|>')",
        "click(point='<point>966 546</point>",
        "long_press(x=966, y=546)",
        "As in step (1, 2), click(x=966, y=546)",
        "click(x=966, y=546)\nclick(x=1, y=2)",
        "max=5,y=7 so click(x=966, y=546)",
        "<box>[[900,500,1032,592]]</box>",
        "<box>[[900,500],[1032,592]]</box>",
        "<box>[[900,500,1032,592],[1,1,2,2]]</box>",
        "<box>(900,500),(1032,592)</box>",
        "<box>966,546</box>",
        "<|box_start|>(900,500),(1032,592)<|box_end|>",
        "<bbox>900 500 1032 592</bbox>",
        "<point>[966, 546]</point>",
        "<POINT>966 546</POINT>",
        "<point x=966 y=546>",
        '{"point_2d": [966, 546], "label": "OK"}',
        '```json\n[{"bbox_2d": [900, 500, 1032, 592], "label": "OK"}]\n```',
        '{"result": {"x": "966", "y": "546"}}',
        '{"x1": 900, "y1": 500, "x2": 1032, "y2": 592}',
        "x = 966 , y = 546",
        "y=546, x=966",
        "x: 966, y: 546",
        "The button is at x=966 and y=546.",
        "(966, 546)",
        "（966，546）",
        "(900, 500, 1032, 592)",
        "[966, 546]",
        "[[966, 546]]",
        "Row (3, 4): the button is at [966, 546]",
        "Row (3, 4): the button is at (966, 546).",
        "966, 546",
        "966 546",
        "point: 966,546",
        "about (966px, 546px)",
        "<think>near (1, 2)</think>(966, 546)",
        "near (1, 2)</think>(966, 546)",
    ],
)
def test_a_point_is_read_in_every_form(text: str) -> None:
    assert GROUND.read(text, FRAME).point == (966, 546)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_response"),
        ("I cannot find it.", "no_point"),
        ("null", "no_point"),
        ("[]", "no_point"),
        ("tax=5, y=6", "no_point"),
        ("click(x=966)", "no_point"),
        ("wait(seconds=3)", "no_point"),
        ("swipe(direction='up')", "no_point"),
        ("<think>(966, 546)</think>", "no_point"),
        ("1, 2, 3", "no_point"),
        ("click(x=966, y=54", "syntax_error"),
        ("(-5, 10)", "out_of_range"),
        ("click(x=1933, y=546)", "out_of_range"),
        ("swipe(from_coord=[100, 200], to_coord=[9999, 400])", "out_of_range"),
        ("(9" + "9" * 400 + ", 1)", "out_of_range"),
    ],
)
def test_what_is_no_point_in_the_picture_goes_back(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        GROUND.read(text, FRAME)

    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "family", "pixel"),
    [
        ("(966, 546)", "scalecua", (960, 540)),
        ("(1932, 1092)", "scalecua", (1919, 1079)),
        ("(0.5, 0.5)", "scalecua", (960, 540)),
        ("(1.0, 1.0)", "scalecua", (1919, 1079)),
        ("(1, 1)", "scalecua", (0, 0)),
        ("(500, 500)", "internvl", (960, 540)),
        ("(960, 540)", "pixels", (960, 540)),
        ("(0.5, 0.5)", "0-1", (960, 540)),
        ("(1, 1)", "0-1", (1919, 1079)),
        ('{"name": "computer_use", "arguments": {"coordinate": [500, 500]}}', "scalecua", (960, 540)),
    ],
)
def test_a_point_becomes_the_pixel_that_is_meant(text: str, family: str, pixel: tuple[int, int]) -> None:
    decision = GroundReply(family_called(family)).parse("grounder", Reply(text=text), FRAME)

    assert isinstance(decision, AppDecision)
    assert decision.actions == (Click(target=At(point=Point(*pixel))),)


def test_the_space_is_named_where_it_is_no_number_of_pixels() -> None:
    swipe = GROUND.read("swipe(from_coord=[0.1, 0.2], to_coord=(0.3, 1))", FRAME)

    assert swipe == Pointing((0.1, 0.2), (0.3, 1), space="0-1")
    assert GroundReply(family_called("qwen3-vl")).read("(5, 5)", FRAME).space == "0-1000"
    assert GROUND.read("(966, 546)", FRAME).space == ""


def test_nothing_but_the_picture_and_the_words_goes_out() -> None:
    picture = PicturePart(image=Image(sha256="0" * 64, size=SCREEN))
    request = GROUND.compose("grounder", (SubtaskPart(text="the OK button", application=""), picture))
    again = GROUND.compose("grounder", (RequestPart(text="the OK button"), picture, NotesPart(notes=("no point",))))

    (turn,) = request.turns
    assert (turn.text, turn.pictures) == ("the OK button", (picture.image,))
    assert "no point" in again.turns[0].text
    assert request.system == again.system
