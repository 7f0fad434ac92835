from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import (
    Action,
    At,
    Click,
    DoubleClick,
    DragTo,
    FocusWindow,
    KeyDown,
    KeyUp,
    LongPress,
    MoveTo,
    OnElement,
    Press,
    RightClick,
    Scroll,
    SelectOption,
    SetValue,
    Swipe,
    Wait,
    Write,
)
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.core.secret import Secrets
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.input.keyboard import Keyboard
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.wrappers import SecretsDevice
from tests.linux.stage import FORM, Stage, nothing_is_held

pytestmark = pytest.mark.anyio
GTK4 = [*Path("/usr/lib").glob("*/girepository-1.0/Gtk-4.0.typelib")]


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


async def test_r069_the_right_button_is_pressed_after_the_order_has_changed_and_none_once_it_is_gone(
    form: Stage,
) -> None:
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


async def test_what_is_scrolled_to_is_read_and_used_however_far_down_it_was(form: Stage) -> None:
    await form.do(Scroll(clicks=-100, target=await form.on("Row 1")))
    last = await form.element("Row 60", "button")
    assert not last.box.empty

    assert (await form.do(Click(target=OnElement(id=last.id)))).outcome == "done"

    assert await form.logged("Row 60")
    assert "Row 1" not in [each.name for each in (await form.look()).elements]


@pytest.mark.skipif(not GTK4, reason="needs gir1.2-gtk-4.0")
async def test_options_of_gtk4_are_clicked_in_the_list_that_drops_down(stage: Stage) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(FORM.with_name("controls_gtk4.py"))])
    window = (await stage.shown("Controls")).id

    async def colour() -> Element:
        return next(each for each in (await stage.look(window)).elements if each.role == "combobox")

    with anyio.fail_after(20):
        while not any(each.role == "combobox" for each in (await stage.look(window)).elements):
            pass
    await stage.do(Click(target=OnElement(id=(await colour()).id)), window)
    await stage.do(Click(target=await stage.on("Blue", "listitem", window)), window)
    assert (await colour()).value == "Blue"

    green = await stage.do(SelectOption(target=OnElement(id=(await colour()).id), value="Green"), window)

    assert (green.outcome, (await colour()).value) == ("done", "Green"), green.text
    dark = await stage.do(SelectOption(target=await stage.on("Shade", "combobox", window), value="Dark"), window)
    assert dark.outcome == "done", dark.text  # GTK 4 calls this one by its label, and no longer by what is chosen


async def test_text_goes_in_place_of_what_is_selected(form: Stage) -> None:
    first = await form.on("First", "textbox")
    await form.do(Write(message="one two three", target=first))
    await form.do(Press(keys=("Home", "ctrl+Right", "shift+Right", "ctrl+shift+Right")))

    result = await form.do(Write(message=" – 你好"))

    assert result.outcome == "done", result.text
    assert await form.logged("First=one – 你好 three")


async def test_a_secret_that_a_field_changes_is_not_quoted(stage: Stage) -> None:
    await stage.form("Form", "shout")
    device = SecretsDevice(stage.device, Secrets({"pin": "swordfish tuna"}))
    field = await stage.on("First", "textbox")

    result = await device.perform(Write(message="{{secret:pin}}", target=field), stage.window)

    assert await stage.logged("First=SWORDFISH TUNA")
    assert result.outcome == "failed"
    assert "from character 0 on it holds something else" in result.text
    assert "word" not in result.model_dump_json().casefold().replace("keyword", "")


async def test_r054_the_wheel_and_a_finger_move_the_content_the_way_they_should(form: Stage) -> None:
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
    assert (await form.do(Write(message="?"))).outcome == "done"
    assert (await form.element("Second")).value == "!?"


async def test_r072_without_a_target_text_goes_where_the_focus_is(form: Stage) -> None:
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


async def test_r046_line_breaks_are_refused_where_there_is_one_line(form: Stage) -> None:
    result = await form.do(Write(message="a\nb", target=await form.on("First")))

    assert result.outcome == "failed"
    assert "one line" in result.text
    assert form.log() == []


async def test_r067_controls_are_set_to_what_is_wanted(form: Stage) -> None:
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


async def test_r077_keys_go_to_the_window_they_are_meant_for_even_if_another_has_the_focus(form: Stage) -> None:
    other = await form.form("Other")
    assert next(window for window in form.windows() if window.active).id == other
    await form.do(Click(target=await form.on("First")))
    await form.do(FocusWindow(window=other))

    result = await form.do(Press(keys=("x",)))

    assert result.receiver.startswith("'Form'")
    assert await form.logged("First=x")
    assert form.log("Other") == []


async def test_r077_keys_that_would_go_elsewhere_are_not_sent(form: Stage) -> None:
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
