"""Faults that users met when other systems typed, clicked and looked, by the number of their report."""

from __future__ import annotations

import re
import time
import tomllib
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest
import xcffib.randr
from PIL import Image as PillowImage

from deskhand.core.action import (
    ArrangeWindow,
    At,
    Click,
    DragTo,
    Hotkey,
    KeyDown,
    KeyUp,
    MoveTo,
    OnElement,
    Press,
    Write,
)
from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.geometry import Box, Point, Size
from deskhand.core.keys import NAMES, find_key, key
from deskhand.core.observation import OneWindow
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.input.clipboard import Clipboard
from deskhand.devices.linux.input.pointer import Pointer
from deskhand.devices.linux.spec import parse_linux
from deskhand.devices.linux.x11.display import Display
from tests.linux.stage import Stage, a_stage

pytestmark = pytest.mark.anyio


def test_r056_every_key_that_the_keyboard_has_is_one_that_models_may_name() -> None:
    assert [name for name in NAMES if not find_key(name)] == []
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    assert [letter for letter in letters if not find_key(letter) or key(letter).name != letter] == []


def test_r056_the_words_that_requests_use_for_keys_mean_the_keys_that_models_name() -> None:
    text = (files("deskhand.models.literal.words") / "keys.toml").read_text(encoding="utf-8")
    said = [(meant, word) for group in tomllib.loads(text).values() for meant, word in spelled(group)]
    assert [(meant, word) for meant, word in said if find_key(word) != key(meant)] == []


def spelled(group: dict[str, list[str] | str]) -> list[tuple[str, str]]:
    return [(meant, word) for meant, words in group.items() for word in ([words] if isinstance(words, str) else words)]


def test_r046_a_line_break_of_windows_is_one_line_break() -> None:
    assert Write(message="\r\na\r\n\tb\\r\\n\r").message == "\na\n\tb\\r\\n\r"


async def test_r020_a_key_of_another_system_is_explained(form: Stage) -> None:
    await form.do(Click(target=await form.on("Dead")))

    results = [await form.do(Hotkey(keys=keys)) for keys in (("cmd", "k"), ("command+k",), ("option", "f11"))]

    assert [r.outcome for r in results] == ["unverified"] * 3
    assert all("nothing on the screen has changed" in r.text for r in results)
    told = [r.text.rpartition("; ")[0].rpartition("; ")[2] for r in results]
    assert told == ["cmd is the Super key here", "command is the Super key here", "option is the Alt key here"]
    assert "key here" not in (await form.do(Hotkey(keys=("super", "k")))).text


async def test_r048_a_delay_between_characters_is_kept_in_every_field(form: Stage) -> None:
    spec = f"linux:display={form.desktop.display_name},delay=20"
    async with open_linux(spec, form.desktop.environment) as slow:
        elements = (await slow.observe()).observation.elements
        field = next(e for e in elements if e.name == "First" and e.role == "textbox")
        started = time.monotonic()
        result = await slow.perform(Write(message="x" * 50, target=OnElement(id=field.id)), form.window)
        took = time.monotonic() - started

    assert result.outcome == "done", result
    assert "typed" in result.text
    assert 1.0 <= took < 3
    assert len([line for line in form.log() if line.startswith("First=")]) == 50


@pytest.mark.parametrize("value", ["soon", "-1", "1.5", "10000"])
def test_r048_a_delay_is_a_number_of_milliseconds(value: str) -> None:
    with pytest.raises(SettingsError, match="milliseconds"):
        parse_linux(f"linux:virtual,delay={value}")


async def test_r081_a_result_says_what_took_the_input_and_what_has_the_keyboard_afterwards(form: Stage) -> None:
    await form.do(Click(target=await form.on("First")))

    tabbed = await form.do(Press(keys=("Tab",)))

    assert tabbed.receiver == "'Form', textbox 'First'"
    assert tabbed.text.startswith("textbox 'Second' has the keyboard now")


async def test_a_text_that_an_application_takes_out_again_is_not_called_done(stage: Stage) -> None:
    await stage.form("Form", "strict")

    for text in ("wrong", "wrong – 你好"):
        result = await stage.do(Write(message=text, target=await stage.on("First"), replace=True))
        assert result.outcome == "failed", result
        assert "its program has put something else there since: it holds 0 characters" in result.text


async def test_a_shortcut_or_gesture_of_the_desktop_is_said_to_be_one(form: Stage) -> None:
    larger = await form.do(Hotkey(keys=("alt", "F10")))
    moved = await form.do(Click(target=await form.on("Dead"), modifiers=("alt",)))
    plain = await form.do(Click(target=await form.on("Dead"), modifiers=("ctrl",)))
    await form.do(KeyDown(key="alt"))
    dragged = await form.do(DragTo(start=await form.on("Dead"), target=At(point=Point(960, 700))))
    await form.do(KeyUp(key="alt"))

    assert larger.outcome == "done"
    assert larger.text.endswith("alt+F10 is a shortcut of the desktop, which takes it before any application")
    assert "alt+left is a gesture of the window manager, which may keep it" in moved.text
    assert "gesture" not in plain.text
    assert "a drag with the keys that are held is a gesture of the window manager" in dragged.text


