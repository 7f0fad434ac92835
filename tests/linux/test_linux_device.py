from __future__ import annotations

import io
import os
import signal
import time
from pathlib import Path

import anyio
import pytest
from PIL import Image as PillowImage

from deskhand.core.action import (
    At,
    CallUser,
    Click,
    CloseWindow,
    Described,
    FocusWindow,
    GoBackward,
    Hotkey,
    OnElement,
    OpenApp,
    OpenUrl,
    Press,
    SetValue,
    Terminate,
    Write,
)
from deskhand.core.errors import DeviceError, DeviceLost, Unsupported
from deskhand.core.geometry import Point
from deskhand.core.observation import WHOLE_DESKTOP
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display
from tests.linux.stage import Stage, a_stage

PARAGRAPH = "naïve façade – 你好 – 😀\n\tIt isn't much; \\n stays as it is."

pytestmark = pytest.mark.anyio


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


async def test_what_was_opened_on_a_users_own_desktop_stays_there() -> None:
    async with virtual_desktop() as desktop:
        async with open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device:
            opened = await device.perform(OpenApp(app_name="galculator"))

        display = Display.open(desktop.display_name)
        (window,) = list_windows(display)
        display.close()
        assert window.id == opened.value
        os.kill(window.pid, signal.SIGKILL)
        assert await until(lambda: not running(window.pid), 5)


async def test_enlarged_widgets_are_hit_where_they_are(tmp_path: Path) -> None:
    async with a_stage(tmp_path, scale=2) as stage:
        await stage.form()
        for name in ("Cancel", "OK"):
            assert (await stage.do(Click(target=await stage.on(name)))).outcome == "done"
            assert await stage.logged(name)


@pytest.mark.parametrize(
    ("environment", "error", "says"),
    [
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, Unsupported, "Wayland session"),
        ({"XDG_SESSION_TYPE": "wayland"}, Unsupported, "linux:virtual"),
        ({}, DeviceError, "DISPLAY is not set"),
        ({"DISPLAY": ":4711"}, DeviceError, "cannot open display ':4711'"),
    ],
)
async def test_r030_a_session_that_cannot_be_worked_in_is_refused(
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
