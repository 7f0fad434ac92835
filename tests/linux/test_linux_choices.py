"""Options, numbers and switches of real applications, which write down themselves what became of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Action, ActionResult, Click, OnElement, Press, SelectOption, SetValue, Write
from deskhand.devices.linux.waiting import until
from tests.linux.stage import Stage, a_stage

APPS = Path(__file__).parent / "apps"
QT5 = Path("/usr/lib/python3/dist-packages/PyQt5").exists()
ADW = bool([*Path("/usr/lib").glob("*/girepository-1.0/Adw-1.typelib")])
pytestmark = pytest.mark.anyio


async def readable(stage: Stage, name: str) -> None:
    with anyio.fail_after(20):
        while name not in await names(stage):
            pass


@asynccontextmanager
async def acts(folder: Path, app: str, title: str) -> AsyncIterator[Stage]:
    """Start an application that logs, and wait until it can be read."""
    async with a_stage(folder) as stage:
        await stage.desktop.start(["/usr/bin/python3", str(APPS / app), str(folder / "acts.log")])
        stage.window = (await stage.shown(title)).id
        await readable(stage, "Go")
        yield stage


@pytest.fixture
async def gtk(tmp_path: Path) -> AsyncIterator[Stage]:
    async with acts(tmp_path, "acts_gtk3.py", "Acts GTK") as stage:
        yield stage


@pytest.fixture
async def qt(tmp_path: Path) -> AsyncIterator[Stage]:
    if not QT5:
        pytest.skip("needs python3-pyqt5")
    async with acts(tmp_path, "acts_qt5.py", "Acts Qt") as stage:
        yield stage


async def is_done(stage: Stage, action: Action, line: str) -> None:
    result = await stage.do(action)
    assert result.outcome == "done", result.text
    assert await until(lambda: line in stage.log("acts"), 5), stage.log("acts")


async def names(stage: Stage) -> list[str]:
    return [element.name for element in (await stage.look()).elements]


def is_refused(result: ActionResult, why: str) -> None:
    assert (result.outcome, why in result.text) == ("failed", True), result


async def test_what_comes_late_is_seen_and_what_only_lights_up_is_no_effect(gtk: Stage) -> None:
    slow = await gtk.do(Click(target=await gtk.on("Slow", "button")))
    await gtk.do(Click(target=await gtk.on("Edit")))
    idle = await gtk.do(Click(target=await gtk.on("Idle")))

    assert slow.outcome == "done", slow.text
    assert idle.outcome == "unverified", idle.text
    assert "Put away" not in await names(gtk)
    for word in ("True", "False"):
        await is_done(gtk, Click(target=await gtk.on("More")), f"More={word}")
        assert (word == "True") is ("Put away" in await names(gtk))
    await is_done(gtk, SelectOption(target=await gtk.on("Trees"), value="Elm"), "tree=Elm")


async def test_r067_what_an_application_puts_back_after_a_while_is_not_done(gtk: Stage) -> None:
    box = await gtk.on("Unwilling", "checkbox")
    for action in (
        SetValue(target=box, value="on"),
        Click(target=box),
        Click(target=await gtk.on("Restless", "button")),
        SetValue(target=await gtk.on("Bound", "spinbutton"), value="55"),
    ):
        is_refused(await gtk.do(action), "put it back")

    assert "Unwilling=True" in gtk.log("acts")
    assert "Bound=55" in gtk.log("acts")


async def test_rows_are_chosen_and_expanded_also_those_out_of_view(gtk: Stage) -> None:
    await is_done(gtk, SelectOption(target=await gtk.on("Rooms", "listbox"), value="Room 35"), "room=Room 35")
    await is_done(gtk, SelectOption(target=await gtk.on("Room 2", "listitem"), value="Room 3"), "room=Room 3")
    await is_done(gtk, SelectOption(target=await gtk.on("Files", "table"), value="Folder 29"), "file=Folder 29")
    folder = await gtk.on("Folder 20", "cell")
    await is_done(gtk, SetValue(target=folder, value="on"), "expanded Folder 20=True")
    await is_done(gtk, SetValue(target=folder, value="off"), "expanded Folder 20=False")
    await is_done(gtk, SelectOption(target=await gtk.on("Cash", "radio"), value="Card"), "pay=Card")


async def test_the_box_in_a_row_is_ticked_and_a_row_without_one_is_not_called_off(gtk: Stage) -> None:
    folder = await gtk.element("Folder 1", "cell")
    box = next(
        e for e in (await gtk.look()).elements if e.role == "cell" and not e.name and e.box.top == folder.box.top
    )
    for value, line in (("on", "keep Folder 1=True"), ("off", "keep Folder 1=False")):
        await is_done(gtk, SetValue(target=OnElement(id=box.id), value=value), line)

    is_refused(await gtk.do(SetValue(target=await gtk.on("Room 2", "listitem"), value="on")), "does not say")


async def test_r072_a_cell_of_a_list_is_written_in_its_field_and_nothing_is_typed_beside_one(gtk: Stage) -> None:
    fixed = await gtk.do(Write(message="Letters", target=await gtk.on("Folder 1", "cell")))
    written = await gtk.do(Write(message="Briefe", target=await gtk.on("Folder 2", "cell"), replace=True))
    await gtk.do(Press(keys=("Return",)))

    is_refused(fixed, "does not open for writing")
    assert written.outcome == "unverified", written.text
    assert await until(lambda: "renamed=Briefe" in gtk.log("acts"), 5), gtk.log("acts")


async def test_what_a_person_cannot_do_in_qt_is_not_done_through_its_interfaces_either(qt: Stage) -> None:
    tabs = SelectOption(target=await qt.on("General", "tablist"), value="Closed")
    rooms = SelectOption(target=await qt.on("Rooms", "list"), value="Room 3")
    fixed = SetValue(target=await qt.on("Fixed", "spinbutton"), value="55")

    for action in (tabs, rooms, fixed):
        assert (await qt.do(action)).outcome == "failed"
    is_refused(await qt.do(SetValue(target=await qt.on("Bound", "spinbutton"), value="55")), "put it back")

    assert not {"page=Closed", "room=Room 3", "Fixed=55"} & {*qt.log("acts")}


async def test_a_qt_program_hears_of_what_is_chosen_and_set_by_ids_that_stay(qt: Stage) -> None:
    first, again = [[each.id for each in (await qt.look()).elements] for _ in range(2)]
    assert first == again
    rooms = await qt.on("Rooms", "list")
    await is_done(qt, SelectOption(target=rooms, value="Room 45"), "room=Room 45")
    await is_done(qt, SelectOption(target=rooms, value="Room 2"), "room=Room 2")
    await is_done(qt, SelectOption(target=await qt.on("General", "tablist"), value="Details"), "page=Details")
    await is_done(qt, SetValue(target=await qt.on("Count", "spinbutton"), value="42"), "Count=42")
    await is_done(qt, SetValue(target=await qt.on("Folder 2", "cell"), value="on"), "expanded Folder 2=True")


async def test_a_click_that_only_takes_the_light_off_a_chosen_cell_has_no_effect(qt: Stage) -> None:
    await is_done(qt, Click(target=await qt.on("B2", "cell")), "cell=B2")
    await qt.look()

    assert (await qt.do(Click(target=await qt.on("Dead", "button")))).outcome == "unverified"


async def test_an_item_of_a_menu_is_done_when_something_changes_beside_the_menu(qt: Stage) -> None:
    await qt.do(Click(target=await qt.on("View")))
    await is_done(qt, SetValue(target=await qt.on("Ruler", "menuitem"), value="on"), "Ruler=True")  # where another was
    await qt.do(Click(target=await qt.on("Edit")))
    await is_done(qt, Click(target=await qt.on("Refresh", "menuitem")), "Refresh=chosen")


@pytest.mark.skipif(not ADW, reason="needs gir1.2-adw-1")
async def test_rows_of_libadwaita_are_chosen_and_written_in_and_never_switched_to_and_fro(stage: Stage) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(APPS / "acts_adw.py"), str(stage.folder / "acts.log")])
    stage.window = (await stage.shown("Acts Adw")).id
    await readable(stage, "Sync")

    fruit, sync = (OnElement(id=e.id) for e in (await stage.look()).elements if e.role in ("combobox", "checkbox"))
    await is_done(stage, SelectOption(target=fruit, value="Cherry"), "Fruit=Cherry")
    await is_done(stage, SetValue(target=sync, value="on"), "Sync=True")
    await is_done(stage, Write(message="Zoë 汉", target=await stage.on("Name", "textbox")), "Name=Zoë 汉")
    is_refused(await stage.do(SetValue(target=await stage.on("More", "listitem"), value="on")), "does not say")
    assert not [line for line in stage.log("acts") if line.startswith("More")]


@pytest.mark.skipif(not Path("/usr/bin/mousepad").exists(), reason="needs mousepad")
async def test_an_item_that_does_not_say_whether_it_is_on_is_not_switched_blindly(stage: Stage) -> None:
    await stage.desktop.start(["mousepad"])
    stage.window = (await stage.shown("Untitled 1 - Mousepad")).id
    await readable(stage, "View")
    await stage.do(Click(target=await stage.on("View", "menu")))

    is_refused(await stage.do(SetValue(target=await stage.on("Menubar", "menuitem"), value="on")), "does not say")