async def test_r032_r033_the_monitor_that_is_chosen_is_seen_and_clicked(form: Stage) -> None:
    display = Display.open(form.desktop.display_name)
    # The server lists the right one first; below the left one is a hole that no monitor shows.
    put_monitors(display, {"right": Box(960, 0, 1920, 1080), "left": Box(0, 0, 960, 540)})
    await form.do(ArrangeWindow(window=form.window, how="move", corner=Point(700, 20), size=Size(500, 480)))
    whole = await form.look()

    assert [str(each) for each in whole.monitors] == ["left (960x540 at 0,0, primary)", "right (960x1080 at 960,0)"]
    for place in [Point(x, y) for x in (0, 959, 960, 1919) for y in (0, 539)] + [Point(960, 1079), Point(1919, 1079)]:
        await form.do(MoveTo(target=At(point=place)))
        assert Pointer(display).position() == place
    hole = await form.do(Click(target=At(point=Point(400, 700))))
    assert "shown by no monitor" in hole.text

    spec = f"linux:display={form.desktop.display_name},monitor="
    for chosen, size in (("right", Size(960, 1080)), ("0", Size(960, 540)), ("primary", Size(960, 540))):
        async with open_linux(spec + chosen, form.desktop.environment) as device:
            seen = await device.observe(OneWindow(id=form.window))
            look = seen.observation
            picture = PillowImage.open(BytesIO(seen.pictures[look.screen.sha256]))
            assert picture.size == look.screen.size == size
            assert [each.box for each in look.monitors if each.box.left == 0] == [Box.at(0, 0, *size)]
            assert all(each.box.clipped(Box.at(0, 0, *size)) == each.box for each in look.elements)
            assert "which is not looked at" in look.truncated
            wanted = "Tick" if chosen == "right" else "OK"
            button = next(e for e in look.elements if e.name == wanted and e.role in ("button", "checkbox"))
            clicked = await device.perform(Click(target=At(point=button.box.center)), form.window)
            assert await form.logged("tick True" if chosen == "right" else "OK")
            if found := re.search(r"changed within .* to \((\d+), ", clicked.text):
                assert int(found[1]) <= size.width, "places are told in pixels of the picture that is shown"
            beyond = await device.perform(Click(target=At(point=Point(970, 5))))
            assert "outside the monitor, 0..959" in beyond.text
    with pytest.raises(DeviceError, match=r"'third'; it has: 0 left .*, 1 right"):
        async with open_linux(spec + "third", form.desktop.environment):
            pass
    display.close()


def put_monitors(display: Display, boxes: dict[str, Box]) -> None:
    """Divide the screen; the last is the primary one, and has the only output there is."""
    randr = display.conn(xcffib.randr.key)
    monitor_of: Any = xcffib.randr.MonitorInfo.synthetic
    output = list(randr.GetMonitors(display.root, True).reply().monitors[0].outputs)
    for name, box in boxes.items():
        primary = name == [*boxes][-1]
        outputs = output if primary else []
        place = (box.left, box.top, box.width, box.height)
        monitor = monitor_of(display.atom(name), primary, False, len(outputs), *place, 0, 0, outputs)
        randr.SetMonitorChecked(display.root, monitor).check()


async def test_eight_desktops_do_not_hear_or_see_each_other(tmp_path: Path) -> None:
    held: dict[int, list[str]] = {}

    async def use(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        async with a_stage(folder) as stage:
            window = await stage.form(f"Form {number}")
            clipboard = Clipboard(stage.desktop.display_name)
            await clipboard.write(f"copied on {number}")
            texts = [f"on {number} – 你好 {number}" * 4, f"typed on {number}"]
            for text in texts:
                result = await stage.do(Write(message=text, target=await stage.on("First"), replace=True))
                assert result.outcome == "done", result
            await stage.do(Hotkey(keys=("ctrl", "a")))
            await stage.do(Click(target=await stage.on("Second")))
            await stage.do(Hotkey(keys=("ctrl", "v")))
            look = (await stage.device.observe(OneWindow(id=window))).observation
            fields = {each.name: each.value for each in look.elements if each.role == "textbox"}
            held[number] = [fields["First"], fields["Second"], *(w.title for w in look.windows)]
            clipboard.close()

    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(use, number)

    assert held == {n: [f"typed on {n}", f"copied on {n}", f"Form {n}"] for n in range(8)}
