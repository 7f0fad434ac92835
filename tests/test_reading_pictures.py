"""Texts and controls read off pictures: put together, remembered, and merged into one list."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Literal

import anyio
import pytest
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from deskhand.core.geometry import Box, Point, Size
from deskhand.core.observation import Element
from deskhand.devices.linux.processes import family
from deskhand.devices.linux.waiting import until
from deskhand.perception.merge import merge
from deskhand.perception.ocr import Engine, Reader, Word, engine_of, lines_of
from deskhand.perception.ocr_tesseract import words_of
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels, pixels_of
from deskhand.perception.recognising import Recognised
from deskhand.perception.strips import Strip, read_in_strips
from tests.command import ROOT, deskhand

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def word(text: str, left: int, top: int = 10, sure: float = 0.95, height: int = 12) -> Word:
    return Word(text, Box.at(left, top, 8 * len(text), height), sure)


def element(spec: str, box: Box, source: str = "a11y", parent: str = "") -> Element:
    number, role, name = (*spec.split(" ", 2), "")[:3]
    return Element.model_validate(
        {"id": number, "role": role, "name": name, "box": box, "source": source, "parent": parent}
    )


def test_words_beside_each_other_are_one_text_and_those_apart_are_several() -> None:
    found = lines_of([word("File", 10), word("as", 80), word("Save", 44), word("Edit", 160), word("below", 10, 40)])

    assert [line.text for line in found] == ["File Save as", "Edit", "below"]
    assert found[0].box == Box(10, 10, 96, 22)


def test_icons_that_are_taken_for_letters_are_left_out() -> None:
    found = lines_of(
        [word("|", 10, sure=0.4), word("Remember", 22), word("~", 300, sure=0.5), word("x", 400, sure=0.1)]
    )

    assert [line.text for line in found] == ["Remember"]


def test_the_words_of_tesseracts_table_are_read_and_lines_of_other_levels_are_not() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    rows = ["4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t", "5\t1\t1\t1\t1\t1\t20\t10\t40\t24\t91.5\tSave", "5\tbroken"]

    assert words_of("\n".join((head, *rows)), 2) == [Word("Save", Box.at(10, 5, 20, 12), 0.915)]


class Counting:
    """An engine that finds one word wherever something is black, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[Size] = []

    async def read(self, pixels: Pixels) -> list[Word]:
        self.asked.append(pixels.size)
        image = PillowImage.frombytes("RGBX", pixels.size, bytes(pixels.data)).convert("L").point([255] + [0] * 255)
        box = image.getbbox()
        return [Word("found", Box(*box), 1.0)] if box else []


def page(*places: tuple[int, int]) -> Pixels:
    image = PillowImage.new("RGB", (400, 300), "white")
    for left, top in places:
        ImageDraw.Draw(image).rectangle((left, top, left + 40, top + 10), fill="black")
    return pixels_of(image)


async def test_only_what_has_changed_is_read_again_and_nothing_is_read_twice() -> None:
    engine = Counting()
    reader = Reader(engine, 5)

    first = await reader.read("w", page((20, 20)))
    again = await reader.read("w", page((20, 20)))
    more = await reader.read("w", page((20, 20), (200, 200)))
    back = await reader.read("w", page((20, 20)))

    assert first == again == back
    assert [line.box for line in more] == [Box(20, 20, 61, 31), Box(200, 200, 241, 211)]
    assert len(engine.asked) == 2
    assert engine.asked[1].width < 60


def test_what_several_sources_have_found_stands_in_the_list_once() -> None:
    tree = [
        element("e1 window Form", Box(0, 0, 400, 300)),
        element("e2 button Save", Box(10, 10, 80, 40), parent="e1"),
        element("e3 button", Box(100, 10, 140, 40), parent="e1"),
    ]
    texts = [
        element("e4 label Save", Box(25, 18, 60, 32), "ocr"),
        element("e5 label Print", Box(104, 18, 136, 32), "ocr"),
        element("e6 label Canvas", Box(200, 200, 260, 215), "ocr"),
    ]
    icons = [
        element("e7 button Gear", Box(195, 195, 265, 220), "detector"),
        element("e8 img", Box(300, 9, 320, 29), "detector"),
    ]

    merged = merge(tree, icons, texts)

    assert [(e.id, e.name, e.source) for e in merged] == [
        ("e1", "Form", "a11y"),
        ("e2", "Save", "a11y"),
        ("e3", "Print", "a11y"),
        ("e7", "Gear", "detector"),
        ("e8", "", "detector"),
    ]
    assert merged[3].parent == "e1"


def test_what_says_the_same_about_the_same_place_keeps_its_id() -> None:
    recognised = Recognised(iter(range(1, 100)))
    before = [element("x label OK", Box(10, 10, 30, 20), "ocr"), element("x label OK", Box(90, 10, 110, 20), "ocr")]

    first = recognised.name("w", Point(0, 0), before)
    moved = [e.model_copy(update={"box": Box(e.box.left + 50, 60, e.box.right + 50, 70)}) for e in before[::-1]]
    second = recognised.name("w", Point(50, 50), [*moved, element("x label New", Box(60, 90, 90, 99), "ocr")])

    assert [e.id for e in first] == ["e1", "e2"]
    assert [e.id for e in second] == ["e2", "e1", "e3"]


