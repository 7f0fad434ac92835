"""Cells of a spreadsheet are gone to and set by their names."""

from __future__ import annotations

import shutil

import anyio
import pytest

from deskhand.core.action import Click, SelectOption, SetValue
from deskhand.devices.linux.applications.launch import with_options
from tests.linux.stage import Stage

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not shutil.which("soffice"), reason="needs libreoffice-calc"),
]


async def test_cells_take_numbers_texts_and_formulas_and_say_what_they_show(stage: Stage) -> None:
    await stage.desktop.start(with_options(["soffice", "--calc"], stage.desktop.environment))
    stage.window = (await stage.shown("Untitled 1 - LibreOffice Calc")).id
    with anyio.fail_after(20):
        while not any(e.role == "cell" and e.name == "C6" for e in (await stage.look()).elements):
            pass

    for name, value, shown in (("B3", "1", "1"), ("B4", "on", "on"), ("B5", "=6*7", "42")):
        result = await stage.do(SetValue(target=await stage.on(name, "cell"), value=value))
        assert (result.outcome, f"shows {shown!r} now" in result.text) == ("done", True), result
    wrong = await stage.do(SetValue(target=await stage.on("C6", "cell"), value="=NOSUCH()"))
    gone_to = await stage.do(SelectOption(target=await stage.on("C6", "cell"), value="D5"))
    far = await stage.do(SelectOption(target=await stage.on("C6", "cell"), value="D5000"))
    cells = {e.name: e for e in (await stage.look()).elements if e.role == "cell"}

    assert {name: cells[name].value for name in ("B3", "B4", "B5")} == {"B3": "1", "B4": "on", "B5": "42"}
    assert (wrong.outcome, "formula is right" in wrong.text) == ("unverified", True), wrong
    assert gone_to.outcome == "done"
    assert "focused" in cells["D5"].states
    assert (far.outcome, "in view" in far.text) == ("failed", True), far
    await _check_special_characters(stage)


async def _check_special_characters(stage: Stage) -> None:
    """Choose a character in the dialog for them, whose grid LibreOffice draws itself."""
    await stage.do(Click(target=await stage.on("Insert", "menu")))
    await stage.do(Click(target=await stage.on("Special Character...", "menuitem")))
    dialog = await stage.shown("Special Characters")
    assert (await stage.element("Font:", "textbox", dialog.id)).value
    chosen = await stage.do(Click(target=await stage.on("K", "cell", dialog.id)), dialog.id)

    assert chosen.outcome == "done", chosen
    with anyio.fail_after(10):
        while not any(e.name == "LATIN CAPITAL LETTER K" for e in (await stage.look(dialog.id)).elements):
            pass
