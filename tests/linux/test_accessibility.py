from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.accessibility.protocol import Ref
from deskhand.devices.linux.accessibility.reader import Accessibility, Reading
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from tests.linux.scene import MIXED, Scene, a_scene, one

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with a_scene() as scene:
        yield scene


async def test_a_calculator_is_read_and_used_and_its_display_read_back(scene: Scene) -> None:
    await scene.start("galculator")
    reading = await scene.read_until("galculator", lambda r: any(e.name == "." for e in r.elements))

    for key in ("1", "2", ".", "5", "*", "8", "="):
        assert scene.tree.press(one(reading, role="button", name=key).id)
    shown = one(await scene.read("galculator"), role="textbox")

    assert shown.value == "100"
    assert "readonly" in shown.states
    assert "set_text" not in shown.actions
    assert scene.tree.text(shown.id) == "100"
    assert reading.truncated == ""
    assert {"File", "Edit", "View", "Calculator", "Help"} <= {e.name for e in reading.elements if e.role == "menu"}


async def test_every_control_has_role_name_value_and_what_can_be_done_with_it(scene: Scene) -> None:
    await scene.start("controls", MIXED)
    reading = await scene.placed("Controls")

    assert one(reading, role="textbox", name="Name:").value == MIXED
    assert one(reading, role="textbox", name="Search here").actions == ("set_text", "focus")
    assert one(reading, role="button", name="Save it").actions == ("press", "focus")
    assert one(reading, role="combobox", name="Colour").value == "Red"
    assert one(reading, role="spinbutton").value == "0"
    assert "set_value" in one(reading, role="slider").actions
    assert one(reading, role="switch").states == ()
    assert one(reading, role="checkbox").name == "Tick"
    assert "selected" in one(reading, role="tab", name="One").states
    assert one(reading, role="label", name="page One").parent == one(reading, role="tab", name="One").id
    assert not [e for e in reading.elements if e.name == "page Two"]
    window = await scene.window("Controls")
    for element in reading.elements:
        assert element.window == window.id
        assert not element.box.empty
        assert element.box == element.box.clipped(window.box)


@pytest.mark.parametrize(("kind", "count", "most"), [("table", 50_000, 60), ("list", 5_000, 40)])
async def test_of_very_many_rows_those_in_view_are_read_and_the_others_counted(
    scene: Scene, kind: str, count: int, most: int
) -> None:
    await scene.start("rows", kind, str(count))
    reading = await scene.read_until("Rows", lambda r: any("row" in e.name for e in r.elements))

    rows = [e for e in reading.elements if e.name.startswith("row ")]
    assert 5 <= len(rows) <= most
    first = int(rows[0].name.split()[1])
    assert [int(e.name.split()[1]) for e in rows] == list(range(first, first + len(rows)))
    assert (first > 2000) == (kind == "table")
    told = 2 * count + 2 if kind == "table" else count  # GTK counts cells, headers as well
    assert f"of at least {told}" in reading.truncated
    started = time.monotonic()
    assert [e.id for e in (await scene.read("Rows")).elements] == [e.id for e in reading.elements]
    assert time.monotonic() - started < 2


async def test_no_more_elements_than_allowed_are_read_and_that_is_said(scene: Scene) -> None:
    few = Accessibility(scene.desktop.environment["DBUS_SESSION_BUS_ADDRESS"], most_elements=20)
    await scene.start("galculator")
    await scene.read("galculator")

    reading = few.read(await scene.window("galculator"), (), scene.display.box)

    few.close()
    assert 5 < len(reading.elements) <= 20
    assert reading.truncated.startswith("truncated: 20 of at least ")


async def test_long_texts_are_cut_between_characters_and_that_is_said(scene: Scene) -> None:
    await scene.start("controls", "😀x" * 3000)
    reading = await scene.read("Controls")
    name = one(reading, role="textbox", name="Name:")

    assert name.value == "😀x" * 2000 + "… (4000 of 6000 characters)"
    assert scene.tree.text(name.id) == "😀x" * 3000
    for element in reading.elements:
        assert element.model_dump_json().encode("utf-8", "strict")


async def test_a_halted_application_costs_its_deadline_and_others_nothing(scene: Scene) -> None:
    pid = await scene.start("controls")
    await scene.start("galculator")
    reading = await scene.read("Controls")
    button = one(reading, name="OK").id
    await scene.read("galculator")
    os.kill(pid, signal.SIGSTOP)
    try:
        started = time.monotonic()
        halted = await scene.read("Controls", 0.5)
        taken = time.monotonic() - started
        assert taken < 1
        assert "does not answer within 0.5 s" in halted.truncated
        assert not scene.tree.alive(pid, 0.2)
        assert not scene.tree.press(button)
        assert len((await scene.read("galculator")).elements) > 20
    finally:
        os.kill(pid, signal.SIGCONT)

    again = await scene.read_until("Controls", lambda r: not r.truncated)
    assert [e.id for e in again.elements] == [e.id for e in reading.elements]
    assert scene.tree.press(button)
    await scene.says("OK pressed")


