"""Windows that tell nothing about their controls are read off the picture."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Click, OnElement
from deskhand.core.geometry import Size
from deskhand.core.observation import Observation, OneWindow
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.perception.options import DetectorOptions, OcrOptions, Perception
from deskhand.perception.picture import decode

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        not (shutil.which("tesseract") and Path("/usr/lib/python3/dist-packages").is_dir()),
        reason="tesseract-ocr is not installed",
    ),
    pytest.mark.skipif(not list(Path("/usr/lib/python3.11").glob("tkinter/__init__.py")), reason="no python3-tk"),
]
PLAIN = Path(__file__).parent / "apps/plain_tk.py"
NO_OCR = OcrOptions(engine="none")


@asynccontextmanager
async def plain_window(perception: Perception) -> AsyncIterator[tuple[LinuxDevice, str]]:
    async with virtual_desktop(Size(800, 600)) as desktop:
        device_name = f"linux:display={desktop.display_name}"
        async with open_linux(device_name, desktop.environment, perception) as device:
            await desktop.start(["/usr/bin/python3", str(PLAIN)])
            yield device, await opened(device)


async def opened(device: LinuxDevice) -> str:
    """Wait for a window; give its id."""
    with anyio.fail_after(20):
        while True:
            seen = (await device.observe()).observation
            if seen.window:
                return seen.window


async def looked(device: LinuxDevice, text: str) -> Observation:
    """Look until a text is seen."""
    with anyio.fail_after(15):
        while True:
            seen = (await device.observe()).observation
            if any(e.name == text for e in seen.elements):
                return seen


async def test_a_window_without_a_tree_is_read_and_can_be_used_by_what_it_says() -> None:
    async with plain_window(Perception()) as (device, window):
        seen = await looked(device, "Press here")
        button = next(e for e in seen.elements if e.name == "Press here")
        result = await device.perform(Click(target=OnElement(id=button.id)), window)
        after = await looked(device, "It was pressed")
        alone = await device.observe(OneWindow(id=window, alone=True))

    assert {(e.role, e.source) for e in seen.elements} == {("label", "ocr")}
    assert "offers no accessibility tree" in seen.truncated
    assert "read off its picture" in seen.truncated
    assert result.outcome == "done"
    assert next(e.id for e in after.elements if e.name == "Customer name") in {e.id for e in seen.elements}
    own = alone.observation.alone
    assert own is not None
    assert own.size == Size(420, 240)
    assert decode(alone.pictures[own.sha256]).size == (420, 240)


async def test_where_nothing_shall_be_read_the_look_says_so() -> None:
    async with plain_window(Perception(ocr=NO_OCR)) as (device, _):
        seen = (await device.observe()).observation

    assert seen.elements == ()
    assert "ocr.engine=none" in seen.truncated


async def test_a_language_that_is_not_installed_is_named() -> None:
    async with plain_window(Perception(ocr=OcrOptions(languages=("xyz",)))) as (device, _):
        seen = (await device.observe()).observation

    assert "tesseract has no xyz" in seen.truncated
    assert "apt-get install" in seen.truncated


@contextmanager
def omniparser(answer: bytes, status: int = 200) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Run a service that gives the same answer each time; give its address and what it was asked."""
    asked: list[dict[str, str]] = []

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))) | {"path": self.path})
            self.send_response(status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_what_a_detector_finds_is_among_the_elements_and_it_is_asked_once_about_a_picture() -> None:
    found = [{"type": "icon", "bbox": [0.25, 0.5, 0.5, 0.75], "interactivity": True, "content": "Gear"}]
    with omniparser(json.dumps({"parsed_content_list": found, "latency": 0.1}).encode()) as (url, asked):
        perception = Perception(ocr=NO_OCR, detector=DetectorOptions(url=url))
        async with plain_window(perception) as (device, window):
            box = next(w.box for w in (await device.observe()).observation.windows if w.id == window)
            seen = (await device.observe()).observation
            times = len(asked)
            again = (await device.observe()).observation

    (gear,) = seen.elements
    assert (gear.role, gear.name, gear.source) == ("button", "Gear", "detector")
    assert (gear.box.left, gear.box.top) == (box.left + 105, box.top + 120)
    assert asked[0]["path"] == "/parse/"
    assert len(asked) == times
    assert again.elements == seen.elements


@pytest.mark.parametrize(("answer", "status", "said"), [(b"{}", 200, "another form"), (b"", 500, "answered 500")])
async def test_a_detector_that_fails_is_named_and_costs_nothing_else(answer: bytes, status: int, said: str) -> None:
    with omniparser(answer, status) as (url, _):
        perception = Perception(ocr=NO_OCR, detector=DetectorOptions(url=url))
        async with plain_window(perception) as (device, _):
            seen = (await device.observe()).observation

    assert url in seen.truncated
    assert said in seen.truncated
