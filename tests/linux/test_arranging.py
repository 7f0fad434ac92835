from __future__ import annotations

from typing import Literal

import anyio
import pytest
from pydantic import ValidationError

from deskhand.core.action import ActionResult, ArrangeWindow, CloseWindow
from deskhand.core.geometry import Point, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.managing import ask_to_show
from deskhand.devices.linux.x11.display import Display
from tests.linux.stage import Stage

pytestmark = pytest.mark.anyio


async def arranged(stage: Stage, how: Literal["minimize", "maximize", "restore"]) -> tuple[ActionResult, Window]:
    """Arrange the form, and give what its window is like then."""
    result = await stage.do(ArrangeWindow(window=stage.window, how=how))
    return result, now(stage)


def now(stage: Stage) -> Window:
    return next(window for window in stage.windows() if window.id == stage.window)


async def test_a_window_is_moved_and_resized_to_the_pixel(form: Stage) -> None:
    moved = await form.do(ArrangeWindow(window=form.window, how="move", corner=Point(40, 50)))
    assert moved.outcome == "done"
    assert "is at (40, 50) with its frame" in moved.text
    before = now(form).box

    resized = await form.do(ArrangeWindow(window=form.window, how="resize", size=Size(700, 620)))
    box = now(form).box
    assert (resized.outcome, box.width, box.height) == ("done", 700, 620)
    assert (box.left, box.top) == (before.left, before.top)

    both = await form.do(ArrangeWindow(window=form.window, how="move", corner=Point(0, 0), size=Size(720, 600)))
    assert both.outcome == "done"
    assert now(form).box.width == 720

    vast = await form.do(ArrangeWindow(window=form.window, how="resize", size=Size(20_000, 600)))
    assert (vast.outcome, "is too large for a window" in vast.text) == ("failed", True)
    small = await form.do(ArrangeWindow(window=form.window, how="resize", size=Size(5, 5)))
    assert small.outcome == "failed"
    assert "as near as it lets itself be placed" in small.text
    assert f"{now(form).box.width} x {now(form).box.height}" in small.text


async def test_a_window_is_put_away_taken_out_and_made_to_fill_the_screen(form: Stage) -> None:
    own = now(form).box
    result, window = await arranged(form, "maximize")
    assert (result.outcome, window.maximized) == ("done", True)
    assert window.box.width == 1920
    assert (await arranged(form, "maximize"))[0].text == "'Form' is maximized already"

    result, window = await arranged(form, "minimize")
    assert (result.outcome, window.minimized) == ("done", True)
    result, window = await arranged(form, "restore")
    assert (result.outcome, window.minimized, window.maximized) == ("done", False, True)

    result, window = await arranged(form, "restore")
    assert (result.outcome, window.maximized, window.box) == ("done", False, own)
    assert (await arranged(form, "restore"))[0].outcome == "done"

    display = Display.open(form.desktop.display_name)
    ask_to_show(display, window, maximized=False, fullscreen=True)
    display.close()
    assert await until(lambda: now(form).fullscreen, 5)
    result, window = await arranged(form, "restore")
    assert (result.outcome, window.fullscreen, window.box) == ("done", False, own)

    await arranged(form, "maximize")
    moved = await form.do(ArrangeWindow(window=form.window, how="move", corner=Point(10, 20)))
    assert (moved.outcome, now(form).maximized) == ("done", False)


async def test_a_window_that_is_gone_cannot_be_arranged(form: Stage) -> None:
    await form.do(CloseWindow(window=form.window))
    with anyio.fail_after(2):
        result = await form.do(ArrangeWindow(window=form.window, how="maximize"))
    assert result.outcome == "failed"
    assert "there is no window" in result.text


def test_a_move_says_where_to_and_a_resize_how_large() -> None:
    with pytest.raises(ValidationError, match="a move needs a corner"):
        ArrangeWindow(window="0x1", how="move", size=Size(3, 4))
    with pytest.raises(ValidationError, match="a resize needs a size"):
        ArrangeWindow(window="0x1", how="resize", corner=Point(3, 4))
