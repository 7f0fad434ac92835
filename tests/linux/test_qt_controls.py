"""What Qt's controls do otherwise than others, on a real application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Click, Press, SelectOption, SetValue, Write
from tests.linux.stage import Stage, a_stage

QT5 = Path("/usr/lib/python3/dist-packages/PyQt5").exists()
APPS = Path(__file__).parent / "apps"
pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not QT5, reason="needs python3-pyqt5")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def opened(stage: Stage, app: str, title: str, button: str) -> None:
    """Start an application, and wait until it can be read."""
    await stage.desktop.start(["/usr/bin/python3", str(APPS / app)])
    stage.window = (await stage.shown(title)).id
    with anyio.fail_after(20):
        while True:
            if any(element.name == button for element in (await stage.look()).elements):
                return
            await anyio.sleep(0.01)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with a_stage(tmp_path) as stage:
        await opened(stage, "controls_qt5.py", "Controls", "OK")
        yield stage


async def test_a_program_hears_of_a_text_and_the_next_click_gets_past_its_completions(stage: Stage) -> None:
    written = await stage.do(Write(message="Ann", target=await stage.on("Name:", "textbox"), replace=True))
    heard = [e.name for e in (await stage.look()).elements]
    clicked = await stage.do(Click(target=await stage.on("OK", "button")))

    assert (written.outcome, clicked.outcome) == ("done", "done"), (written.text, clicked.text)
    assert "name Ann" in heard
    assert await stage.element("OK pressed", "label")


async def test_a_switch_and_an_option_are_chosen_as_a_person_would_and_the_program_hears_of_it(stage: Stage) -> None:
    ticked = await stage.do(SetValue(target=await stage.on("Tick", "checkbox"), value="on"))
    assert ticked.outcome == "done", ticked.text
    assert await stage.element("Tick clicked True", "label")

    chosen = await stage.do(SelectOption(target=await stage.on("Title", "combobox"), value="Dr"))

    assert chosen.outcome == "done", chosen.text
    assert (await stage.element("Title", "combobox")).value == "Dr"


async def test_a_date_is_read_as_it_is_shown_and_can_be_written(stage: Stage) -> None:
    before = (await stage.element("Arrival", "spinbutton")).value
    written = await stage.do(Write(message="2024-06-15", target=await stage.on("Arrival"), replace=True))
    await stage.do(Press(keys=("tab",)))

    assert before == "2024-01-01"
    assert written.outcome == "done", written.text
    assert (await stage.element("Arrival", "spinbutton")).value == "2024-06-15"


async def test_in_a_window_that_is_a_mere_widget_the_moving_focus_is_no_effect(tmp_path: Path) -> None:
    async with a_stage(tmp_path) as stage:
        await opened(stage, "plain_qt5.py", "Plain", "Dead")
        top = (await stage.look()).elements[0]
        holder = await stage.element("Name", "textbox")
        states = {e.name: e.states for e in (await stage.look()).elements if e.role in ("cell", "checkbox")}
        clicked = await stage.do(Click(target=await stage.on("Dead", "button")))

    assert (top.role, top.name) == ("window", "Plain")
    assert "focused" in holder.states
    assert states == {"Some": ("mixed",), "Folder": ("expanded",), "9 kB": (), "File": (), "4 kB": ()}
    assert clicked.outcome == "unverified", clicked.text
