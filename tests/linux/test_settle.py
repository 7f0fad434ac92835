from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from PIL import Image as PillowImage
from xcffib.xproto import GC, RECTANGLE

from deskhand.core.action import Click
from deskhand.core.geometry import Box, Size
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.seeing.settle import Changes, Rest, Watcher
from deskhand.devices.linux.seeing.unasked import Unasked
from deskhand.devices.linux.x11.display import Display
from deskhand.perception.picture import Pixels, pixels_of
from tests.linux.stage import Stage

APPS = Path(__file__).parent / "apps"
pytestmark = pytest.mark.anyio


@asynccontextmanager
async def watching(display: Display) -> AsyncIterator[Changes]:
    watcher = Watcher(display)
    try:
        async with watcher.changes() as changes:
            yield changes
    finally:
        watcher.close()


class Painter:
    """Draws on the background."""

    def __init__(self, display: Display) -> None:
        self.display = display
        self.pen = display.conn.generate_id()
        display.conn.core.CreateGC(self.pen, display.root, GC.Foreground, [0xFFFFFF])

    def draw(self, width: int) -> None:
        place = RECTANGLE.synthetic(50, 60, width, 20)  # type: ignore[no-untyped-call]  # xcffib has no annotations
        self.display.conn.core.PolyFillRectangle(self.display.root, self.pen, 1, [place])
        self.display.conn.flush()

    async def draw_on(self, width: int, seconds: float) -> None:
        """Draw thirty times a second."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.draw(width)
            await anyio.sleep(0.03)


@pytest.fixture
async def painter() -> AsyncIterator[Painter]:
    async with virtual_desktop(Size(640, 480)) as desktop:
        display = Display.open(desktop.display_name)
        yield Painter(display)
        display.close()


async def test_a_still_screen_is_at_rest_after_a_moment(painter: Painter) -> None:
    started = time.monotonic()
    async with watching(painter.display) as changes:
        rest = await changes.rest(quiet=0.06)

    assert rest == Rest(rested=True, drawn=None)
    assert 0.05 < time.monotonic() - started < 1


async def test_it_waits_for_as_long_as_something_is_drawn(painter: Painter) -> None:
    started = time.monotonic()
    async with watching(painter.display) as changes, anyio.create_task_group() as group:
        group.start_soon(painter.draw_on, 400, 0.5)
        rest = await changes.rest(quiet=0.1, cap=5)

    assert rest.rested
    assert rest.drawn == (50, 60, 450, 80)
    assert time.monotonic() - started > 0.5


async def test_it_waits_for_a_beginning_if_it_is_told_to(painter: Painter) -> None:
    async def draw_later() -> None:
        await anyio.sleep(0.2)
        painter.draw(40)

    async with watching(painter.display) as changes, anyio.create_task_group() as group:
        group.start_soon(draw_later)
        rest = await changes.rest(quiet=0.05, first=2)

    assert rest.drawn == (50, 60, 90, 80)


async def test_a_screen_that_never_rests_is_taken_as_it_is_in_the_end(painter: Painter) -> None:
    started = time.monotonic()
    async with watching(painter.display) as changes, anyio.create_task_group() as group:
        group.start_soon(painter.draw_on, 400, 60)
        rest = await changes.rest(quiet=0.2, cap=0.6)
        group.cancel_scope.cancel()

    assert not rest.rested
    assert 0.6 <= time.monotonic() - started < 2


async def test_a_blinking_caret_is_no_unrest(painter: Painter) -> None:
    async with watching(painter.display) as changes, anyio.create_task_group() as group:
        group.start_soon(painter.draw_on, 2, 60)
        rest = await changes.rest(quiet=0.2, cap=5)
        group.cancel_scope.cancel()

    assert rest == Rest(rested=True, drawn=None)


async def test_a_spinner_does_not_hold_it_up_and_is_not_forgotten(painter: Painter) -> None:
    watcher = Watcher(painter.display)
    async with anyio.create_task_group() as group:
        group.start_soon(painter.draw_on, 24, 60)
        async with watcher.changes() as changes:
            met = await changes.rest(cap=5)
        started = time.monotonic()
        async with watcher.changes() as changes:
            known = await changes.rest(cap=5)
        took = time.monotonic() - started
        group.cancel_scope.cancel()
    watcher.close()

    assert met.rested
    assert met.moving == known.moving == ((50, 60, 74, 80),), "its picture proves nothing"
    assert took < 0.3


async def test_what_is_drawn_beside_a_spinner_is_waited_for(painter: Painter) -> None:
    async def draw_later() -> None:
        await anyio.sleep(0.6)
        painter.draw(400)

    async with watching(painter.display) as changes, anyio.create_task_group() as group:
        group.start_soon(painter.draw_on, 24, 60)
        group.start_soon(draw_later)
        rest = await changes.rest(quiet=0.3, cap=5)
        group.cancel_scope.cancel()

    assert rest.drawn is not None
    assert rest.drawn.right == 450


async def test_an_application_that_works_is_waited_for(painter: Painter) -> None:
    command = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    async with watching(painter.display) as changes:
        with subprocess.Popen(command, stdout=subprocess.PIPE) as working:  # noqa: ASYNC220 -- it is killed below
            assert working.stdout
            working.stdout.readline()
            started = time.monotonic()
            rest = await changes.rest(pid=working.pid)
            took = time.monotonic() - started
            working.kill()

    assert rest.rested
    assert took > 0.2


async def test_what_comes_late_is_seen_beside_a_film_and_the_film_is_evidence_of_nothing(stage: Stage) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(APPS / "film.py")])
    window = (await stage.shown("Film")).id
    with anyio.fail_after(10):
        while not any(each.name == "Late" for each in (await stage.look(window)).elements):
            pass
    for turn in range(3):
        late = await stage.do(Click(target=await stage.on("Late", window=window)), window)
        inert = await stage.do(Click(target=await stage.on("Inert", window=window)), window)

        assert late.outcome == "done", (turn, late)
        assert inert.outcome == "unverified", (turn, inert)


def test_what_changes_again_while_nothing_is_done_is_known_for_that() -> None:
    def screen(*places: Box) -> Pixels:
        image = PillowImage.new("RGB", (640, 480))
        for place in places:
            image.paste((255, 255, 255), place)
        return pixels_of(image)

    clock, once, caret = Box(500, 10, 560, 26), Box(20, 300, 300, 320), Box(100, 100, 101, 116)
    unasked = Unasked()
    unasked.note(screen(), screen(clock, once, caret), 10.0)
    at_first = unasked.places(10.0)
    unasked.note(screen(once, caret), screen(clock, once), 12.0)

    assert at_first == ()
    assert {(clock if place.holds(clock.center) else caret).clipped(place) for place in unasked.places(12.0)} == {
        clock,
        caret,
    }
    assert unasked.places(1000.0) == ()