SPREAD = {"all of it": 1080, "the upper half": 540, "a corner": 40, "nothing": 0}


@pytest.mark.parametrize("height", SPREAD.values(), ids=SPREAD)
async def test_strips_share_what_there_is_to_read_and_hold_each_row_once(height: int) -> None:
    rows = range(6, height, 12)
    image = PillowImage.new("RGB", (640, 1080), "white")
    for row in rows:
        ImageDraw.Draw(image).line([(x, row + x % 2) for x in range(600)], "black")
    strips: list[Strip] = []

    async def read(_: int, strip: Strip) -> list[Word]:
        strips.append(strip)
        there = (row for row in rows if strip.top <= row and row + 2 <= strip.bottom)
        return [Word(str(row), Box.at(0, row - strip.top, 600, 2), 1.0) for row in there]

    words = await read_in_strips(pixels_of(image), read)

    assert sorted((int(word.text), word.box.top) for word in words) == [(row, row) for row in rows]
    assert sum(strip.last - strip.first for strip in strips) == 1080
    if height >= 540:
        shares = [sum(strip.first <= row < strip.last for row in rows) for strip in strips]
        assert max(shares) < 1.5 * len(rows) / len(strips), "one has much more to read than the others"


def written(*texts: str) -> Pixels:
    image = PillowImage.new("RGB", (420, 30 + 30 * len(texts)), "white")
    for row, text in enumerate(texts):
        ImageDraw.Draw(image).text((12, 15 + 30 * row), text, fill=(20, 20, 20), font=ImageFont.truetype(FONT, 14))
    return pixels_of(image)


def engine(name: Literal["tesseract", "fast"]) -> Engine:
    if name == "fast":
        pytest.importorskip("rapidocr", reason="needs the extra `ocr`")
    elif not shutil.which("tesseract"):
        pytest.skip("needs tesseract-ocr")
    made = engine_of(OcrOptions(engine=name))
    assert made is not None
    return made


@pytest.mark.parametrize("name", ["tesseract", "fast"])
async def test_both_engines_read_a_form_word_by_word(name: Literal["tesseract", "fast"]) -> None:
    found = lines_of(await engine(name).read(written("Delivery address", "Save report as 2024", "Cancel")))

    assert [line.text for line in found] == ["Delivery address", "Save report as 2024", "Cancel"]
    assert all(line.box.left in range(8, 17) for line in found)
    assert [line.box.top // 30 for line in found] == [0, 1, 2]


@pytest.mark.parametrize(("ground", "field", "letters"), [(217, 255, 0), (48, 22, 238)], ids=["light", "dark"])
async def test_labels_are_read_between_fields_that_are_another_shade_of_their_ground(
    ground: int, field: int, letters: int
) -> None:
    image = PillowImage.new("L", (500, 300), ground)
    for row, text in enumerate(("First", "Second", "Third", "Area")):
        top = 44 * row
        drawn = ImageDraw.Draw(image)
        drawn.rectangle((1, top + 22, 498, top + 42 if row < 3 else 299), fill=field)
        drawn.text((230, top + 3), text, fill=letters, font=ImageFont.truetype(FONT, 13))

    found = lines_of(await engine("tesseract").read(pixels_of(image.convert("RGB"))))

    assert [line.text for line in found] == ["First", "Second", "Third", "Area"]


@pytest.mark.parametrize("name", ["tesseract", "fast"])
@pytest.mark.parametrize("size", [Size(1, 1), Size(60, 3)], ids=str)
async def test_where_there_is_nothing_to_read_nothing_is_read(name: Literal["tesseract", "fast"], size: Size) -> None:
    assert lines_of(await engine(name).read(pixels_of(PillowImage.new("RGB", size, "white")))) == []


async def test_who_stops_waiting_for_tesseract_leaves_none_running() -> None:
    reader = engine("tesseract")
    page = written(*(f"{number} invoices and orders of the month" for number in range(300)))

    async with anyio.create_task_group() as group:
        group.start_soon(reader.read, page)
        assert await until(tesseracts, 10)
        group.cancel_scope.cancel()

    assert await until(lambda: not tesseracts(), 3)


def tesseracts() -> list[int]:
    """Give the processes below us that read a picture."""
    names = ((pid, Path(f"/proc/{pid}/cmdline")) for pid in family(os.getpid()))
    return [pid for pid, file in names if file.exists() and b"tesseract\0stdin" in file.read_bytes()]


def test_the_fast_engine_says_which_extra_it_needs_and_what_its_licence_limits(tmp_path: Path) -> None:
    (tmp_path / "rapidocr.py").write_text("raise ImportError(\"No module named 'rapidocr'\")\n")
    words = ("look", "--device", "linux:virtual,size=320x240", "-c", "ocr.engine=fast")
    done = deskhand(*words, home=tmp_path, PYTHONPATH=f"{tmp_path}:{ROOT / 'src'}:{ROOT}")

    assert done.returncode == 2
    assert "pip install 'deskhand[ocr]'" in done.stderr
    assert "RAIL" in done.stderr
