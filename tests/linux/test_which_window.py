from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Click, CloseWindow, OnElement, Press, Write
from deskhand.core.observation import Observation, OneWindow
from deskhand.devices.linux.device import open_linux
from tests.linux.stage import FORM, Stage

pytestmark = pytest.mark.anyio


@pytest.fixture
async def first(stage: Stage, tmp_path: Path) -> str:
    """The first window of an application that can open others."""
    await stage.desktop.start(["/usr/bin/python3", str(FORM.with_name("windows.py")), str(tmp_path / "Form.log")])
    stage.window = (await stage.shown("First")).id
    await reads(stage, "More of First")
    return stage.window


async def reads(stage: Stage, name: str) -> Observation:
    """Look at the first window until something is there."""
    with anyio.fail_after(20):
        while True:
            seen = await stage.look()
            if any(element.name == name for element in seen.elements):
                return seen


async def test_work_goes_on_in_the_window_that_the_application_has_opened(stage: Stage, first: str) -> None:
    more = await stage.on("More of First")
    await stage.do(Click(target=more))
    second = await stage.shown("Second")

    seen = await reads(stage, "More of Second")
    assert seen.window == second.id
    assert "More of First" not in [element.name for element in seen.elements]
    pressed = await stage.do(Press(keys=("F5",)))
    assert await stage.logged("Second: F5")
    assert pressed.receiver.startswith("'Second'")

    # Whoever has not worked in the first window yet means just that one when naming it.
    async with open_linux(f"linux:display={stage.desktop.display_name}", stage.desktop.environment) as another:
        assert (await another.observe(OneWindow(id=first))).observation.window == first

    # What was shown of the first window is still meant when it is named.
    again = await stage.do(Click(target=more))
    assert again.outcome == "done"
    assert stage.log().count("More of First") == 2
    assert first == stage.window


async def test_work_goes_on_in_the_window_that_is_left_when_the_one_named_closes(stage: Stage, first: str) -> None:
    await stage.do(Click(target=await stage.on("More of First")))
    second = await stage.shown("Second")
    await reads(stage, "Leave of Second")
    assert "'First' closed" in (await stage.do(Click(target=await stage.on("Leave of Second")))).text
    await stage.form("Other")

    assert (await stage.look(first)).window == second.id
    await stage.do(Press(keys=("F5",)), first)
    assert await stage.logged("Second: F5")

    await stage.do(CloseWindow(window=second.id))
    assert (await stage.look(first)).truncated == f"the window {first} is closed"
    lost = await stage.do(Write(message="x"), first)
    assert lost.outcome == "failed"
    assert f"there is no window '{first}' any more" in lost.text


async def test_what_a_dialog_covers_is_not_clicked(stage: Stage, first: str) -> None:
    covered = OnElement(id=(await stage.element("More of First")).id)
    await stage.do(Click(target=await stage.on("Ask of First")))
    dialog = await stage.shown("Question")

    result = await stage.do(Click(target=covered))

    assert result.outcome == "failed"
    assert f"covered by the window 'Question' ({dialog.id})" in result.text
    assert stage.log() == ["Ask of First"]
    assert (await reads(stage, "Well")).window == first
