from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from deskhand.core.action import At, Click, OnElement
from deskhand.core.geometry import Box, Point
from deskhand.core.message import ElementsPart
from deskhand.core.observation import Element, OneWindow
from deskhand.devices.linux.accessibility.reader import Reading
from deskhand.devices.linux.accessibility.sheet import name_of
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.dialects.render import render_parts
from tests.linux.scene import Scene, a_scene, one

REFERENCE = Path(__file__).parents[2] / "benchmarks/peers_gi.py"
ATSPI = "Atspi-2.0.typelib"
PRESSES = {"click", "press", "toggle", "jump", "check", "open"}
NAMED = {29, 83, 116}
"""AT-SPI's roles of texts that are read and not used: label, heading, static."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with a_scene() as scene:
        yield scene


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


@pytest.mark.anyio
@pytest.mark.skipif(not list(Path("/usr/lib").glob(f"*/girepository-1.0/{ATSPI}")), reason="no gir1.2-atspi-2.0")
async def test_r065_nothing_that_another_reader_finds_usable_is_missing(scene: Scene) -> None:
    pid = await scene.start("controls")
    reading = await scene.placed("Controls")

    missing = [
        node
        for node in await reference(scene, pid)
        if node["box"] and (node["focusable"] or PRESSES & set(node["actions"]) or node["role"] in NAMED)
        if node["name"].strip() and not any(stands_for(element, node) for element in reading.elements)
    ]

    assert missing == []


async def reference(scene: Scene, pid: int) -> list[dict[str, Any]]:
    command = ["/usr/bin/python3", str(REFERENCE), "nodes", str(pid)]
    done = await anyio.run_process(command, env={**os.environ, **scene.desktop.environment})
    return [json.loads(line) for line in done.stdout.splitlines()]


def stands_for(element: Element, node: dict[str, Any]) -> bool:
    left, top, right, bottom = node["box"]
    middle = Point((left + right) // 2, (top + bottom) // 2)
    same = abs(element.box.center.x - middle.x) <= 2 and abs(element.box.center.y - middle.y) <= 2
    return same or (str(node["name"]) in element.name and element.box.holds(middle))


@pytest.mark.anyio
async def test_what_is_hidden_is_told_when_asked_for_and_can_be_used(scene: Scene) -> None:
    await scene.start("controls")
    await scene.placed("Controls")
    async with open_linux(f"linux:display={scene.desktop.display_name}", scene.desktop.environment) as device:
        usual = (await device.observe()).observation
        everything = (await device.observe(OneWindow(id=usual.window, hidden=True))).observation

        seen, all_there_is = ({each.id for each in found.elements} for found in (usual, everything))
        assert seen <= all_there_is
        assert all(("offscreen" in each.states) == each.box.empty for each in everything.elements)
        named = {each.name: each for each in everything.elements if each.id not in seen}
        assert "page Two" in named
        assert (await device.perform(Click(target=OnElement(id=named["Alpha"].id)))).outcome != "failed"
        await scene.says("Alpha chosen")


@pytest.mark.anyio
@needs("chromium")
async def test_a_page_of_a_thousand_children_is_read_wherever_they_are(scene: Scene, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    rows = "".join(f"<p><button>Item {number}</button></p>" for number in range(1000))
    fixed = "<button style='position: fixed; bottom: 9px; right: 9px'>At the end</button>"
    beside = "<button style='position: absolute; top: 200px; left: 300px'>Beside</button>"
    flat = f"<div style='padding: 2px'>{beside}</div>"
    page.write_text(f"<!doctype html><title>Long</title>{flat}{rows}{fixed}")
    profile = f"--user-data-dir={tmp_path}/profile"
    await scene.start(*with_options(["chromium", profile, f"file://{page}"], scene.desktop.environment))

    def complete(reading: Reading) -> bool:
        return any(element.name == "At the end" for element in reading.elements)

    reading = await scene.read_until("Long", complete)
    items = [element.name for element in reading.elements if element.name.startswith("Item")]
    window = next(each for each in list_windows(scene.display) if "Long" in each.title)
    assert items[:2] == ["Item 0", "Item 1"]
    assert 10 < len(items) < 100
    assert reading.truncated == ""
    assert all(window.box.holds(element.box.center) for element in reading.elements)
    assert not [e for e in reading.elements if e.role == "group" and not e.name and "press" in e.actions]
    (out,) = [element for element in reading.elements if element.name == "Beside"]
    assert out.box.height >= 20
    assert scene.tree.live(out.id) == out


@pytest.mark.anyio
@needs("chromium")
async def test_a_page_on_a_screen_of_double_density_is_clicked_where_it_says(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Dense</title><p>Above</p><button onclick='document.title = \"Hit\"'>Press me</button>")
    async with (
        virtual_desktop(scale=2) as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
    ):
        profile = f"--user-data-dir={tmp_path}/profile"
        await desktop.start(with_options(["chromium", profile, f"file://{page}"], desktop.environment))
        assert await hits(device, "Press me")


async def hits(device: LinuxDevice, name: str) -> bool:
    """Click into the middle of a button until the page says so: a bar comes down above it in the beginning."""
    with anyio.move_on_after(40):
        while True:
            seen = (await device.observe()).observation
            if any("Hit" in window.title for window in seen.windows):
                return True
            for button in [each for each in seen.elements if each.name == name]:
                await device.perform(Click(target=At(point=button.box.center)))
    return False


@pytest.mark.anyio
@needs("chromium")
async def test_r064_a_browser_that_was_started_without_accessibility_is_named_with_the_remedy(
    scene: Scene, tmp_path: Path
) -> None:
    command = with_options(["chromium", f"--user-data-dir={tmp_path}/profile"], scene.desktop.environment)
    await scene.start(*(each for each in command if each != "--force-renderer-accessibility"))

    reading = await scene.read_until("Chromium", lambda reading: reading.truncated != "")

    assert "--force-renderer-accessibility" in reading.truncated


@pytest.mark.anyio
@needs("soffice")
async def test_cells_of_a_sheet_are_where_they_say_and_hit_there_also_merged_ones_at_double_density(
    tmp_path: Path,
) -> None:
    sheet = tmp_path / "sheet.fods"
    sheet.write_text(merged_cells())
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"

    def complete(reading: Reading) -> bool:
        return any(element.name == "C3" and element.value == "last" for element in reading.elements)

    async with a_scene(scale=2) as scene:
        await scene.start(*with_options(["soffice", "--calc", profile, str(sheet)], scene.desktop.environment))
        assert await until(lambda: any("Calc" in window.title for window in list_windows(scene.display)), 40)
        await scene.read_until("Calc", complete)
        async with open_linux(f"linux:display={scene.desktop.display_name}", scene.desktop.environment) as device:
            for name, value in (("C3", "last"), ("D2", "beside"), ("A1", "Merged")):
                seen = (await device.observe()).observation
                (cell,) = [each for each in seen.elements if (each.role, each.name) == ("cell", name)]
                assert cell.value == value
                await device.perform(Click(target=At(point=cell.box.center)))
                after = (await device.observe()).observation
                assert [each.name for each in after.elements if each.role == "cell" and "focused" in each.states] == [
                    name
                ]
        reading = await scene.read("Calc")
        tabs = [each.name.partition(" (")[0] for each in reading.elements if each.role == "button"]
        assert {"Properties", "Styles", "Gallery", "Navigator", "Functions"} <= {*tabs}, "of the sidebar, without texts"
        for name in ("D2", "C3", "F9"):
            cell = one(reading, role="cell", name=name)
            live = scene.tree.live(cell.id)
            assert live is not None
            assert (live.name, live.value, live.box) == (cell.name, cell.value, cell.box)


def merged_cells() -> str:
    """Give a sheet whose first cell takes up three columns and two rows."""
    names = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    kind = 'office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'
    spans = 'table:number-columns-spanned="3" table:number-rows-spanned="2"'
    covered = '<table:covered-table-cell table:number-columns-repeated="3"/>'
    rows = (
        f"{_cell('Merged', spans)}{covered.replace('3', '2')}{_cell('first')}",
        f"{covered}{_cell('beside')}",
        f"{_cell('below')}<table:table-cell/>{_cell('last')}",
    )
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    table = f'<table:table table:name="Sheet1">{body}</table:table>'
    return (
        f'<?xml version="1.0"?><office:document {names} {kind}><office:body><office:spreadsheet>{table}'
        "</office:spreadsheet></office:body></office:document>"
    )


def _cell(text: str, spans: str = "") -> str:
    return f'<table:table-cell {spans} office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


@pytest.mark.parametrize(("spot", "name"), [((0, 0), "A1"), ((4, 25), "Z5"), ((1, 27), "AB2"), ((9, 702), "AAA10")])
def test_cells_are_called_by_column_and_row(spot: tuple[int, int], name: str) -> None:
    assert name_of(spot) == name


def test_empty_cells_side_by_side_are_told_in_one_line() -> None:
    table = Element(id="e1", role="table", name="Sheet1", box=Box(0, 0, 900, 900))
    cells = [
        Element(
            id=f"e{2 + number}",
            role="cell",
            name=f"{'ABCD'[number]}1",
            value="x" if number == 2 else "",
            box=Box(number * 80, 0, number * 80 + 80, 20),
            states=("editable",),
            parent="e1",
        )
        for number in range(4)
    ]

    lines = render_parts((ElementsPart(elements=(table, *cells)),)).splitlines()[3:-1]

    assert lines == ["e2 to e3: cell A1 to B1, empty", 'e4 cell "C1" value="x" 200,10', 'e5 cell "D1" 280,10']
