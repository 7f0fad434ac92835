from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deskhand.devices.linux.waiting import until
from tests.linux.scene import MIXED, Scene, a_scene, one

QT5 = Path("/usr/lib/python3/dist-packages/PyQt5").exists()
GTK4 = [*Path("/usr/lib").glob("*/girepository-1.0/Gtk-4.0.typelib")]

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with a_scene() as scene:
        yield scene


async def test_what_is_done_to_a_control_is_checked_against_what_it_says_afterwards(scene: Scene) -> None:
    await scene.start("controls")
    reading, tree = await scene.read("Controls"), scene.tree
    name = one(reading, role="textbox", name="Name:").id
    colour, tabs = one(reading, role="combobox").id, one(reading, role="tablist").id

    assert tree.set_text(name, MIXED)
    assert tree.text(name) == MIXED
    assert tree.insert_text(name, "é😀")
    assert sorted(tree.text(name) or "") == sorted(MIXED + "é😀")
    assert tree.set_value(one(reading, role="spinbutton").id, 4)
    assert tree.number(one(reading, role="spinbutton").id) == 4
    assert not tree.set_value(one(reading, role="spinbutton").id, 4000)
    assert tree.set_value(one(reading, role="slider").id, 55)
    assert tree.options(colour) == ("Red", "Green", "Blue")
    assert tree.select(colour, "Blue")
    assert not tree.select(colour, "Mauve")
    assert tree.select(tabs, "Two")
    assert tree.press(one(reading, role="switch").id)
    assert tree.press(one(reading, role="checkbox").id)

    again = await scene.read_until("Controls", lambda r: "checked" in one(r, role="switch").states)
    assert one(again, role="combobox").value == "Blue"
    assert one(again, role="slider").value == "55"
    assert one(again, role="checkbox").states == ("checked",)
    assert one(again, role="label", name="page Two")


async def test_a_password_can_be_set_and_is_never_read(scene: Scene) -> None:
    await scene.start("controls")
    reading = await scene.read("Controls")
    password = one(reading, role="password").id

    assert scene.tree.set_text(password, "neu")

    assert scene.tree.text(password) is None
    found = scene.tree.live(password)
    assert found
    assert found.value == ""


async def test_an_id_stays_with_its_control_when_others_come_and_go(scene: Scene) -> None:
    await scene.start("controls")
    reading, tree = await scene.read("Controls"), scene.tree
    ok = one(reading, role="button", name="OK").id

    assert tree.press(one(reading, name="Disorder").id)
    await scene.says("disordered")
    assert tree.press(ok)
    await scene.says("OK pressed")
    assert one(await scene.read("Controls"), name="OK").id == ok

    assert tree.press(one(reading, name="Remove").id)
    await scene.says("removed")
    assert tree.live(ok) is None
    assert not tree.press(ok)
    left = await scene.read("Controls")
    assert not [e for e in left.elements if e.id == ok]
    assert one(left, name="removed")


async def test_a_modal_dialog_that_a_press_opens_is_read_and_answered(scene: Scene) -> None:
    await scene.start("controls")
    reading = await scene.read("Controls")

    assert scene.tree.press(one(reading, name="Ask").id)
    main = reading.elements[0].window
    asked = await scene.read_until("Controls", lambda r: any(e.name == "Yes" and e.window != main for e in r.elements))
    dialog = one(asked, role="alert")
    yes = one(asked, role="button", name="Yes")
    assert "modal" in dialog.states
    assert yes.window == dialog.window
    assert scene.tree.press(yes.id)

    await scene.says("yes")


async def test_items_of_menus_are_listed_while_their_menu_is_open(scene: Scene) -> None:
    await scene.start("controls")
    reading, tree = await scene.read("Controls"), scene.tree
    assert not [e for e in reading.elements if e.role == "menuitem"]

    assert tree.press(one(reading, role="menu", name="More").id)
    opened = await scene.read_until("Controls", lambda r: any(e.role == "menuitem" for e in r.elements))
    alpha = one(opened, role="menuitem", name="Alpha").id
    assert tree.press(one(opened, role="menuitem", name="Beta").id)
    await scene.says("Beta chosen")
    await scene.read_until("Controls", lambda r: not any(e.role == "menuitem" for e in r.elements))

    assert "offscreen" in (closed := tree.live(alpha) or reading.elements[0]).states
    assert closed.box.empty
    assert tree.press(alpha)
    await scene.says("Alpha chosen")