async def test_an_application_that_dies_while_it_is_read_is_reported_and_then_gone(scene: Scene) -> None:
    pid = await scene.start("controls")
    reading = await scene.read("Controls")
    assert scene.tree.press(one(reading, name="Churn").id)
    await scene.says("churned")
    window = await scene.window("Controls")
    timer = threading.Timer(0.1, os.kill, (pid, signal.SIGKILL))
    timer.start()

    last, started = reading, time.monotonic()
    while last.elements and time.monotonic() < started + 10:
        last = scene.tree.read(window, (), scene.display.box)

    timer.join()
    assert "has closed" in last.truncated or "offers no accessibility tree" in last.truncated
    assert scene.tree.live(one(reading, name="OK").id) is None
    assert not scene.tree.set_text(one(reading, name="Name:", role="textbox").id, "x")


async def test_an_application_without_an_accessibility_tree_is_said_to_have_none(scene: Scene) -> None:
    pid = await scene.start("xterm", "-T", "Bare")

    reading = await scene.read("Bare", 0.5)

    assert reading.elements == ()
    assert reading.truncated == "the window 'Bare' offers no accessibility tree"
    assert scene.tree.alive(pid, 0.2)
    assert scene.tree.focused(pid) is None


async def test_boxes_are_screen_pixels_where_the_toolkit_counts_double_ones() -> None:
    async with a_scene(scale=2) as scene:
        await scene.start("galculator")
        await scene.placed("galculator")
        window = await scene.window("galculator")

        def fills_its_window(reading: Reading) -> bool:
            keys = [e.box for e in reading.elements if e.role == "button"]
            right, bottom = max(key.right for key in keys), max(key.bottom for key in keys)
            return 0 < window.box.right - right < 20 and 0 < window.box.bottom - bottom < 20

        reading = await scene.read_until("galculator", fills_its_window)
        assert min(e.box.width for e in reading.elements if e.role == "button") > 80


async def test_two_windows_of_one_process_are_told_apart(scene: Scene) -> None:
    folder = Path(scene.desktop.environment["HOME"])
    for name in ("one", "two"):
        (folder / f"{name}.txt").write_text(f"this is {name}")
    await scene.start("mousepad", str(folder / "one.txt"))
    await scene.read("one.txt")
    await scene.start("mousepad", "-o", "window", str(folder / "two.txt"))

    for name in ("two", "one"):
        assert one(await scene.read(f"{name}.txt"), role="textbox").value == f"this is {name}"


async def test_of_windows_that_are_closed_nothing_is_kept_and_hidden_ones_keep_their_ids(scene: Scene) -> None:
    await scene.start("openings")
    first = await scene.read_until("First", lambda r: any(e.name == "Close" for e in r.elements))
    buttons = {e.name: e.id for e in first.elements}

    async def press(name: str, *, opened: bool) -> int:
        assert scene.tree.press(buttons[name])
        assert await until(lambda: opened == any(w.title == "Second" for w in list_windows(scene.display)), 10)
        after = await scene.read_until(
            "Second" if opened else "First", lambda r: any(e.role == "button" for e in r.elements)
        )
        # Not their states: the window manager gives the keyboard back a little later.
        assert opened or [e.id for e in after.elements] == [e.id for e in first.elements]
        gc.collect()
        return sum(isinstance(each, Ref) for each in gc.get_objects())

    before = await press("Open", opened=True)
    shown = await scene.read_until("Second", lambda r: len(r.elements) > 20)
    await press("Hide", opened=False)
    await press("Show", opened=True)
    again = await scene.read_until("Second", lambda r: len(r.elements) > 20)
    ids = {e.id for e in again.elements}
    held = []
    for _ in range(3):
        await press("Close", opened=False)
        held.append(await press("Open", opened=True))
        other = await scene.read_until("Second", lambda r: len(r.elements) > 20)
        assert not ids & {e.id for e in other.elements}
        ids |= {e.id for e in other.elements}

    assert [e.id for e in again.elements] == [e.id for e in shown.elements]
    assert max(held) < before + 40


async def test_without_an_accessibility_bus_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="nobody answers at the D-Bus address"):
        Accessibility(f"unix:path={tmp_path}/none").connect()
