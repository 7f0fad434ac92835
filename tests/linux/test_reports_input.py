"""Faults that users met when other systems typed, clicked and looked, by the number of their report."""

from __future__ import annotations

import time

import pytest

from deskhand.core.action import Click, Hotkey, OnElement, Press, Write
from deskhand.core.errors import SettingsError
from deskhand.core.keys import NAMES, find_key, key
from deskhand.devices.linux.device import open_linux
from deskhand.devices.linux.spec import parse_linux
from tests.linux.stage import Stage

pytestmark = pytest.mark.anyio


def test_r056_every_key_that_the_keyboard_has_is_one_that_models_may_name() -> None:
    assert [name for name in NAMES if not find_key(name)] == []
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    assert [letter for letter in letters if not find_key(letter) or key(letter).name != letter] == []


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
