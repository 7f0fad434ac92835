"""Faults that others had with places: boxes, pictures and clicks must all mean the same pixels, in every toolkit."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import anyio
import pytest
from PIL import Image as PillowImage

from deskhand.core.action import ArrangeWindow, At, Click, OnElement
from deskhand.core.geometry import Point
from deskhand.core.observation import Element, Look, OneWindow
from tests.linux.stage import FORM, Stage, a_stage

PLACES = FORM.with_name("places.py")
GTK4 = pytest.mark.skipif(not any(Path("/usr").glob("lib/*/girepository-1.0/Gtk-4.0.typelib")), reason="no GTK 4")
QT5 = pytest.mark.skipif(not Path("/usr/lib/python3/dist-packages/PyQt5").exists(), reason="no PyQt5")

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("kind", "scale"),
    [
        pytest.param("gtk3-header", 1, id="r027-r028-header-bar"),
        pytest.param("gtk3", 2, id="r029-gtk3-double"),
        pytest.param("gtk4", 1, id="r031-gtk4", marks=GTK4),
        pytest.param("gtk4", 2, id="r031-gtk4-double", marks=GTK4),
        pytest.param("qt5", 2, id="qt5-double", marks=QT5),
    ],
)
async def test_buttons_are_where_their_boxes_and_the_picture_say_and_are_hit_there(
    kind: str, scale: int, tmp_path: Path
) -> None:
    async with a_stage(tmp_path, scale) as stage:
        await stage.desktop.start(["/usr/bin/python3", str(PLACES), kind])
        window = (await stage.shown("Places")).id
        # In the corner of the screen, places in the window look like places on the screen.
        await stage.device.perform(ArrangeWindow(window=window, how="move", corner=Point(0, 0)))
        seen = await drawn(stage, window)

        places = buttons(seen)
        for number, button in enumerate(places):
            assert shown_at(seen, button) == (number * 12, 255 - number * 12, 40)
            if number:
                await stage.device.perform(Click(target=At(point=button.box.center)), window)
        # Somebody has moved the window since it was looked at.
        moved = await stage.device.perform(ArrangeWindow(window=window, how="move", corner=Point(640, 330)), window)
        clicked = await stage.device.perform(Click(target=OnElement(id=places[0].id)), window)

        assert (moved.outcome, clicked.outcome) == ("done", "done"), clicked
        after = (await stage.device.observe(OneWindow(id=window))).observation
        assert "20 of 20 hit" in [element.name for element in after.elements]


async def test_a_button_in_a_popover_is_hit_by_its_id_where_it_hangs_out_of_what_opened_it(tmp_path: Path) -> None:
    async with a_stage(tmp_path, 2) as stage:
        await stage.desktop.start(["/usr/bin/python3", str(PLACES), "gtk3"])
        stage.window = (await stage.shown("Places")).id
        await drawn(stage, stage.window)

        opened = await stage.do(Click(target=await stage.on("More")))
        clicked = await stage.do(Click(target=await stage.on("Within", "button")))

        assert [opened.outcome, clicked.outcome] == ["done", "done"], clicked
        assert "Found within" in [element.name for element in (await stage.look()).elements]


async def drawn(stage: Stage, window: str) -> Look:
    """Look until all buttons are there and drawn."""
    with anyio.fail_after(10):
        while True:
            seen = await stage.device.observe(OneWindow(id=window))
            found = buttons(seen)
            if len(found) == 20 and shown_at(seen, found[-1]) == (228, 27, 40):
                return seen


def buttons(seen: Look) -> list[Element]:
    found = [each for each in seen.observation.elements if each.name.startswith("Place ")]
    return sorted((each for each in found if each.role == "button"), key=lambda each: int(each.name.split()[1]))


def shown_at(seen: Look, button: Element) -> tuple[int, ...]:
    """Give the colour of a button in the picture, in its corner, where no letter is."""
    picture = PillowImage.open(BytesIO(seen.pictures[seen.observation.screen.sha256])).convert("RGB")
    found = picture.getpixel((button.box.left + 3, button.box.top + 3))
    assert isinstance(found, tuple)
    return found
