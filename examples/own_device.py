"""A device of your own: `deskhand look --device own_device:open_lamp` in the folder of this file."""

import hashlib
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from PIL import Image as Canvas

from deskhand.core.action import Action, ActionResult, Click, OnElement
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import ACTIVE_WINDOW, Element, Image, Look, Observation, Subject, Window

SIZE, BOX = Size(64, 64), Box.at(0, 0, 64, 64)
WINDOW = Window(id="lamp", title="Lamp", box=BOX, active=True)


class Lamp:
    def __init__(self, name: str) -> None:
        self.name, self.lit = name, False

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        Canvas.new("RGB", SIZE, "yellow" if self.lit else "black").save(file := io.BytesIO(), "PNG")
        screen = Image(sha256=hashlib.sha256(file.getvalue()).hexdigest(), size=SIZE)
        switch = Element(id="e1", role="switch", name="Lamp", box=BOX, states=("checked",) * self.lit, window="lamp")
        seen = Observation(screen=screen, elements=(switch,), windows=(WINDOW,), window="lamp")
        return Look(seen, {screen.sha256: file.getvalue()})

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        if not isinstance(action, Click) or action.target != OnElement(id="e1"):
            return ActionResult(outcome="failed", text=f"a lamp cannot do this {action.kind}; click its switch")
        self.lit = not self.lit
        return ActionResult(outcome="done", text=f"the lamp is {'on' if self.lit else 'off'}")


@asynccontextmanager
async def open_lamp(spec: str) -> AsyncIterator[Lamp]:
    yield Lamp(spec)
