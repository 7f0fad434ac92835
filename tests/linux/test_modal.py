"""Which dialogs keep the window behind them from being used, and what tooltips call their controls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Click
from deskhand.core.observation import ACTIVE_WINDOW
from deskhand.perception.covering import blocked, uncovered
from deskhand.perception.marks import markable
from tests.linux.stage import Stage, a_stage

QT5 = Path("/usr/lib/python3/dist-packages/PyQt5").exists()
APP = Path(__file__).parent / "apps" / "modal_qt5.py"
pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not QT5, reason="needs python3-pyqt5")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with a_stage(tmp_path) as stage:
        await stage.desktop.start(["/usr/bin/python3", str(APP)])
        stage.window = (await stage.shown("Behind")).id
        await readable(stage)
        yield stage


async def readable(stage: Stage) -> None:
    """Wait until the window can be read."""
    with anyio.fail_after(20):
        while True:
            if any(e.name == "Open Lenient" for e in (await stage.look()).elements):
                return
            await anyio.sleep(0.01)


async def marked_behind(stage: Stage, title: str) -> tuple[bool, set[str]]:
    """Open a dialog; tell whether it blocks the window behind, and the names of what has a mark there."""
    await stage.do(Click(target=await stage.on(f"Open {title}")))
    await stage.shown(title)
    seen, _ = await stage.device.observe(ACTIVE_WINDOW)
    marked = markable(uncovered(seen.elements, seen.windows))
    shut = stage.window in blocked(seen.elements, seen.windows)
    return shut, {e.name for e in marked if e.window == stage.window}


async def test_nothing_behind_a_modal_dialog_of_qt_has_a_mark(stage: Stage) -> None:
    assert await marked_behind(stage, "Blocking") == (True, set())


async def test_a_dialog_that_is_not_modal_blocks_nothing(stage: Stage) -> None:
    shut, _ = await marked_behind(stage, "Lenient")

    assert not shut


async def test_a_control_is_called_by_the_words_of_its_tooltip_without_what_lays_them_out(stage: Stage) -> None:
    names = {e.name for e in (await stage.look()).elements if e.role == "button"}

    assert "Count the words\n(slowly)" in names
