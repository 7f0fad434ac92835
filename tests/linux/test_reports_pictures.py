"""Faults with pictures that users met with other systems, by the number of their report."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.action import Click, OnElement
from deskhand.core.status import RunOutcome
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.grab import Grabber
from deskhand.perception.picture import decode
from deskhand.settings import load
from deskhand.testing.server import ScriptedServer
from tests import command
from tests.linux.stage import Stage
from tests.paper import app, assign, host

APPS = Path(__file__).parent / "apps"
pytestmark = pytest.mark.anyio


@contextmanager
def server_of_depth(bits: int) -> Iterator[str]:
    """Run an X server whose screen has so many bits a pixel; give its display."""
    reading, writing = os.pipe()
    screen = ["-screen", "0", f"320x240x{bits}", "-displayfd", str(writing), "-nolisten", "tcp"]
    server = subprocess.Popen(["Xvfb", *screen], pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


@pytest.mark.parametrize("bits", [8, 16])
def test_r082_a_screen_of_too_few_colours_is_refused_with_what_to_do(bits: int, tmp_path: Path) -> None:
    with server_of_depth(bits) as display:
        done = command.deskhand("look", "--device", f"linux:display={display}", home=tmp_path)

    assert done.returncode != 0
    assert f"display '{display}' has a colour depth of {bits} bits; 24 are needed" in done.stderr
    assert "Traceback" not in done.stderr


def test_r082_a_screen_of_ten_bits_a_colour_is_seen_as_it_is() -> None:
    with server_of_depth(30) as name:
        display = Display.open(name)
        display.paint(0x10 << 22 | 0x80 << 12 | 0xFF << 2)
        for shared in (True, False):
            grabber = Grabber(display, shared=shared)

            assert decode(grabber.picture_of(grabber.grab()).data).getcolors(1) == [(320 * 240, (0x10, 0x80, 0xFF))]

            grabber.close()
        display.close()


async def test_r083_a_form_that_comes_after_a_spinner_is_hit_as_soon_as_it_is_seen(stage: Stage) -> None:
    log = stage.folder / "late.log"
    for delay in ("0.1", "0.4", "1.2"):
        title = f"Late {delay}"
        await stage.desktop.start(["/usr/bin/python3", str(APPS / "late.py"), title, delay, str(log)])
        window = (await stage.shown(title)).id
        with anyio.fail_after(10):
            while not (save := [e for e in (await stage.look(window)).elements if e.name == "Save"]):
                pass
        began = time.monotonic()
        result = await stage.do(Click(target=OnElement(id=save[0].id)), window)

        assert time.monotonic() - began < 3  # its spinner never rests
        assert await until(partial(says, log, f"{title}=Save"), 2), result


def says(log: Path, line: str) -> bool:
    return log.exists() and line in log.read_text().splitlines()


def test_r084_pictures_are_never_sent_or_kept_as_text(tmp_path: Path) -> None:
    replies = iter([assign("galculator", "look"), app("FINISH", result="seen"), host()])

    async def whole(url: str) -> RunOutcome:
        given = ["device=linux:virtual,size=640x480", "model=openai:gpt-4o", "models.default.key=k"]
        settings = load([*given, f"models.default.base_url={url}"], {}, tmp_path)
        async with deskhand.open_session("look", settings=settings, run_dir=tmp_path / "run") as session:
            return (await session.run()).outcome

    with ScriptedServer(always=lambda _: json.dumps(next(replies))) as server:
        outcome = anyio.run(whole, server.url)

    assert outcome is RunOutcome.FINISHED
    kept = [path.read_text("utf-8") for path in (tmp_path / "run").rglob("*.jsonl")]
    assert kept
    assert any(request.pictures for request in server.requests)
    for text in (*kept, *(text for request in server.requests for text in request.texts)):
        assert not re.search(r"[A-Za-z0-9+/]{200,}", text)
