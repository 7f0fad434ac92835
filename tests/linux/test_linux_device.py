from __future__ import annotations

import io
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import pytest
from PIL import Image as PillowImage

from deskhand.core.action import (
    Action,
    ActionResult,
    At,
    CallUser,
    Click,
    CloseWindow,
    Described,
    DoubleClick,
    DragTo,
    FocusWindow,
    GoBackward,
    Hotkey,
    KeyDown,
    KeyUp,
    LongPress,
    MoveTo,
    OnElement,
    OpenApp,
    OpenUrl,
    Press,
    RightClick,
    Scroll,
    SelectOption,
    SetValue,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from deskhand.core.errors import DeviceError, DeviceLost, Unsupported
from deskhand.core.geometry import Point
from deskhand.core.observation import WHOLE_DESKTOP, Element, Observation, OneWindow, Window
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.input.keyboard import Keyboard
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows import list_windows

FORM = Path(__file__).parent / "apps/form.py"
PARAGRAPH = "naïve façade – 你好 – 😀\n\tIt isn't much; \\n stays as it is."

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Stage:
    """A desktop with a device on it, and a form that writes down what happens to it."""

    def __init__(self, desktop: Desktop, device: LinuxDevice, folder: Path) -> None:
        self.desktop = desktop
        self.device = device
        self.folder = folder
        self.window = ""

    async def form(self, title: str = "Form") -> str:
        """Start a form; give its window."""
        await self.desktop.start(["/usr/bin/python3", str(FORM), title, str(self.folder / f"{title}.log")])
        window = await self.shown(title)
        await self.settled(window)
        self.window = self.window or window.id
        return window.id

    async def shown(self, title: str) -> Window:
        with anyio.fail_after(20):
            while True:
                found = [window for window in self.windows() if window.title == title]
                if found and found[0].active:
                    return found[0]
                await anyio.sleep(0.01)

    async def settled(self, window: Window) -> None:
        """Wait until the form can be read wholly."""
        with anyio.fail_after(20):
            while True:
                observation = (await self.device.observe(OneWindow(id=window.id))).observation
                if any(element.name == "Row 1" and not element.box.empty for element in observation.elements):
                    return

    async def end_applications(self) -> None:
        if not running(self.desktop.pids["Xvfb"]):
            return
        pids = {window.pid for window in self.windows()}
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        assert await until(lambda: not any(map(running, pids)), 5)

    def windows(self) -> tuple[Window, ...]:
        display = Display.open(self.desktop.display_name)
        try:
            return list_windows(display)
        finally:
            display.close()

    async def look(self, window: str = "") -> Observation:
        return (await self.device.observe(OneWindow(id=window or self.window))).observation

    async def element(self, name: str, role: str = "", window: str = "") -> Element:
        observation = await self.look(window)
        found = [each for each in observation.elements if each.name == name and role in ("", each.role)]
        assert found, f"{name!r} is not among {[(each.role, each.name) for each in observation.elements]}"
        return found[-1]

    async def on(self, name: str, role: str = "", window: str = "") -> OnElement:
        return OnElement(id=(await self.element(name, role, window)).id)

    async def do(self, action: Action, window: str | None = None) -> ActionResult:
        return await self.device.perform(action, self.window if window is None else window)

    def log(self, title: str = "Form") -> list[str]:
        file = self.folder / f"{title}.log"
        return file.read_text().splitlines() if file.exists() else []

    async def logged(self, line: str, title: str = "Form") -> bool:
        return await until(lambda: line in self.log(title), 5)


@asynccontextmanager
async def a_stage(folder: Path) -> AsyncIterator[Stage]:
    async with (
        virtual_desktop() as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
    ):
        stage = Stage(desktop, device, folder)
        yield stage
        # Applications that were started on somebody else's desktop stay there when the device is closed.
        await stage.end_applications()


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with a_stage(tmp_path) as stage:
        yield stage


@pytest.fixture
async def form(stage: Stage) -> Stage:
    await stage.form()
    return stage


async def test_a_paragraph_is_written_in_the_editor_and_saved_under_a_path(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "a note.txt"
    window = (await stage.do(OpenApp(app_name="mousepad"))).value
    (text,) = [each for each in (await stage.look(window)).elements if each.role == "textbox"]

    assert (await stage.do(Write(message=PARAGRAPH, target=OnElement(id=text.id)), window)).outcome == "done"
    saved = await stage.do(Hotkey(keys=("ctrl", "s")), window)
    assert "Save" in saved.text
    name = (await stage.look(window)).focus
    assert name
    assert (await stage.do(Write(message=str(file), replace=True), window)).outcome == "done"
    entered = await stage.do(Press(keys=("Return",)), window)

    assert entered.outcome == "done"
    assert "closed" in entered.text
    assert file.read_bytes() == PARAGRAPH.encode()


async def test_a_product_is_worked_out_in_the_calculator(stage: Stage) -> None:
    opened = await stage.do(OpenApp(app_name="galculator"))
    for key in "12.5*8=":
        result = await stage.do(Click(target=await stage.on(key, "button", opened.value)), opened.value)
        assert result.outcome == ("unverified" if key == "*" else "done"), key
        assert result.receiver == f"'galculator', button {key!r}"

    assert "100" in [element.value for element in (await stage.look(opened.value)).elements]


async def test_a_look_at_the_desktop_shows_windows_and_what_can_be_started(form: Stage) -> None:
    look = await form.device.observe(WHOLE_DESKTOP)

    observation = look.observation
    assert [window.title for window in observation.windows] == ["Form"]
    assert observation.elements == ()
    assert "galculator" in [application.id for application in observation.applications]
    (data,) = look.pictures.values()
    with PillowImage.open(io.BytesIO(data)) as picture:
        assert picture.size == observation.screen.size == (1920, 1080)


async def test_a_look_at_a_window_shows_its_elements_where_the_picture_has_them(form: Stage) -> None:
    look = await form.device.observe()
    observation = look.observation

    assert observation.truncated == ""
    assert observation.window == form.window
    assert observation.applications == ()
    ok = next(element for element in observation.elements if element.name == "OK")
    assert observation.under(ok.box.center) == ok
    result = await form.do(Click(target=At(point=ok.box.center)))
    assert result.outcome == "done"
    assert await form.logged("OK")
    pressed = PillowImage.open(io.BytesIO(look.pictures[observation.screen.sha256])).crop(ok.box)
    assert len(set(pressed.convert("L").tobytes())) > 10, "there is a label on it"


async def test_a_click_that_has_no_effect_is_not_called_done(form: Stage) -> None:
    result = await form.do(Click(target=await form.on("Dead")))

    assert result.outcome == "unverified"
    assert "nothing on the screen has changed" in result.text


async def test_a_disabled_button_is_not_clicked_unless_it_is_switched_on_in_time(form: Stage) -> None:
    off = await form.on("Off")
    refused = await form.do(Click(target=off))
    assert refused.outcome == "failed"
    assert "disabled" in refused.text

    await form.do(Click(target=await form.on("Later")))
    clicked = await form.do(Click(target=off))
    assert clicked.outcome == "done"
    assert await form.logged("Off")


async def test_the_right_button_is_pressed_after_the_order_has_changed_and_none_once_it_is_gone(form: Stage) -> None:
    ok = await form.on("OK")
    await form.do(Click(target=await form.on("Insert")))

    assert (await form.do(Click(target=ok))).outcome == "done"
    assert form.log() == ["OK"]

    await form.do(Click(target=await form.on("Remove")))
    stale = await form.do(Click(target=ok))
    assert stale.outcome == "failed"
    assert "stale: button 'OK'" in stale.text
    assert form.log() == ["OK"]


async def test_an_element_out_of_view_is_used_all_the_same(form: Stage) -> None:
    point = At(point=(await form.element("Row 1")).box.center)
    await form.do(Scroll(clicks=-3, target=point))
    below = await form.on("Row 9")
    await form.do(Scroll(clicks=100, target=point))
    assert (await form.look()).element(below.id) is None

    result = await form.do(Click(target=below))

    assert result.outcome == "done", result.text
    assert await form.logged("Row 9")


async def test_the_wheel_and_a_finger_move_the_content_the_way_they_should(form: Stage) -> None:
    row = At(point=(await form.element("Row 1")).box.center)

    def position() -> int:
        return int(next((line.split()[1] for line in reversed(form.log()) if line.startswith("scrolled")), 0))

    assert (await form.do(Scroll(clicks=-3, target=row))).outcome == "done"
    down = position()
    assert down > 0
    assert (await form.do(Scroll(clicks=1, target=row))).outcome == "done"
    assert 0 < position() < down
    assert (await form.do(Swipe(from_coord=row, direction="up", amount=0.3))).outcome == "done"
    further = position()
    assert further > down
    await form.do(Swipe(from_coord=row, direction="down", amount=0.1))
    assert position() < further
    await form.do(Scroll(clicks=100, target=row))
    assert (await form.do(Scroll(clicks=5, target=row))).outcome == "unverified"


async def test_every_kind_of_click_arrives_as_what_it_is(form: Stage) -> None:
    pad = await form.element("Pad")
    at = At(point=pad.box.center)
    spot = f"{pad.box.width // 2},{pad.box.height // 2}"

    await form.do(RightClick(target=at))
    assert f"press 3 at {spot}" in form.log()
    await form.do(DoubleClick(target=at))
    assert f"double 1 at {spot}" in form.log()
    await form.do(Click(target=at, modifiers=("shift",), button="middle"))
    assert f"shift+press 2 at {spot}" in form.log()
    held = time.monotonic()
    await form.do(LongPress(target=OnElement(id=pad.id), duration=0.6))
    assert time.monotonic() - held > 0.6
    assert form.log()[-1] == f"release 1 at {spot}"


async def test_the_pointer_is_moved_and_dragged(form: Stage) -> None:
    box = (await form.element("Pad")).box
    start, end = Point(box.left + 10, box.top + 10), Point(box.right - 10, box.bottom - 20)

    moved = await form.do(MoveTo(target=At(point=start)))
    dragged = await form.do(DragTo(target=At(point=end)))

    assert moved.outcome == "done"
    assert dragged.outcome == "done"
    lines = form.log()
    assert lines[0] == "press 1 at 10,10"
    assert lines[-1] == f"release 1 at {box.width - 10},{box.height - 20}"
    assert len([line for line in lines if line.startswith("motion")]) >= 10


async def test_a_drag_that_is_cancelled_releases_the_button(form: Stage) -> None:
    box = (await form.element("Pad")).box
    drag = DragTo(
        start=At(point=Point(box.left + 5, box.top + 5)), target=At(point=Point(box.right - 5, box.bottom - 5))
    )

    async def cancel_when_pressed(scope: anyio.CancelScope) -> None:
        await until(lambda: any(line.startswith("motion") for line in form.log()), 5)
        scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(cancel_when_pressed, group.cancel_scope)
        await form.do(drag)

    assert await until(lambda: form.log()[-1].startswith("release 1"), 5)
    assert nothing_is_held(form.desktop)


def nothing_is_held(desktop: Desktop) -> bool:
    display = Display.open(desktop.display_name)
    try:
        buttons = display.conn.core.QueryPointer(display.root).reply().mask & 0x1F00
        return not buttons and not any(display.conn.core.QueryKeymap().reply().keys)
    finally:
        display.close()


async def test_a_key_is_held_until_it_is_let_go_or_the_device_is_closed() -> None:
    async with virtual_desktop() as desktop:
        spec = f"linux:display={desktop.display_name}"
        async with open_linux(spec, desktop.environment) as device:
            assert (await device.perform(KeyDown(key="shift"))).outcome == "done"
            assert not nothing_is_held(desktop)
            await device.perform(KeyUp(key="shift"))
            assert nothing_is_held(desktop)
            await device.perform(KeyDown(key="ctrl"))
        assert nothing_is_held(desktop)

        async with open_linux(spec, desktop.environment) as device:
            await device.perform(KeyDown(key="ctrl"))
            with anyio.move_on_after(0.1):
                await device.perform(Wait(seconds=5))
            assert nothing_is_held(desktop)


async def test_what_a_killed_session_has_left_down_is_released_by_the_next() -> None:
    async with virtual_desktop() as desktop:
        display = Display.open(desktop.display_name)
        keyboard, pointer = Keyboard(display), Pointer(display)
        await keyboard.down("ctrl")
        hold = partial(pointer.hold, Point(5, 5), 60)
        async with anyio.create_task_group() as group:
            group.start_soon(hold)
            assert await until(lambda: not nothing_is_held(desktop), 5)
            async with open_linux(f"linux:display={desktop.display_name}", desktop.environment):
                assert nothing_is_held(desktop)
            group.cancel_scope.cancel()
        keyboard.close()
        display.close()


async def test_text_goes_into_the_field_it_is_meant_for_and_is_read_back(form: Stage) -> None:
    result = await form.do(Write(message="Grüße 你好", target=await form.on("Second")))

    assert result.outcome == "done"
    assert result.receiver == "'Form', textbox 'Second'"
    assert form.log() == ["Second=Grüße 你好"]
    assert (await form.element("Second")).value == "Grüße 你好"
    assert (await form.do(Write(message="!", target=await form.on("Second"), replace=True))).outcome == "done"
    assert (await form.element("Second")).value == "!"


async def test_without_a_target_text_goes_where_the_focus_is(form: Stage) -> None:
    second = await form.element("Second")
    await form.do(Click(target=At(point=second.box.center)))

    await form.do(Write(message="abc"))
    entered = await form.do(Press(keys=("Return",)))

    assert [line for line in form.log() if "=" in line][-1] == "Second=abc"
    assert all(not line.startswith("First") for line in form.log())
    assert entered.outcome == "done"
    assert await form.logged("Second entered")


async def test_a_password_is_entered_and_never_shown(form: Stage) -> None:
    result = await form.do(Write(message="geheim-1", target=await form.on("Password")))

    assert result.outcome == "unverified"
    assert await form.logged("Password=geheim-1")
    assert "geheim" not in str(await form.look())
    assert "geheim" not in str(result)


async def test_line_breaks_are_refused_where_there_is_one_line(form: Stage) -> None:
    result = await form.do(Write(message="a\nb", target=await form.on("First")))

    assert result.outcome == "failed"
    assert "one line" in result.text
    assert form.log() == []


async def test_controls_are_set_to_what_is_wanted(form: Stage) -> None:
    async def value(action: Callable[[], Action], line: str) -> None:
        result = await form.do(action())
        assert result.outcome == "done", result.text
        assert await form.logged(line), form.log()

    tick, level, count, colour = [await form.on(name) for name in ("Tick", "Level", "Count", "Colour")]
    await value(lambda: SetValue(target=tick, value="on"), "tick True")
    await value(lambda: SetValue(target=tick, value="off"), "tick False")
    await value(lambda: SetValue(target=level, value="55"), "level 55")
    await value(lambda: SetValue(target=count, value="4"), "count 4")
    await value(lambda: SelectOption(target=colour, value="Green"), "colour Green")

    again = await form.do(SetValue(target=tick, value="off"))
    assert "already" in again.text
    wrong = await form.do(SelectOption(target=colour, value="Purple"))
    assert wrong.outcome == "failed"
    assert "'Red'" in wrong.text
    assert (await form.do(SetValue(target=level, value="much"))).outcome == "failed"
    assert (await form.do(SetValue(target=level, value="400"))).outcome == "failed"


async def test_keys_go_to_the_window_they_are_meant_for_even_if_another_has_the_focus(form: Stage) -> None:
    other = await form.form("Other")
    assert next(window for window in form.windows() if window.active).id == other
    await form.do(Click(target=await form.on("First")))
    await form.do(FocusWindow(window=other))

    result = await form.do(Press(keys=("x",)))

    assert result.receiver.startswith("'Form'")
    assert await form.logged("First=x")
    assert form.log("Other") == []


async def test_keys_that_would_go_elsewhere_are_not_sent(form: Stage) -> None:
    other = await form.form("Other")
    await form.do(Click(target=await form.on("First", window=other)), other)
    os.kill(form.desktop.pids["openbox"], signal.SIGSTOP)
    started = time.monotonic()

    result = await form.do(Write(message="secret text"))

    assert result.outcome == "failed"
    assert "the focus is on 'Other'" in result.text
    assert time.monotonic() - started < 4
    os.kill(form.desktop.pids["openbox"], signal.SIGCONT)
    assert not any("secret" in line for line in form.log() + form.log("Other"))


async def test_dialogs_are_seen_and_answered(form: Stage) -> None:
    asked = await form.do(Click(target=await form.on("Ask")))
    assert asked.outcome == "done"
    assert "the dialog 'Question'" in asked.text

    observation = await form.look()
    assert {"Question", "Form"} == {window.title for window in observation.windows}
    answered = await form.do(Click(target=await form.on("Yes")))

    assert "the window 'Question' closed" in answered.text
    assert await form.logged("answered -8")


async def test_a_halted_application_costs_no_time_and_is_named(form: Stage) -> None:
    ok = await form.on("OK")
    pid = next(window.pid for window in form.windows())
    os.kill(pid, signal.SIGSTOP)
    started = time.monotonic()

    look = await form.device.observe()
    clicked = await form.do(Click(target=ok))
    closed = await form.do(CloseWindow(window=form.window))

    assert time.monotonic() - started < 4
    assert "halted" in look.observation.truncated
    assert look.pictures
    assert (clicked.outcome, closed.outcome) == ("failed", "failed")
    assert "halted" in clicked.text
    assert "does not answer" in closed.text
    os.kill(pid, signal.SIGCONT)


async def test_a_busy_application_costs_its_deadline_and_is_named(form: Stage) -> None:
    started = time.monotonic()
    result = await form.do(Click(target=await form.on("Hang")))

    assert result.outcome == "unverified"
    assert "does not answer within 2 s" in result.text
    look = await form.device.observe()
    assert "does not answer" in look.observation.truncated
    assert time.monotonic() - started < 6


async def test_something_that_moves_all_the_time_neither_blocks_nor_counts_as_an_effect(form: Stage) -> None:
    await form.do(Click(target=await form.on("Spin")))
    dead = await form.on("Dead")
    started = time.monotonic()

    first, second = [await form.do(Click(target=dead)) for _ in range(2)]

    assert time.monotonic() - started < 8
    assert second.outcome == "unverified", (first.text, second.text)
    assert (await form.do(Click(target=await form.on("Tick")))).outcome == "done"


async def test_a_window_that_has_closed_is_said_to_be_closed(form: Stage) -> None:
    ok = await form.on("OK")
    closed = await form.do(CloseWindow(window=form.window))
    assert closed.outcome == "done"

    observation = await form.look()
    assert "is closed" in observation.truncated
    assert observation.elements == ()
    clicked = await form.do(Click(target=ok))
    assert clicked.outcome == "failed"
    assert "no window" in clicked.text
    assert (await form.device.observe()).observation.truncated == "no window is open"


async def test_an_editor_with_unsaved_text_asks_back_and_is_not_called_closed(stage: Stage) -> None:
    window = (await stage.do(OpenApp(app_name="Mousepad"))).value
    await stage.do(Write(message="unsaved"), window)

    result = await stage.do(CloseWindow(window=window))

    assert result.outcome == "unverified"
    assert "asks back" in result.text
    assert result.value in [each.id for each in stage.windows()]


async def test_an_application_that_is_started_once_more_tells_which_window_took_over(stage: Stage) -> None:
    first = await stage.do(OpenApp(app_name="org.xfce.mousepad"))
    other = await stage.do(OpenApp(app_name="galculator"))
    started = time.monotonic()
    again = await stage.do(OpenApp(app_name="mousepad"))

    assert (again.outcome, again.value) == ("done", first.value)
    assert "was running already" in again.text
    assert time.monotonic() - started < 5
    assert other.value not in (first.value, "")
    brought = await stage.do(FocusWindow(window=other.value))
    assert (brought.outcome, brought.value) == ("done", other.value)


async def test_an_unknown_application_is_not_started_and_the_nearest_are_named(stage: Stage) -> None:
    result = await stage.do(OpenApp(app_name="mousepadd"))

    assert result.outcome == "failed"
    assert "Mousepad (org.xfce.mousepad)" in result.text
    assert stage.windows() == ()


async def test_what_a_desktop_cannot_do_is_refused_with_what_to_do_instead(form: Stage) -> None:
    results = [
        await form.do(action)
        for action in (
            GoBackward(),
            CallUser(),
            Terminate(),
            Click(target=Described(text="the big one")),
            Click(target=At(point=Point(1920, 10))),
            Click(target=OnElement(id="e99999")),
            Press(keys=("hyperspace",)),
            SetValue(target=At(point=Point(1, 1)), value="1"),
            FocusWindow(window="0x123"),
        )
    ]

    assert {result.outcome for result in results} == {"failed"}
    assert all(result.text for result in results)
    assert "outside the screen, 0..1919 x 0..1079" in results[4].text
    assert form.log() == []


async def test_a_dead_display_is_an_error_and_no_empty_picture(form: Stage) -> None:
    os.kill(form.desktop.pids["Xvfb"], signal.SIGKILL)

    assert await until(lambda: not running(form.desktop.pids["Xvfb"]), 5)
    with pytest.raises(DeviceLost, match="is gone"):
        await form.device.observe()
    with pytest.raises(DeviceLost, match="is gone"):
        await form.do(Click(target=At(point=Point(5, 5))))


async def test_a_desktop_of_its_own_needs_nothing_from_the_caller() -> None:
    async with open_linux("linux:virtual,size=800x600", {}) as device:
        assert device.name == "linux:virtual,size=800x600"
        look = await device.observe(WHOLE_DESKTOP)
        assert look.observation.screen.size == (800, 600)
        assert (await device.perform(OpenUrl(url="http://127.0.0.1:1/"))).outcome in ("done", "failed")


@pytest.mark.parametrize(
    ("environment", "error", "says"),
    [
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, Unsupported, "Wayland session"),
        ({"XDG_SESSION_TYPE": "wayland"}, Unsupported, "linux:virtual"),
        ({}, DeviceError, "DISPLAY is not set"),
        ({"DISPLAY": ":4711"}, DeviceError, "cannot open display ':4711'"),
    ],
)
async def test_a_session_that_cannot_be_worked_in_is_refused(
    environment: dict[str, str], error: type[DeviceError], says: str
) -> None:
    with pytest.raises(error, match=says):
        async with open_linux("linux", environment):
            pass


async def test_two_desktops_at_once_do_not_hear_each_other(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with a_stage(tmp_path / "a") as one, a_stage(tmp_path / "b") as other:
        async with anyio.create_task_group() as group:
            group.start_soon(one.form)
            group.start_soon(other.form)
        first, second = await one.on("First"), await other.on("First")

        async with anyio.create_task_group() as group:
            group.start_soon(one.do, Write(message="left 你", target=first))
            group.start_soon(other.do, Write(message="right 好", target=second))

        assert await one.logged("First=left 你")
        assert await other.logged("First=right 好")
        assert not any("right" in line for line in one.log())
        assert not any("left" in line for line in other.log())
