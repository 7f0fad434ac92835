"""Buttons of 12 x 12 pixels, and a model over HTTP that points a few pixels beside them."""

from __future__ import annotations

import io
from functools import partial

import pytest
from PIL import Image as Canvas

from deskhand.core.action import ActionResult, Click, Described
from deskhand.core.event import ModelAsked
from deskhand.core.family import SPACES
from deskhand.core.geometry import Box
from deskhand.dialects.ground import GroundReply
from deskhand.models.factory import opened
from deskhand.processors.dispatcher import CommandDispatcher
from deskhand.processors.grounding import ModelGrounder, SecondLook
from deskhand.processors.interaction import reply_of
from deskhand.testing.received import Received
from deskhand.testing.server import ScriptedServer
from tests.linux.stage import FORM, Stage
from tests.paper import context, events
from tests.services import model_at

pytestmark = pytest.mark.anyio


def middle_of_a_red_square(png: bytes) -> str:
    picture = Canvas.open(io.BytesIO(png)).convert("RGB")
    left, right = picture.width // 2 - 90, picture.width // 2 + 90
    box = picture.crop((left, 0, right, picture.height)).getchannel("R").point(lambda red: 255 * (red == 200)).getbbox()
    assert box is not None
    x, y = Box(*box).center
    return f"({left + x}, {y})"


async def test_r037_small_buttons_are_hit_by_the_nearest_control_or_by_a_second_look(stage: Stage) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(FORM.with_name("small.py"))])
    stage.window = (await stage.shown("Small")).id
    beside = {name: (await stage.element(name, "button")).box.center for name in ("Strike", "Code")}
    screen = (await stage.look()).screen.size

    def pointing(received: Received) -> str:
        name = "Code" if "Code" in received.text else "Strike"
        if received is server.requests[-1] and len(server.requests) == 4:
            return middle_of_a_red_square(received.pictures[-1].data)
        return f"({beside[name].x}, {beside[name].y + 11})"  # 6 pixels below it

    async def press(name: str, snap: int, zoom: int) -> tuple[ActionResult, str]:
        made = context(model)
        made.snap = snap
        second = SecondLook(made.journal, zoom) if zoom else None
        grounder = ModelGrounder(partial(reply_of, made, "grounder"), GroundReply(SPACES["pixels"]), second)
        dispatcher = CommandDispatcher(stage.device, made, made.dispatcher.gate, grounder)
        result = await dispatcher.dispatch(Click(target=Described(text=f"the {name} button")), stage.window)
        assert len(events(made, ModelAsked)) == 1 + bool(zoom)
        return result, next(e.name for e in (await stage.look()).elements if e.name.endswith(" hit"))

    with ScriptedServer(always=pointing) as server:
        model = model_at(server)
        async with opened([model]):
            missed, none = await press("Strike", 0, 0)
            snapped, strike = await press("Strike", 10, 0)
            looked, code = await press("Code", 0, 24)

    assert (none, strike, code) == ("none hit", "Strike hit", "Code hit")
    assert (missed.outcome, missed.text) == ("unverified", "sent, but nothing on the screen has changed")
    assert (snapped.outcome, looked.outcome) == ("done", "done")
    assert snapped.text.endswith("done 6 px away, on button 'Strike'")
    assert server.requests[-1].pictures[0].size == (screen.width // 3 * 3, screen.height // 3 * 3)
