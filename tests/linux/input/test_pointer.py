"""The pointer as an application sees it: a GTK form that logs every press, notch and move."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import anyio
import pytest

from deskhand.core.action import Button
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.devices.linux.input.extensions import xtest_of
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display

if TYPE_CHECKING:
    from tests.linux.input.conftest import Form, Seat

pytestmark = [pytest.mark.anyio, pytest.mark.device]

DRAG_FOR_EVER = """
import sys, anyio
from deskhand.core.geometry import Point
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.input.pointer import Pointer

async def main():
    await Pointer(Display.open(sys.argv[1])).drag([Point(100 + i % 2, 100) for i in range(10_000)])

anyio.run(main)
"""


def beside(point: Point, x: int, y: int = 0) -> Point:
    return Point(point.x + x, point.y + y)


def at(point: Point) -> str:
    return f"at {point.x},{point.y}"


async def presses(form: Form, count: int) -> list[str]:
    """Give the presses, without releases and double clicks, once there are that many."""

    def of(events: list[str]) -> list[str]:
        return [event for event in events if "press" in event]

    state = await form.until(lambda s: len(of(s["events"])) >= count, 3)
    return of(state["events"])


async def test_a_click_lands_on_its_point(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.click(form.pad)
        assert await form.events(2) == [f"press 1 {at(form.pad)}", f"release 1 {at(form.pad)}"]
        assert seat.pointer.position() == form.pad


async def test_a_click_without_a_point_happens_where_the_pointer_is(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.move(form.pad)
        await seat.pointer.click(None, button="right")
        assert await presses(form, 1) == [f"press 3 {at(form.pad)}"]


async def test_double_and_triple_clicks_are_seen_as_such(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.click(form.pad, clicks=2)
        await seat.pointer.click(beside(form.pad, 50), clicks=3)
        events = await form.events(13)
        times = (await form.ask())["presses"]
    assert [event.split()[0] for event in events if "release" not in event] == [
        "press", "press", "double", "press", "press", "double", "press", "triple",
    ]  # fmt: skip
    assert len({*times}) == 5, "Chromium takes two presses of one millisecond for the same"


async def test_two_clicks_one_after_the_other_are_no_double_click(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.click(form.pad)
        await seat.pointer.click(form.pad)
        events = await form.events(4)
    assert [event.split()[0] for event in events] == ["press", "release"] * 2


async def test_every_button_arrives_as_itself(seat: Seat) -> None:
    buttons: list[Button] = ["left", "middle", "right", "back", "forward"]
    async with seat.form() as form:
        for button in buttons:
            await seat.pointer.click(form.pad, button=button)
        assert [event.split()[1] for event in await presses(form, 5)] == ["1", "2", "3", "8", "9"]
    assert await seat.nothing_is_down()


async def test_modifiers_are_held_while_clicking(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.click(form.pad, modifiers=("ctrl", "shift"))
        assert await presses(form, 1) == [f"ctrl+shift+press 1 {at(form.pad)}"]
    assert await seat.nothing_is_down()


async def test_modifiers_last_for_every_click_of_several(seat: Seat) -> None:
    async with seat.form() as form:
        for number in range(10):
            await seat.pointer.click(beside(form.pad, 20 * number), clicks=2, modifiers=("ctrl",))
        events = [event for event in await form.events(60) if event != "Control_L"]
    assert len(events) == 50
    assert all(event.startswith("ctrl+") for event in events)


async def test_clicks_in_quick_succession_stay_apart(seat: Seat) -> None:
    places = [(20 * number, 0) for number in range(20)]
    async with seat.form() as form:
        for x, y in places:
            await seat.pointer.click(beside(form.pad, x, y))
        events = await form.events(40)
    assert events == [f"{what} 1 {at(beside(form.pad, x, y))}" for x, y in places for what in ("press", "release")]


async def test_a_modifier_that_is_no_key_is_refused_before_anything_happens(seat: Seat) -> None:
    before = seat.pointer.position()
    with pytest.raises(TargetNotFound, match="hyperdrive"):
        await seat.pointer.click(Point(1, 1), modifiers=("hyperdrive",))
    assert seat.pointer.position() == before


async def test_every_notch_of_the_wheel_arrives_in_its_direction(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.scroll(form.pad, 100, 0)
        await seat.pointer.scroll(None, -3, 2)
        await seat.pointer.scroll(None, 0, -1)
        events = await form.events(106)
    assert events == ["scroll up"] * 100 + ["scroll down"] * 3 + ["scroll right"] * 2 + ["scroll left"]


async def test_a_drag_goes_through_its_stops_slowly_enough_to_be_seen(seat: Seat) -> None:
    async with seat.form() as form:
        stops = [form.pad, beside(form.pad, 200), beside(form.pad, 200, 60)]
        await seat.pointer.drag(stops)
        state = await form.until(lambda s: any("release" in event for event in s["events"]))
    assert [event for event in state["events"] if "key" not in event] == [
        f"press 1 {at(stops[0])}",
        f"release 1 {at(stops[-1])}",
    ]
    moves = [((x, y), when) for x, y, when in state["moves"]]
    assert len(moves) >= 20
    assert {tuple(stop) for stop in stops[1:]} <= {place for place, _ in moves}
    assert max(abs(b[0] - a[0]) + abs(b[1] - a[1]) for (a, _), (b, _) in pairwise(moves)) <= 20
    assert moves[-1][1] - moves[0][1] >= 0.3
    assert await seat.nothing_is_down()


async def test_a_drag_to_one_point_starts_where_the_pointer_is(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.move(form.pad)
        await seat.pointer.drag([beside(form.pad, 30)], button="middle")
        assert await form.events(2) == [f"press 2 {at(form.pad)}", f"release 2 {at(beside(form.pad, 30))}"]


async def test_clicks_without_end_can_be_cancelled(seat: Seat) -> None:
    with anyio.fail_after(5), anyio.move_on_after(0.05) as scope:
        for number in range(100_000):
            await seat.pointer.click(Point(100 + 20 * (number % 50), 300))
    assert scope.cancelled_caught
    assert await seat.nothing_is_down()


async def test_a_drag_cancelled_in_the_middle_lets_go(seat: Seat) -> None:
    async with seat.form() as form:
        with anyio.move_on_after(0.15) as scope:
            await seat.pointer.drag([form.pad, beside(form.pad, 300)])
        assert scope.cancelled_caught
        assert await seat.nothing_is_down()
        events = await form.events(2)
    assert events[0] == f"press 1 {at(form.pad)}"
    assert events[1].startswith("release 1")
    assert form.pad.x < seat.pointer.position().x < form.pad.x + 300


async def test_a_long_press_holds_and_is_let_go_when_cancelled(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.pointer.hold(form.pad, 0.2)
        with anyio.move_on_after(0.1):
            await seat.pointer.hold(beside(form.pad, 40), 60)
        assert await seat.nothing_is_down()
        assert [event.split()[0] for event in await form.events(4)] == ["press", "release"] * 2


@pytest.mark.parametrize("point", [Point(-1, 5), Point(5, -1), Point(1920, 5), Point(5, 1080)])
async def test_a_point_beyond_the_screen_is_refused(seat: Seat, point: Point) -> None:
    with pytest.raises(TargetNotFound, match="1920x1080"):
        await seat.pointer.click(point)


async def test_the_button_of_a_drag_is_let_go_when_its_process_is_killed(seat: Seat) -> None:
    async with await anyio.open_process([sys.executable, "-c", DRAG_FOR_EVER, seat.display.name]) as dragging:
        assert await until(lambda: seat.pressed()[1], 10)
        dragging.kill()
    assert await seat.nothing_is_down()


async def test_a_button_that_another_program_left_down_is_released_on_start(seat: Seat) -> None:
    dead = Display.open(seat.display.name)
    xtest_of(dead).FakeInput(4, 1, 0, 0, 0, 0, 0)
    dead.sync()
    dead.close()
    assert seat.pressed()[1], "the server keeps the button down"

    seat.pointer.release_all(everything=True)

    assert await seat.nothing_is_down()


async def test_a_gesture_that_the_window_manager_takes_is_told_from_others(seat: Seat) -> None:
    async with seat.form() as form:
        assert seat.pointer.taken(form.pad, "left", ("alt",))
        assert not seat.pointer.taken(form.pad, "left", ("ctrl", "shift"))
        assert not seat.pointer.taken(form.pad, "right", ("alt",))


async def test_release_all_lets_go_of_our_own(seat: Seat) -> None:
    ours = Display.open(seat.display.name)
    pointer = Pointer(ours)
    async with anyio.create_task_group() as group:
        group.start_soon(pointer.hold, Point(300, 300), 0.3)
        assert await until(lambda: seat.pressed()[1], 2)
        pointer.release_all()
        assert await seat.nothing_is_down()
        group.cancel_scope.cancel()
    ours.close()
