"""Controls of a page in Chromium, which writes down itself what becomes of them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest

from benchmarks.deeds import PAGE, choose
from benchmarks.doing import Bench, bench
from deskhand.core.action import Click, OnElement

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium"),
]
KINDS = ("checkbox", "combobox", "slider", "spinbutton", "listbox")


@pytest.fixture
async def page() -> AsyncIterator[Bench]:
    async with bench("page") as there:
        yield there


async def test_what_a_page_offers_is_chosen_and_set_and_what_it_refuses_is_not_called_done(page: Bench) -> None:
    for deed in (each for each in PAGE if each.role in KINDS and not each.trap):
        report = await page.carry_out(deed)

        assert not report.missed, report
    fruit = await page.find("combobox", "Fruit")
    assert fruit
    disabled = await page.device.perform(choose("Durian")(OnElement(id=fruit.id)), page.window)
    assert (disabled.outcome, "is disabled" in disabled.text) == ("failed", True), disabled


async def test_a_button_that_a_page_made_anew_is_found_again_and_one_that_became_another_is_not(page: Bench) -> None:
    moving = await page.find("button", "Moving")
    redraw = await page.find("button", "Redraw")
    assert moving
    assert redraw
    for _ in range(2):
        await page.device.perform(Click(target=OnElement(id=redraw.id)), page.window)

    pressed = await page.device.perform(Click(target=OnElement(id=moving.id)), page.window)
    stale = await page.device.perform(Click(target=OnElement(id=moving.id)), page.window)

    assert pressed.outcome == "done", pressed.text
    assert await page.says("Moving=pressed")
    assert stale.outcome == "failed"
    assert "stale: button 'Moving'" in stale.text
    assert "now" in stale.text
    assert "'Moved'" in stale.text


async def test_what_covers_a_button_of_a_page_is_named_and_not_clicked(page: Bench) -> None:
    hidden = await page.find("button", "Hidden")
    assert hidden

    refused = await page.device.perform(Click(target=OnElement(id=hidden.id)), page.window)

    assert refused.outcome == "failed"
    assert "button 'Hidden' is covered by label 'a pane over it'" in refused.text
