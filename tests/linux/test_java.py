"""Java programs, where Java and Debian's bridge to accessibility are installed."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest

from deskhand.devices.linux.desktops.java import java_options
from tests.linux.scene import APPS, Scene, a_scene, one

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not shutil.which("javac"), reason="no JDK is installed"),
    pytest.mark.skipif(not java_options(), reason="libatk-wrapper-java is not installed"),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    async with a_scene() as scene:
        yield scene


async def test_a_java_program_is_read_and_used_like_others(scene: Scene) -> None:
    # Programs set the class path themselves, which must not cost them the bridge.
    await scene.start("java", "-cp", "/nowhere", str(APPS / "Greeting.java"))
    reading = await scene.read_until("Greeting", lambda reading: len(reading.elements) > 3)
    window = await scene.window("Greeting")

    field, greet = one(reading, role="textbox"), one(reading, name="Greet")
    assert (field.value, greet.role, "press" in greet.actions) == ("Ada", "button", True)
    assert all(window.box.holds(element.box.center) for element in reading.elements)
    assert scene.tree.set_text(field.id, "你好")
    assert scene.tree.press(greet.id)
    await scene.read_until("Greeting", lambda reading: any(e.name == "Hello 你好" for e in reading.elements))
