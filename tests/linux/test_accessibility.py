from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.reader import Accessibility, Reading
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows import list_windows

APPS = Path(__file__).parent / "apps"
QT5 = Path("/usr/lib/python3/dist-packages/PyQt5").exists()
GTK4 = [*Path("/usr/lib").glob("*/girepository-1.0/Gtk-4.0.typelib")]
MIXED = "naïve façade – 你好 – 😀"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Scene:
    """A desktop of its own, and what reads it."""

    desktop: Desktop
    display: Display
    tree: Accessibility

    async def start(self, *arguments: str) -> int:
        """Start a program of `apps`, or of the system."""
        own = APPS / f"{arguments[0]}.py"
        return await self.desktop.start(
            ["/usr/bin/python3", str(own), *arguments[1:]] if own.exists() else [*arguments]
        )

    async def window(self, title: str) -> Window:
        """Wait for a window whose title holds `title`."""
        with anyio.fail_after(20):
            while True:
                for window in list_windows(self.display):
                    if title in window.title:
                        return window
                await anyio.sleep(0.01)

    async def read(self, title: str, deadline: float = 5.0) -> Reading:
        window = await self.window(title)
        siblings = [each for each in list_windows(self.display) if each.pid == window.pid and each.id != window.id]
        return self.tree.read(window, siblings, self.display.box, deadline)

    async def read_until(self, title: str, holds: Callable[[Reading], bool]) -> Reading:
        with anyio.fail_after(10):
            while True:
                reading = await self.read(title)
                if holds(reading):
                    return reading
                await anyio.sleep(0.01)

    async def placed(self, title: str) -> Reading:
        """Read a window once the window manager has put it where it stays."""

        def stays(reading: Reading) -> bool:
            box = reading.elements[0].box if reading.elements else Box(0, 0, 0, 0)
            return box.left > 0 and box in [window.box for window in list_windows(self.display)]

        return await self.read_until(title, stays)

    async def says(self, expected: str) -> None:
        """Wait until a label of the controls says `expected`."""
        await self.read_until("Controls", lambda r: any(e.name == expected for e in r.elements))


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with a_scene() as scene:
        yield scene


@asynccontextmanager
async def a_scene(scale: int = 1) -> AsyncIterator[Scene]:
    async with virtual_desktop(Size(1280, 1000), scale=scale) as desktop:
        display = Display.open(desktop.display_name)
        tree = Accessibility(desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
        tree.connect()
        try:
            yield Scene(desktop, display, tree)
        finally:
            tree.close()
            display.close()


def one(reading: Reading, **wanted: str) -> Element:
    """Give the only element with these properties."""
    found = [e for e in reading.elements if all(getattr(e, key) == value for key, value in wanted.items())]
    assert len(found) == 1, f"{wanted}: {found or [(e.role, e.name) for e in reading.elements]}"
    return found[0]


pytestmark = pytest.mark.anyio


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


async def test_items_of_open_menus_are_listed_and_those_of_closed_ones_found_by_their_names(scene: Scene) -> None:
    await scene.start("controls")
    reading, tree = await scene.read("Controls"), scene.tree
    assert not [e for e in reading.elements if e.role == "menuitem"]

    alpha = tree.menu_item(reading.elements[0].window, ("More", "alpha"))
    assert alpha
    assert "offscreen" in (closed := tree.live(alpha) or reading.elements[0]).states
    assert closed.box.empty
    assert tree.press(alpha)
    await scene.says("Alpha chosen")

    assert tree.press(one(reading, role="menu", name="More").id)
    opened = await scene.read_until("Controls", lambda r: any(e.role == "menuitem" for e in r.elements))
    assert one(opened, role="menuitem", name="Alpha").id == alpha
    assert tree.press(one(opened, role="menuitem", name="Beta").id)
    await scene.says("Beta chosen")
    assert tree.menu_item(reading.elements[0].window, ("More", "Gamma")) is None


async def test_the_dialog_for_saving_a_file_offers_its_name_field_its_folder_and_its_buttons(scene: Scene) -> None:
    await scene.start("mousepad")
    reading, tree = await scene.read("Mousepad"), scene.tree
    editor = one(reading, role="textbox")
    assert tree.set_text(editor.id, MIXED)
    assert {"editable", "multiline"} <= set(editor.states)

    save_as = tree.menu_item(editor.window, ("File", "Save As"))
    assert save_as
    assert tree.press(save_as)
    dialog = await scene.read_until("Save As", lambda r: any(e.name == "Save" for e in r.elements))
    target = Path(scene.desktop.environment["HOME"]) / "written.txt"
    assert tree.set_text(one(dialog, role="textbox").id, str(target))
    assert one(dialog, role="button", name="Cancel")
    ready = await scene.read_until("Save As", lambda r: "press" in one(r, role="button", name="Save").actions)
    assert tree.press(one(ready, role="button", name="Save").id)

    assert await until(lambda: target.exists() and target.read_text().rstrip("\n") == MIXED, 10)


@pytest.mark.parametrize(("kind", "most"), [("table", 60), ("list", 40)])
async def test_of_very_many_rows_those_in_view_are_read_and_the_others_counted(
    scene: Scene, kind: str, most: int
) -> None:
    await scene.start("rows", kind, "5000")
    reading = await scene.read_until("Rows", lambda r: any("row" in e.name for e in r.elements))

    rows = [e for e in reading.elements if e.name.startswith("row ")]
    assert 5 <= len(rows) <= most
    first = int(rows[0].name.split()[1])
    assert [int(e.name.split()[1]) for e in rows] == list(range(first, first + len(rows)))
    assert (first > 2000) == (kind == "table")
    assert "of at least 5000" in reading.truncated or "of at least 10002" in reading.truncated
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


async def test_the_focused_control_is_found(scene: Scene) -> None:
    pid = await scene.start("controls")
    reading = await scene.read_until("Controls", lambda r: "active" in r.elements[0].states)

    assert scene.tree.focus(one(reading, role="textbox", name="Search here").id)

    focused = scene.tree.focused(pid)
    assert focused
    assert (focused.role, focused.name) == ("textbox", "Search here")


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
    assert tree.set_text(one(reading, role="textbox", name="Name:").id, MIXED)
    assert tree.insert_text(one(reading, role="textbox", name="Name:").id, "é😀")
    assert tree.text(one(reading, role="textbox", name="Name:").id) == f"{MIXED}é😀"
    assert tree.set_value(one(reading, role="slider").id, 33)
    assert tree.press(one(reading, role="checkbox").id)
    assert not tree.select(one(reading, role="combobox").id, "Blue"), "Qt claims to choose it and does not"
    assert tree.select(one(reading, role="list").id, "row 1")
    assert tree.select(one(reading, role="tablist").id, "Two")
    assert tree.press(one(reading, role="button", name="OK").id)
    await scene.says("OK pressed")
    alpha = tree.menu_item(window.id, ("More", "Alpha"))
    assert alpha
    assert tree.press(alpha)
    await scene.says("Alpha chosen")
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
async def test_controls_of_gtk4_are_read_and_used_and_lie_where_they_are_drawn(scene: Scene) -> None:
    await scene.start("controls_gtk4")
    reading, tree = await scene.placed("Controls"), scene.tree
    window = await scene.window("Controls")

    assert all(e.box == e.box.clipped(window.box) and not e.box.empty for e in reading.elements)
    assert one(reading, role="combobox").value == "Red"
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


async def test_without_an_accessibility_bus_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="nobody answers at the D-Bus address"):
        Accessibility(f"unix:path={tmp_path}/none").connect()
