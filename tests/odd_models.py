"""Models that misbehave, for the command line: `--model tests.odd_models:NAME`."""

from __future__ import annotations

import time

from deskhand.core.errors import ModelRefused
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Pictures


class Busy:
    """Keeps the event loop busy, and answers nothing, for half a minute."""

    name = "busy"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pass
        return Reply(text="")


class Broken:
    """Has a fault."""

    name = "broken"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        raise ZeroDivisionError("a fault of the model's")


class Talkative:
    """Fails with what it was asked in the text of its error."""

    name = "talkative"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        raise ModelRefused(f"this is not allowed: {request.model_dump_json()}")
