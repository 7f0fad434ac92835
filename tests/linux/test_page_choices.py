"""Controls of a page in Chromium, which writes down itself what becomes of them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import anyio
import pytest

from benchmarks.deeds import PAGE, choose
from benchmarks.doing import Bench, bench
from deskhand.core.action import Click, DoubleClick, Hotkey, OnElement, Press, Write
from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.devices.linux.applications.launch import with_options
from tests.linux.stage import FORM, Stage

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
    errand = await page.find("combobox", "Errand")
    assert errand
    sent = await page.device.perform(choose("Send")(OnElement(id=errand.id)), page.window)
    assert (sent.outcome, "went back at once" in sent.text) == ("unverified", True), sent
    assert await page.says("Errand=1"), "what is a menu in truth is not tried twice"
    put_back = await page.carry_out(next(each for each in PAGE if each.name == "Sliding"))
    assert "did not take 55" in put_back.result.text, put_back
    due, note = await page.find("date editor", "Due"), await page.find("textbox", "Note")
    assert due
    assert note
    for text, outcome in (("2026-12-24", "failed"), ("2026-02-30T14:30", "failed"), ("2026-12-24T00:05", "done")):
        dated = await page.device.perform(Write(target=OnElement(id=due.id), message=text), page.window)
        assert dated.outcome == outcome, dated.text
    assert await page.says("Due=2026-12-24T00:05")
    added = await page.device.perform(Write(target=OnElement(id=note.id), message=" and on"), page.window)
    assert added.outcome == "done", added.text
    assert await page.says("Note=there and on"), "the caret is put behind what is there"
    await page.device.perform(Hotkey(keys=("ctrl", "l")), page.window)
    elsewhere = await page.device.perform(Write(message="away"), page.window)
    assert elsewhere.outcome == "done", f"the page goes on to claim the keyboard: {elsewhere.text}"
    assert [e.name for e in (await page.look()).elements if "focused" in e.states] == ["Address and search bar"]
    await page.device.perform(Press(keys=("Escape",), presses=2), page.window)
    room = await page.find("", "Room 1")
    assert room
    await page.device.perform(DoubleClick(target=OnElement(id=room.id)), page.window)
    assert await page.says("opened=Room 1"), "two clicks are a double click"


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


async def opened(page: Bench, button: str, role: str, name: str) -> Element:
    """Click a button, wait for what it opens, and give that."""
    element = await page.find("button", button)
    assert element, button
    await page.device.perform(Click(target=OnElement(id=element.id)), page.window)
    with anyio.fail_after(10):
        while not (found := await page.find(role, name)) or found.box.empty:
            pass
    return found


async def test_what_lies_over_a_page_is_named_and_told_and_what_it_covers_is_not_clicked(page: Bench) -> None:
    hidden = await page.find("button", "Hidden")
    assert hidden

    refused = await page.device.perform(Click(target=OnElement(id=hidden.id)), page.window)

    assert refused.outcome == "failed"
    assert "button 'Hidden' is covered by label 'a pane over it'" in refused.text
    following = await opened(page, "Show local date and time picker Due", "button", "Show next month")
    assert min(following.box.width, following.box.height) > 10
    await page.device.perform(Press(keys=("Escape",)), page.window)
    settings = await opened(page, "Chromium", "menuitem", "Settings")
    assert settings.box.width > 10 * settings.box.height > 100
    await page.device.perform(Press(keys=("Escape",)), page.window)
    fruit = await page.find("combobox", "Fruit")
    assert fruit
    await page.device.perform(Click(target=OnElement(id=fruit.id)), page.window)
    cherry = await page.find("menuitem", "Cherry")
    assert cherry
    assert cherry.box.top > fruit.box.bottom
    assert cherry.box.height >= 14, "it is not cut off at what the list hangs on"


async def at_rest(stage: Stage, name: str) -> OnElement:
    """Wait for a button, and until it stays in its place: a bar comes down above a page in the beginning."""
    places: list[Box] = []
    with anyio.fail_after(40):
        while len(places) < 20 or len({*places[-20:]}) > 1:
            found = [each for each in (await stage.look()).elements if each.name == name]
            places += [each.box for each in found] or [Box(0, 0, 0, len(places))]
    return await stage.on(name, "button")


async def test_a_button_that_is_made_anew_all_the_time_is_not_called_pressed_because_it_is_gone(stage: Stage) -> None:
    page = ["chromium", f"--user-data-dir={stage.folder}/profile", str(FORM.with_name("remade.html"))]
    await stage.desktop.start(with_options(page, stage.desktop.environment))
    stage.window = (await stage.shown("Remade - Chromium")).id
    dead = await at_rest(stage, "Dead")

    pressed = await stage.do(Click(target=dead))
    await stage.do(Click(target=await stage.on("Live", "button")))

    assert pressed.outcome == "unverified", pressed.text
    with anyio.fail_after(10):
        while not [each for each in (await stage.look()).elements if each.name == "pressed"]:
            pass
