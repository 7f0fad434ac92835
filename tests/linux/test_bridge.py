"""What a model that sees only prompts and pictures was misled by."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.core.action import Click, OpenApp, Write
from tests.linux.stage import Stage

pytestmark = pytest.mark.anyio
MENUS = Path(__file__).parent / "apps/menus.py"


async def test_text_for_wherever_the_focus_is_goes_by_keys_into_a_display_that_nobody_can_write_in(
    stage: Stage,
) -> None:
    opened = await stage.do(OpenApp(app_name="galculator"), "")
    stage.window = opened.value

    typed = await stage.do(Write(message="12+30="))

    assert typed.outcome == "done", typed
    shown = next(e for e in (await stage.look()).elements if e.role == "textbox")
    assert shown.value == "42"
    refused = await stage.do(Write(message="7", target=await stage.on("", "textbox")))
    assert refused.outcome == "failed"
    assert "read-only: press keys or click" in refused.text
    assert "multiline" not in refused.text


async def test_choosing_a_menu_item_is_known_to_have_worked_by_its_tick_and_never_by_its_menu_closing(
    stage: Stage,
) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(MENUS)])
    stage.window = (await stage.shown("Menus")).id
    await stage.do(Click(target=await stage.on("View")))
    item = await stage.element("Numbers", "menuitemcheckbox")
    assert "checked" not in item.states

    ticked = await stage.do(Click(target=await stage.on("Numbers")))
    await stage.do(Click(target=await stage.on("View")))
    now = await stage.element("Numbers", "menuitemcheckbox")
    chosen = await stage.do(Click(target=await stage.on("Nothing")))

    assert ticked.outcome == "done", ticked
    assert "is now checked" in ticked.text
    assert "checked" in now.states
    assert chosen.outcome == "unverified"
    assert "its menu closed" in chosen.text