async def test_the_dialog_for_saving_a_file_offers_its_name_field_its_folder_and_its_buttons(scene: Scene) -> None:
    await scene.start("mousepad")
    reading, tree = await scene.read("Mousepad"), scene.tree
    editor = one(reading, role="textbox")
    assert tree.set_text(editor.id, MIXED)
    assert {"editable", "multiline"} <= set(editor.states)

    assert tree.press(one(reading, role="menu", name="File").id)
    opened = await scene.read_until("Mousepad", lambda r: any(e.name == "Save As..." for e in r.elements))
    assert tree.press(one(opened, role="menuitem", name="Save As...").id)
    dialog = await scene.read_until("Save As", lambda r: any(e.name == "Save" for e in r.elements))
    target = Path(scene.desktop.environment["HOME"]) / "written.txt"
    assert tree.set_text(one(dialog, role="textbox").id, str(target))
    assert one(dialog, role="button", name="Cancel")
    ready = await scene.read_until("Save As", lambda r: "press" in one(r, role="button", name="Save").actions)
    assert tree.press(one(ready, role="button", name="Save").id)

    assert await until(lambda: target.exists() and target.read_text().rstrip("\n") == MIXED, 10)


async def test_the_focused_control_is_found(scene: Scene) -> None:
    pid = await scene.start("controls")
    reading = await scene.read_until("Controls", lambda r: "active" in r.elements[0].states)

    assert scene.tree.focus(one(reading, role="textbox", name="Search here").id)

    focused = scene.tree.focused(pid)
    assert focused
    assert (focused.role, focused.name) == ("textbox", "Search here")


@pytest.mark.skipif(not QT5, reason="needs python3-pyqt5")
async def test_controls_of_qt5_are_read_and_used(scene: Scene) -> None:
    await scene.start("controls_qt5")
    reading, tree = await scene.placed("Controls"), scene.tree
    window = await scene.window("Controls")

    assert all(e.box == e.box.clipped(window.box) and not e.box.empty for e in reading.elements)
    assert one(reading, role="combobox", name="Colour").value == "Red"
    rows = [e.name for e in reading.elements if e.name.startswith("row ")]
    assert rows[:3] == ["row 0", "row 1", "row 2"]
    assert f"truncated: {len(rows)} of at least 200 " in reading.truncated
    for put in (tree.set_text, tree.insert_text):
        assert not put(one(reading, role="textbox", name="Name:").id, MIXED), "the program would not hear of it"
    assert tree.text(one(reading, role="textbox", name="Name:").id) == ""
    kept = one(reading, role="textbox", name="Number:")
    assert "readonly" in kept.states
    assert not {"editable", "set_text"} & {*kept.states, *kept.actions}, "Qt would let it be overwritten"
    assert tree.set_value(one(reading, role="slider").id, 33)
    assert tree.press(one(reading, role="checkbox").id)
    for role, name, option in (("combobox", "Colour", "Blue"), ("list", "", "row 1"), ("tablist", "One", "Two")):
        assert not tree.select(one(reading, role=role, name=name).id, option), "the program would not hear of it"
    assert tree.press(one(reading, role="tab", name="Two").id)
    assert tree.press(one(reading, role="button", name="OK").id)
    await scene.says("OK pressed")
    assert tree.press(one(reading, role="button", name="Ask").id)
    # Its accessible is there before its window is.
    asked = await scene.read_until(
        "Controls", lambda r: any("Yes" in e.name and e.window != window.id for e in r.elements)
    )
    assert tree.press(next(e for e in asked.elements if "Yes" in e.name).id)
    await scene.says("yes")

    again = await scene.read("Controls")
    assert one(again, role="label", name="page Two")
    assert "checked" in one(again, role="checkbox").states
    assert one(again, role="slider").value == "33"


@pytest.mark.skipif(not GTK4, reason="needs gir1.2-gtk-4.0")
async def test_r062_controls_of_gtk4_are_read_and_used_and_lie_where_they_are_drawn(scene: Scene) -> None:
    await scene.start("controls_gtk4")
    reading, tree = await scene.placed("Controls"), scene.tree
    window = await scene.window("Controls")

    assert all(e.box == e.box.clipped(window.box) and not e.box.empty for e in reading.elements)
    assert one(reading, role="combobox", name="").value == "Red"
    rows = [e.name for e in reading.elements if e.name.startswith("row ")]
    assert rows[:3] == ["row 0", "row 1", "row 2"]
    assert len(rows) < 40, "those that are scrolled out of view do not count"
    assert tree.set_text(one(reading, role="textbox", name="Name:").id, MIXED)
    assert tree.insert_text(one(reading, role="textbox", name="Name:").id, "é😀")
    assert tree.set_value(one(reading, role="slider").id, 33)
    assert tree.press(one(reading, role="button", name="OK").id)
    await scene.says("OK pressed")

    again = await scene.read("Controls")
    assert sorted(one(again, role="textbox").value) == sorted(f"{MIXED}é😀")
    assert one(again, role="slider").value == "33"
