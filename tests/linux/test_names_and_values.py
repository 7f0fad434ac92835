"""What controls are called and hold where toolkits say it in ways of their own."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from deskhand.devices.linux.accessibility.reader import Reading
from deskhand.devices.linux.applications.launch import with_options
from tests.linux.scene import a_scene, one

PAGE = """<!doctype html><title>Choices</title>
<label>Fruit <select><option>Apple<option selected>Pear</select></label>
<label>Empty <select></select></label>
<div id=l>Colour</div><div role=combobox tabindex=0 aria-labelledby=l aria-expanded=false>Red <b>deep</b></div>
<div role=combobox aria-label=Town aria-expanded=false><input value=Bonn><button>open</button></div>
<button role=switch aria-checked=true aria-label=Wireless>on</button>
<div role=switch tabindex=0 aria-checked=false>Lamp</div>
<label><input type=checkbox role=switch checked>Dark</label>
<h2>Title</h2><p>A <b>heavy</b> word<p>Short<div contenteditable aria-label=Note>Dear <b>Ann</b></div>
<div role=combobox tabindex=0 aria-label=Size aria-expanded=false>Large</div>
<table><caption>Prices</caption><tr><td>1</table><label>At <input type=time value=05:06></label>
<i onclick="1" title="Send it" style="display:inline-block;width:20px;height:20px"></i>
<meter value=0.4 aria-label=Full>0.4</meter>
<button aria-pressed=true>Bold</button>"""

GTK4 = list(Path("/usr/lib").glob("*/girepository-1.0/Gtk-4.0.typelib"))
QT = Path("/usr/lib/python3/dist-packages/PyQt5").exists()

pytestmark = pytest.mark.anyio


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")
async def test_a_page_says_what_is_chosen_and_what_is_switched_on(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    command = ["chromium", f"--user-data-dir={tmp_path}/profile", f"file://{tmp_path}/page.html"]
    async with a_scene() as scene:
        await scene.start(*with_options(command, scene.desktop.environment))
        reading = await scene.read_until("Choices", lambda r: any(e.name == "Bold" for e in r.elements))

    values = {element.name: element.value for element in reading.elements if element.role == "combobox"}
    assert values == {"Fruit": "Pear", "Empty": "", "Colour": "Red deep", "Town": "", "Size": "Large"}
    switches = {e.name: e.states for e in reading.elements if e.role == "switch"}
    assert switches == {"Wireless": ("checked",), "Lamp": (), "Dark": ("checked",)}
    assert one(reading, role="button", name="Bold").states == ("pressed",)
    assert len([e for e in reading.elements if e.name == "Fruit"]) == 2
    assert not [e for e in reading.elements if "\ufffc" in e.name + e.value]
    assert one(reading, name="Title").role == "heading"
    assert one(reading, name="Short").role == "label"
    assert not [e for e in reading.elements if e.role == "paragraph"]
    assert one(reading, role="textbox", name="Note").value == "Dear Ann"
    assert one(reading, name="Full").value == "0.4"
    assert not [e for e in reading.elements if e.name == "Large"]
    assert one(reading, role="label", name="Prices")
    assert one(reading, name="Send it").actions == ("press",)
    assert {e.value for e in reading.elements if e.role == "spinbutton"} == {"5", "6", "AM"}
    assert one(reading, role="tab").name == "Choices"


async def test_switches_are_called_by_their_labels() -> None:
    async with a_scene() as scene:
        await scene.start("switches")
        reading = await scene.read_until("Switches", lambda r: any(e.role == "switch" for e in r.elements))

    switches = {e.name: e.states for e in reading.elements if e.role == "switch"}
    assert {name: "checked" in states for name, states in switches.items()} == {
        "Wireless": True,
        "Light": False,
        "": False,
    }


async def test_icons_are_told_by_name_and_pages_only_while_they_are_in_front() -> None:
    async with a_scene() as scene:
        await scene.start("icons")
        await scene.start("pages_gtk4")
        icons = await scene.read_until("Icons", lambda r: any(e.role == "listitem" for e in r.elements))
        assert [e.name for e in icons.elements if e.role == "listitem"] == ["Letters", "Music"]
        assert one(icons, name="Paint with a brush").role == "button"
        if not GTK4:
            return
        pages = await scene.read_until("Pages", lambda r: any(e.name == "On page One" for e in r.elements))
        for title, other in (("Two", "One"), ("One", "Two"), ("Two", "One")):
            assert scene.tree.press(one(pages, role="button", name=f"Show {title}").id)
            pages = await scene.read_until("Pages", partial(shows, f"On page {title}"))
            assert not shows(f"On page {other}", pages)


def shows(name: str, reading: Reading) -> bool:
    return any(e.name == name for e in reading.elements)


@pytest.mark.skipif(not QT, reason="needs python3-pyqt5")
async def test_one_control_has_the_keyboard_where_others_only_hand_it_on() -> None:
    async with a_scene() as scene:
        await scene.start("proxies_qt5")
        reading = await scene.read_until("Proxies", lambda r: any("focused" in e.states for e in r.elements))
        focused = scene.tree.focused((await scene.window("Proxies")).pid)

    assert [e.value for e in reading.elements if "focused" in e.states] == ["draft"]
    assert focused
    assert focused.value == "draft"
