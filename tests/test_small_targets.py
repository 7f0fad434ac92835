"""Small targets: clicks that just miss one, and a second look of the model that points."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import anyio
import pytest
from PIL import Image as Canvas

from deskhand.core.action import Action, ActionResult, At, Click, MoveTo, OnElement, OpenApp
from deskhand.core.event import ActionFinished, ActionStarted, Judged
from deskhand.core.family import FAMILIES, SPACES, Family
from deskhand.core.geometry import Box, Frame, Point, Size
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.observation import Element, Image, Observation, Window
from deskhand.dialects.ground import GroundReply
from deskhand.journal.memory import MemoryJournal
from deskhand.perception.ground import LexiconGrounder
from deskhand.processors.context import Context
from deskhand.processors.dispatcher import CommandDispatcher
from deskhand.processors.grounding import ModelGrounder, SecondLook
from deskhand.processors.snapping import snapped
from deskhand.testing import PaperDesk, ScriptedModel
from tests.paper import context, events

SCREEN = Size(1919, 1081)
FAMILY_OF = {family.space: family for family in (*FAMILIES.values(), *SPACES.values())}
"""One family of each way of counting."""
PANEL = Element(id="panel", role="group", box=Box.at(0, 0, 800, 600), window="w1")


def icon(name: str, left: int, **more: Any) -> Element:
    return Element(
        **{"id": name, "role": "button", "name": name, "box": Box.at(left, 100, 12, 12), "window": "w1"} | more
    )


def seen(*elements: Element) -> Observation:
    windows = [Window(id="w2", title="", box=Box.at(600, 0, 200, 600)), Window(id="w1", title="", box=PANEL.box)]
    screen = Image(sha256="0", size=SCREEN)
    return Observation(screen=screen, elements=(PANEL, *elements), windows=tuple(windows), window="w1")


def click(x: int, y: int) -> Click:
    return Click(target=At(point=Point(x, y)))


BOLD, ITALIC = icon("bold", 100), icon("italic", 130)
ROW = Element(id="row", role="listitem", box=Box.at(90, 100, 100, 12), window="w1")
CANVAS = Element(id="canvas", role="canvas", box=Box.at(0, 0, 400, 400), window="w1")
PAGE = Element(id="page", role="document", box=Box.at(0, 0, 400, 400), states=("editable",), window="w1")
LABEL = Element(id="label", role="label", box=Box.at(90, 90, 40, 40), window="w1")


@pytest.mark.parametrize(
    ("elements", "action", "wanted"),
    [
        ((BOLD, ITALIC), click(106, 117), "bold"),
        ((BOLD, ITALIC), click(94, 106), "bold"),
        ((BOLD, ITALIC), click(123, 106), "italic"),
        ((BOLD, LABEL), click(94, 106), "bold"),
        ((ROW, BOLD), click(106, 117), "bold"),
        ((BOLD, ITALIC), click(106, 121), "bold"),
        ((BOLD, ITALIC), click(106, 122), None),
        ((BOLD, ITALIC), click(106, 106), None),
        ((BOLD, ITALIC), click(100, 100), None),
        ((icon("bold", 100, box=Box.at(100, 100, 11, 12)), icon("italic", 118)), click(114, 106), None),
        ((icon("bold", 100, states=("disabled",)),), click(106, 117), None),
        ((icon("bold", 100, states=("covered",)),), click(106, 117), None),
        ((icon("off", 100, states=("disabled",)), ITALIC), click(106, 106), None),
        ((ROW, BOLD), click(95, 106), None),
        ((CANVAS, BOLD), click(106, 117), None),
        ((PAGE, BOLD), click(106, 117), None),
        ((icon("bold", 590),), click(604, 106), None),
        ((BOLD,), MoveTo(target=At(point=Point(106, 117))), None),
        ((BOLD,), Click(), None),
    ],
)
def test_a_click_on_nothing_goes_to_the_one_control_that_is_near(
    elements: tuple[Element, ...], action: Action, wanted: str | None
) -> None:
    instead = snapped(action, seen(*elements), 10)

    assert (instead.action if instead else None) == (Click(target=OnElement(id=wanted)) if wanted else None)


async def acted(action: Action, snap: int, *, approved: bool = False) -> tuple[Context, PaperDesk, ActionResult]:
    desk = PaperDesk()
    made = context(ScriptedModel(), desk=desk, allow_all=True)
    made.snap = snap
    made.dispatcher = CommandDispatcher(desk, made, made.dispatcher.gate, LexiconGrounder())
    window = await desk.perform(OpenApp(app_name="editor"))
    return made, desk, await made.dispatcher.dispatch(action, window.value, approved=approved)


def test_result_and_journal_say_where_a_click_went_instead() -> None:
    made, desk, result = anyio.run(acted, click(10, 33), 5)

    assert (desk.windows[0].presses, result.outcome) == (1, "done")
    assert result.text.endswith("(10, 33) is on nothing that takes clicks; done 4 px away, on button 'OK'")
    [started], [finished] = events(made, ActionStarted), events(made, ActionFinished)
    assert (started.action, started.on) == (Click(target=OnElement(id="e101")), "button 'OK'")
    assert finished.result == result


@pytest.mark.parametrize(
    ("action", "snap", "approved"),
    [(click(10, 33), 0, False), (click(10, 33), 3, False), (click(10, 33), 5, True), (click(30, 33), 5, False)],
    ids=["not set", "too far", "agreed to as it is", "needs leave, which --yes would give"],
)
def test_a_click_on_nothing_stays_what_it_is(action: Click, snap: int, approved: bool) -> None:
    made, desk, result = anyio.run(partial(acted, action, snap, approved=approved))

    assert (desk.windows[0].presses, result.outcome, result.text) == (0, "unverified", "nothing is there")
    assert desk.done[-1] == action
    assert events(made, Judged) == []


class Pointer:
    """A model that sees a red square wherever it is shown one, and points beside it at first."""

    def __init__(self, family: Family, album: MemoryJournal, beside: int = 60, again: str = "") -> None:
        self.shown: list[Image] = []
        self._family, self._album, self._beside, self._again = family, album, beside, again

    async def ask(self, request: ModelRequest) -> Reply:
        (image,) = request.turns[-1].pictures
        self.shown.append(image)
        if len(self.shown) > 1 and self._again:
            return Reply(text=self._again)
        with Canvas.open(io.BytesIO(self._album.read(image))) as picture:
            box = picture.convert("RGB").getchannel("R").point(lambda red: red > 128 and 255).getbbox()
        assert box is not None
        middle = Box(*box).center
        if len(self.shown) == 1:
            beside = self._beside if middle.x < 900 else -self._beside
            middle = Point(middle.x + beside, middle.y)
        # Points of another grid than the picture's own are told as exactly as such models tell them: in whole numbers.
        x, y = Frame(image.size, self._family.space.grid(image.size)).to_shown(middle)
        whole = self._family.space.fixed is None or min(self._family.space.fixed) > 1
        return Reply(text=f"({x - 0.01:.0f}, {y - 0.01:.0f})" if whole else f"({x:.4f}, {y:.4f})")


def shot(album: MemoryJournal, target: Box, *elements: Element) -> Observation:
    picture = Canvas.new("RGB", SCREEN, (0, 40, 80))
    picture.paste((255, 0, 0), target)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=1)
    screen = Image(sha256=album.keep(file.getvalue()), size=SCREEN)
    return Observation(screen=screen, elements=elements)


def located(pointer: Pointer, family: Family, album: MemoryJournal, on: Observation, most: int = 24) -> Point:
    grounder = ModelGrounder(pointer.ask, GroundReply(family), SecondLook(album, most))
    return anyio.run(grounder.locate, "the red button", on).point


@pytest.mark.parametrize("family", FAMILY_OF.values(), ids=lambda family: family.name)
def test_a_point_in_an_enlarged_part_is_the_pixel_of_the_screen_in_every_space(family: Family) -> None:
    album = MemoryJournal()
    for corner in (Point(0, 3), Point(1910, 1072)):
        target = Box.at(*corner, 9, 9)
        pointer = Pointer(family, album)

        assert located(pointer, family, album, shot(album, target)) == target.center
        assert [image.size for image in pointer.shown] == [SCREEN, Size(1917, 1080)]
        assert pointer.shown[0] != pointer.shown[1]


@pytest.mark.parametrize(
    ("elements", "again", "asked"),
    [
        ((icon("red", 495, box=Box.at(495, 495, 300, 200)),), "", 1),
        ((icon("red", 495, box=Box.at(495, 495, 300, 20)),), "", 2),
        ((PANEL,), "It is not there.", 4),
    ],
    ids=["a large control", "a small one", "the part shows too little"],
)
def test_a_model_looks_again_only_at_what_is_small_and_the_first_point_stands_where_it_sees_less(
    elements: tuple[Element, ...], again: str, asked: int
) -> None:
    album, family = MemoryJournal(), SPACES["pixels"]
    pointer = Pointer(family, album, beside=5, again=again)

    point = located(pointer, family, album, shot(album, Box.at(500, 500, 9, 9), *elements))

    assert len(pointer.shown) == asked
    assert point == (Point(504, 504) if asked == 2 else Point(509, 504))
