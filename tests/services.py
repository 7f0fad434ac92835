"""A model behind a scripted service, for tests of what is sent to services and made of their answers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import anyio
from PIL import Image as Pil

from deskhand.core.geometry import Box, Size
from deskhand.core.message import ElementsPart, ModelRequest, Reply, Turn
from deskhand.core.observation import Element, Image
from deskhand.core.ports import Model
from deskhand.journal.memory import MemoryJournal
from deskhand.models.factory import make, opened
from deskhand.models.options import ModelSettings
from deskhand.testing.server import Fail, Received, ScriptedServer

ALBUM = MemoryJournal()
"""Holds the bytes of all pictures of the tests."""
ELEMENTS = ElementsPart(elements=(Element(id="e1", role="button", name="OK", box=Box(0, 0, 9, 9)),))
SCHEMA = {
    "type": "object",
    "properties": {"status": {"type": "string"}},
    "required": ["status"],
    "additionalProperties": False,
}


def picture(number: int = 0, size: Size = Size(8, 6), kind: str = "png") -> Image:  # noqa: B008
    """Keep a picture, different for each number."""
    file = io.BytesIO()
    Pil.new("RGB", size, (number, 100, 200)).save(file, kind)
    return Image(sha256=ALBUM.keep(file.getvalue()), size=size, media_type=f"image/{kind}")


def user(text: str = "what now?", pictures: int = 0, *, cache: bool = False) -> Turn:
    return Turn(speaker="user", text=text, pictures=tuple(map(picture, range(pictures))), cache=cache)


def said(text: str) -> Turn:
    return Turn(speaker="assistant", text=text)


def request(*turns: Turn, **more: Any) -> ModelRequest:
    return ModelRequest(**{"role": "planner", "system": "be brief", "turns": turns or (user(),)} | more)


def model_at(server: ScriptedServer, spec: str = "openai:m", **options: Any) -> Model:
    return make(ModelSettings(**{"model": spec, "base_url": server.url} | options), {})


def ask(model: Model, *requests: ModelRequest) -> list[Reply]:
    """Ask one after the other."""

    async def scene() -> list[Reply]:
        async with opened([model]):
            return [await model.ask(r, ALBUM) for r in requests or (request(),)]

    return anyio.run(scene)


def replied(server: ScriptedServer, *requests: ModelRequest, spec: str = "openai:m", **options: Any) -> list[Reply]:
    return ask(model_at(server, spec, **options), *requests)


def sent(server: ScriptedServer, field: str) -> Sequence[Any]:
    return [received.body.get(field) for received in server.requests]


def without(field: str, message: str) -> Any:
    """Make a rule: requests with this field are refused."""

    def rule(received: Received) -> Fail | None:
        return Fail(400, message) if field in received.body else None

    return rule


def at_most(count: int, message: str) -> Any:
    """Make a rule: requests with more pictures are refused."""

    def rule(received: Received) -> Fail | None:
        return Fail(400, message) if len(received.pictures) > count else None

    return rule
