"""`deskhand look` on real applications: pictures with numbers, of windows alone, and texts read off them."""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import anyio
import pytest
from PIL import Image as PillowImage

from deskhand.core.action import ArrangeWindow
from deskhand.core.geometry import Point, Size
from deskhand.perception.marks import COLOURS_IN_WORDS
from deskhand.perception.picture import decode
from tests.command import deskhand
from tests.linux.stage import Stage

APPS = Path(__file__).parent / "apps"
TK = bool(list(Path("/usr/lib/python3.11").glob("tkinter/__init__.py")))
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not shutil.which("tesseract"), reason="needs tesseract-ocr"),
]


async def shown(stage: Stage, app: str, title: str) -> str:
    await stage.desktop.start(["/usr/bin/python3", str(APPS / app)])
    return (await stage.shown(title)).id


async def look(stage: Stage, *words: str, path: str = os.environ["PATH"]) -> CompletedProcess[str]:
    spec = f"linux:display={stage.desktop.display_name}"
    bus = stage.desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
    command = partial(deskhand, "look", "--device", spec, *words, home=stage.folder)
    return await anyio.to_thread.run_sync(partial(command, DBUS_SESSION_BUS_ADDRESS=bus, PATH=path))


async def test_a_text_that_is_only_drawn_is_read_where_nothing_tells_of_it_and_numbered_in_the_picture(
    stage: Stage,
) -> None:
    window = await shown(stage, "drawn.py", "Drawn")
    with anyio.fail_after(10):
        while len((plain := await stage.look(window)).elements) < 3:
            pass
    marked = await look(stage, "--ocr", "--marks", "marked.png", "--picture", "small.jpg", "--size", "640x400")

    assert [(each.name, each.source) for each in plain.elements if each.name] == [
        ("Drawn", "a11y"),
        ("Known button", "a11y"),
        ("Quarterly figures", "ocr"),
    ]
    assert plain.truncated == "parts of the window tell nothing of what they show; 1 texts were read off there"
    line = next(line for line in marked.stdout.splitlines() if "'Quarterly figures'" in line)
    assert line.endswith("[ocr]")
    assert COLOURS_IN_WORDS in marked.stdout
    assert marked.stdout.count("Known") == 1  # not read off as well
    numbered, small = (decode((stage.folder / name).read_bytes()) for name in ("marked.png", "small.jpg"))
    screen = (await stage.look(window)).screen.size
    part = min(640 / screen.width, 400 / screen.height)
    assert numbered.size == small.size == (round(screen.width * part), round(screen.height * part))
    assert (stage.folder / "small.jpg").read_bytes()[:3] == b"\xff\xd8\xff"
    # The numbers' frames are drawn in colours that the screen has nowhere else.
    assert red(numbered) > red(small) == 0


def red(image: PillowImage.Image) -> int:
    """Count the pixels of about the colour that buttons are framed in."""
    data = image.tobytes()
    return sum(r > 170 and g < 60 and 40 < b < 110 for r, g, b in zip(data[::3], data[1::3], data[2::3], strict=True))


@pytest.mark.skipif(not TK, reason="needs python3-tk")
async def test_a_window_has_a_picture_of_its_own_while_another_one_covers_it(stage: Stage) -> None:
    covered = await shown(stage, "plain_tk.py", "Plain")
    await look(stage, "--window-picture", "before.png")
    above = await shown(stage, "drawn.py", "Drawn")
    box = next(each.box for each in stage.windows() if each.id == covered)
    moved = await stage.do(
        ArrangeWindow(window=above, how="move", corner=Point(box.left - 20, box.top - 40), size=Size(500, 320)), above
    )
    done = await look(stage, "--window", "plain", "--window-picture", "own.png", "--picture", "screen.png")

    assert moved.outcome == "done", moved.text
    assert done.returncode == 0, done.stderr
    before, own, screen = (decode((stage.folder / f"{name}.png").read_bytes()) for name in ("before", "own", "screen"))
    assert own.size == (box.width, box.height)
    assert own.tobytes() == before.tobytes()
    assert own.tobytes() != screen.crop(box).tobytes()
    assert "'Customer name'" in done.stdout  # also read off what nobody can see
    assert "covered" in done.stdout


@pytest.mark.skipif(not TK, reason="needs python3-tk")
async def test_without_tesseract_the_look_says_what_to_install_and_shows_the_rest(stage: Stage) -> None:
    await shown(stage, "plain_tk.py", "Plain")
    bare = stage.folder / "bin"
    bare.mkdir()
    (bare / "python").symlink_to(sys.executable)
    done = await look(stage, "--picture", "screen.png", path=str(bare))

    assert done.returncode == 0, done.stderr
    assert "there is no tesseract to read its text: apt-get install tesseract-ocr" in done.stdout
    assert (stage.folder / "screen.png").stat().st_size > 1000
