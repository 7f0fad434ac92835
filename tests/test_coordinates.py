"""Coordinates: one frame a picture, in whatever a family of models counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.core.action import At, Click
from deskhand.core.geometry import PICTURE_PIXELS, RATIO, THOUSANDTHS, Box, Frame, Point, Size, Space, smart_resize
from deskhand.core.message import ElementsPart, HistoryPart, PastStep, PicturePart
from deskhand.core.observation import Element, Image
from deskhand.dialects.actions import call_to_action, spell
from deskhand.dialects.grammar import parse_calls
from deskhand.dialects.json_reply import JsonReply

FILE = Path(__file__).parent / "cases" / "coordinates.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
RESIZES = [case for case in CASES if case["kind"] == "smart_resize"]
POINTS = [case for case in CASES if case["kind"] == "model point to ratio of the screen"]
FULL_HD = Size(1920, 1080)
SPACES = (PICTURE_PIXELS, RATIO, THOUSANDTHS, Space(fixed=Size(1280, 720)), Space(factor=28))


def test_every_case_is_of_a_known_kind() -> None:
    assert len(RESIZES) + len(POINTS) == len(CASES)


@pytest.mark.parametrize("case", RESIZES, ids=[case["id"] for case in RESIZES])
def test_pictures_are_resized_as_the_families_do_it(case: dict[str, Any]) -> None:
    arguments = [case[name] for name in ("width", "height", "factor", "min_pixels", "max_pixels")]
    if case["expected"] == "error":
        with pytest.raises(ValueError, match="200 to 1"):
            smart_resize(*arguments)
    else:
        assert list(smart_resize(*arguments)) == case["expected"]


@pytest.mark.parametrize(
    ("size", "factor", "least", "most", "expected"),
    [
        ((42, 70), 28, 3136, 2_109_744, (56, 56)),
        ((14, 14), 28, 3136, 2_109_744, (56, 56)),
        ((2560, 1440), 28, 3136, 2_109_744, (1932, 1064)),
        ((2560, 1440), 28, 3136, 12_845_056, (2548, 1428)),
        ((3840, 2160), 28, 3136, 12_845_056, (3836, 2156)),
        ((3840, 2160), 28, 3136, 5120 * 28 * 28, (2660, 1484)),
        ((1366, 768), 32, 4096, 13_107_200, (1376, 768)),
        ((1080, 2400), 28, 3136, 2_109_744, (952, 2156)),
        ((1920, 1080), 28, 3136, 2_007_040, (1876, 1036)),
    ],
)
def test_other_sizes_and_limits_come_out_as_reported(
    size: tuple[int, int], factor: int, least: int, most: int, expected: tuple[int, int]
) -> None:
    assert smart_resize(*size, factor, least, most) == expected


@pytest.mark.parametrize("size", [(0, 10), (10, -1), (5001, 25)])
def test_a_picture_without_extent_or_200_times_as_wide_as_high_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is not resized"):
        smart_resize(*size)


@pytest.mark.parametrize("case", POINTS, ids=[case["id"] for case in POINTS])
def test_a_models_point_is_a_part_of_the_screen(case: dict[str, Any]) -> None:
    space = Space(factor=28) if isinstance(case["space"], str) else Space(fixed=Size(*case["space"]))
    screen = Size(*case["screenshot"])

    fraction = Frame(screen, space.grid(screen)).fraction(*case["model_xy"])

    assert fraction == pytest.approx(case["expected_ratio"], abs=1e-12)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_the_far_edge_is_the_last_pixel_and_beyond_it_is_refused(space: Space) -> None:
    frame = Frame(FULL_HD, space.grid(FULL_HD))
    width, height = frame.shown

    assert frame.to_device(0, 0) == (0, 0)
    assert frame.to_device(width, height) == (1919, 1079)
    for x, y in ((width + 1, 0), (-1, 0), (0, height * 1.01), (float("nan"), 0), (float("inf"), 0), (10**400, 0)):
        with pytest.raises(ValueError, match="lies outside"):
            frame.to_device(x, y)


@pytest.mark.parametrize("space", SPACES, ids=str)
@given(x=st.integers(0, 1919), y=st.integers(0, 1079))
def test_what_is_retold_in_a_models_coordinates_reads_back_to_nearly_the_same_pixel(
    space: Space, x: int, y: int
) -> None:
    frame = Frame(FULL_HD, space.grid(FULL_HD))
    coarseness = max(FULL_HD.width / frame.shown.width, FULL_HD.height / frame.shown.height, 1)
    (call,) = parse_calls(spell(Click(target=At(point=Point(x, y))), frame))

    again = call_to_action(call, frame)

    assert isinstance(again, Click)
    assert isinstance(again.target, At)
    off = max(abs(again.target.point.x - x), abs(again.target.point.y - y))
    assert off <= coarseness


def test_spaces_that_do_not_depend_on_the_picture_have_a_name() -> None:
    assert [space.name for space in SPACES] == ["", "0-1", "0-1000", "", ""]


@pytest.mark.parametrize(
    ("space", "said", "click", "box", "size"),
    [
        (PICTURE_PIXELS, "are pixels", "click(x=960, y=540)", "192,108-384,216", "1920x1080"),
        (THOUSANDTHS, "from 0 to 1000", "click(x=500, y=500)", "100,100-200,200", "1000x1000"),
        (RATIO, "from 0 to 1", "click(x=0.5003, y=0.5005)", "0.1,0.1-0.2,0.2", "1920x1080"),
        (Space(fixed=Size(1280, 720)), "1280 by 720", "click(x=640, y=360)", "128,72-256,144", "1280x720"),
        (Space(factor=28), "are pixels", "click(x=966, y=546)", "193,109-386,218", "1932x1092"),
    ],
    ids=str,
)
def test_past_actions_and_boxes_are_told_in_the_coordinates_that_are_asked_for(
    space: Space, said: str, click: str, box: str, size: str
) -> None:
    past = PastStep(step=1, actions=(Click(target=At(point=Point(960, 540))),))
    element = Element(id="e1", role="button", name="OK", box=Box(192, 108, 384, 216))
    picture = PicturePart(image=Image(sha256="0" * 64, size=FULL_HD))

    request = JsonReply(space).compose("app", (HistoryPart(steps=(past,)), ElementsPart(elements=(element,)), picture))

    assert said in request.system
    for wanted in (click, box, size):
        assert wanted in request.turns[0].text
