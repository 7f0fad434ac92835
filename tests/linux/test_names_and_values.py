"""What controls are called and hold where toolkits say it in ways of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deskhand.devices.linux.launch import with_options
from tests.linux.scene import a_scene, one

PAGE = """<!doctype html><title>Choices</title>
<label>Fruit <select><option>Apple<option selected>Pear</select></label>
<label>Empty <select></select></label>
<div id=l>Colour</div><div role=combobox tabindex=0 aria-labelledby=l aria-expanded=false>Red <b>deep</b></div>
<div role=combobox aria-label=Town aria-expanded=false><input value=Bonn><button>open</button></div>
<button role=switch aria-checked=true aria-label=Wireless>on</button>
<div role=switch tabindex=0 aria-checked=false>Lamp</div>
<label><input type=checkbox role=switch checked>Dark</label>
<button aria-pressed=true>Bold</button>"""

pytestmark = pytest.mark.anyio


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium")
async def test_a_page_says_what_is_chosen_and_what_is_switched_on(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    command = ["chromium", f"--user-data-dir={tmp_path}/profile", f"file://{tmp_path}/page.html"]
    async with a_scene() as scene:
        await scene.start(*with_options(command, scene.desktop.environment))
        reading = await scene.read_until("Choices", lambda r: any(e.name == "Bold" for e in r.elements))

    values = {element.name: element.value for element in reading.elements if element.role == "combobox"}
    assert values == {"Fruit": "Pear", "Empty": "", "Colour": "Red deep", "Town": ""}
    switches = {e.name: e.states for e in reading.elements if e.role == "switch"}
    assert switches == {"Wireless": ("checked",), "Lamp": (), "Dark": ("checked",)}
    assert one(reading, role="button", name="Bold").states == ("pressed",)
    assert len([e for e in reading.elements if e.name == "Fruit"]) == 2
    assert not [e for e in reading.elements if "\ufffc" in e.name + e.value]


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
