"""What pictures of a desktop cost: to take, to write as files, to read text off."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal

import anyio

from benchmarks.dense_page import dense_page
from benchmarks.peers import figures_of, need
from benchmarks.row import Peer, Row
from deskhand.core.geometry import Size
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.grab import Grabber
from deskhand.perception.naming import words
from deskhand.perception.ocr import Engine, engine_of, lines_of
from deskhand.perception.options import OcrOptions, PictureOptions
from deskhand.perception.picture import Pixels, decode, jpeg_by_pillow, picture_of, pillow_of, pixels_of

RUNS, PEER_RUNS = 40, 15
SMALL = Size(1280, 720)
JPEG = PictureOptions(format="jpeg", quality=75)
APPLICATIONS = ("mousepad", "galculator")
ENOUGH = 0.97
"""The part of a page's lines that are read word for word."""


@asynccontextmanager
async def a_screen() -> AsyncIterator[tuple[Grabber, Display, Mapping[str, str]]]:
    """Bring up a full HD screen with two applications on it, at rest."""
    async with virtual_desktop(Size(1920, 1080)) as desktop:
        display = Display.open(desktop.display_name)
        grabber = Grabber(display)
        for program in APPLICATIONS:
            await desktop.start([program])
        assert await until(lambda: len(list_windows(display)) == len(APPLICATIONS), 20), "the applications do not start"
        since, last = time.monotonic(), grabber.grab()
        while time.monotonic() - since < 1:
            await anyio.sleep(0.02)
            if (now := grabber.grab()) is not last:
                since, last = time.monotonic(), now
        yield grabber, display, desktop.environment
        grabber.close()
        display.close()


def milliseconds(finish: Callable[[Pixels], object]) -> Iterator[float]:
    """Take pictures of a screen that is another one each time, and do something with them."""

    async def measure() -> list[float]:
        figures = []
        async with a_screen() as (grabber, display, _):
            for turn in range(RUNS):
                display.paint(0x102030 + turn)
                display.sync()
                start = time.perf_counter()
                finish(grabber.grab())
                figures.append((time.perf_counter() - start) * 1000)
            assert decode(picture_of(grabber.grab()).data).getpixel((1900, 20)) == (0x10, 0x20, 0x30 + RUNS - 1)
        return figures

    yield from anyio.run(measure)


def take(pixels: Pixels) -> Pixels:
    return pixels


def write_jpeg(pixels: Pixels) -> object:
    return picture_of(pixels, JPEG, SMALL)


def write_jpeg_without_vision(pixels: Pixels) -> bytes:
    return jpeg_by_pillow(pixels, JPEG.quality, SMALL)


def beside(how: str, *packages: str) -> list[float]:
    """Have another program take pictures of such a screen."""
    python = need(*packages)

    async def measure() -> list[float]:
        async with a_screen() as (grabber, _, environment):
            with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
                expected = Path(folder) / "screen.rgb"
                expected.write_bytes(pillow_of(grabber.grab()).tobytes())
                arguments = (how, str(PEER_RUNS), str(expected))
                return figures_of(
                    "peers_pictures.py",
                    *arguments,
                    python=python,
                    environment={**environment, "XAUTHORITY": "/dev/null"},
                )

    return anyio.run(measure)


def seconds_to_read(reader: Engine) -> float:
    """Read the dense page; it must be read right."""
    image, lines = dense_page()
    pixels = pixels_of(image)
    start = time.perf_counter()
    found = lines_of(anyio.run(reader.read, pixels))
    seconds = time.perf_counter() - start
    read = {words(line.text) for line in found}
    share = sum(words(line) in read for line in lines) / len(lines)
    assert share >= ENOUGH, f"only {share:.0%} of {len(lines)} lines were read"
    return seconds


def seconds_to_read_by(engine: Literal["tesseract", "fast"], times: int) -> Iterator[float]:
    reader = engine_of(OcrOptions(engine=engine))
    assert reader is not None
    seconds_to_read(reader)  # loads the weights
    for _ in range(times):
        yield seconds_to_read(reader)


def seconds_of_tesseract() -> list[float]:
    """Read the same page with the program as it comes, in the mode that it has for strewn text."""
    image, _ = dense_page()
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        file = Path(folder) / "page.png"
        image.save(file)
        start = time.perf_counter()
        subprocess.run(["tesseract", str(file), "stdout", "--psm", "11"], check=True, capture_output=True)
        return [time.perf_counter() - start]


MSS = Peer("mss", partial(beside, "mss", "mss", "pyautogui"))
PYAUTOGUI = Peer("pyautogui", partial(beside, "pyautogui", "pyautogui"))
IMAGEGRAB = Peer("pillow", partial(beside, "imagegrab", "pillow"), "ImageGrab")
SCROT = Peer("scrot", partial(beside, "scrot", "scrot", "pyautogui"))
PNG_PEERS = (
    Peer("mss", partial(beside, "mss-png", "mss", "pyautogui")),
    Peer("pyautogui", partial(beside, "pyautogui-png", "pyautogui")),
    Peer("pillow", partial(beside, "imagegrab-png", "pillow"), "ImageGrab"),
    SCROT,
)
JPEG_PEERS = (
    Peer("mss", partial(beside, "mss-jpeg", "mss", "pyautogui")),
    Peer("pyautogui", partial(beside, "pyautogui-jpeg", "pyautogui")),
    Peer("pillow", partial(beside, "imagegrab-jpeg", "pillow"), "ImageGrab"),
)
TESSERACT = Peer("tesseract-ocr", seconds_of_tesseract)

ROWS = (
    Row("linux-grab", 1, "ms", partial(milliseconds, take), "linux", peers=(MSS, PYAUTOGUI, IMAGEGRAB, SCROT)),
    Row("linux-png", 5, "ms", partial(milliseconds, picture_of), "linux", peers=PNG_PEERS),
    Row("linux-jpeg", 8, "ms", partial(milliseconds, write_jpeg), "linux", peers=JPEG_PEERS),
    Row("linux-corejpeg", 20, "ms", partial(milliseconds, write_jpeg_without_vision), "linux", peers=JPEG_PEERS),
    Row("linux-ocr", 2.5, "s", partial(seconds_to_read_by, "tesseract", 1), "linux", peers=(TESSERACT,)),
    Row("linux-fastocr", 0.3, "s", partial(seconds_to_read_by, "fast", 5), "linux", trials=1, peers=(TESSERACT,)),
)
