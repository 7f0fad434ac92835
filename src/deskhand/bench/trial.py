"""Real round trips with one model: a text, a picture, a structured reply, a place to point at."""

from __future__ import annotations

import io
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

from PIL import Image as Pil

from deskhand.core.action import At, Click
from deskhand.core.decision import AppDecision
from deskhand.core.errors import LimitReached, ModelError, UnreadableReply
from deskhand.core.family import SPACES, Family
from deskhand.core.geometry import Box, Frame, Point, Size
from deskhand.core.message import ModelRequest, PicturePart, Reply, SubtaskPart, Turn, Usage
from deskhand.core.observation import Image
from deskhand.core.ports import Model
from deskhand.dialects.ground import GroundReply
from deskhand.dialects.json_text import one_object
from deskhand.journal.memory import MemoryJournal
from deskhand.models.calling import ServiceModel
from deskhand.models.choice import points_of
from deskhand.models.factory import opened
from deskhand.models.options import ModelSettings

SCREEN, BUTTON = Size(640, 480), Box(400, 120, 520, 180)
"""A picture, and the only thing on it."""
SCHEMA = {
    "type": "object",
    "properties": {"fruit": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["fruit", "number"],
    "additionalProperties": False,
}


class Finding(NamedTuple):
    """What came of one round trip."""

    name: str
    ok: bool
    found: str
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'no  '} {self.name}: {self.found} ({self.seconds:.1f} s)"


Attempt = Callable[[], Awaitable[tuple[bool, str]]]
"""Tries one thing; says whether it went well, and what was found."""


class Trial:
    """Asks one model a few simple things, without any application."""

    def __init__(self, model: Model, options: ModelSettings) -> None:
        self._model = model
        self._options = options
        self._album = MemoryJournal()
        self.used = Usage()
        """What all of it took by now."""
        self._pointing = points_of(options)

    @property
    def about(self) -> str:
        """Say what is asked, and where."""
        where = f" at {self._model.service.url}" if isinstance(self._model, ServiceModel) else ""
        return f"{self._model.name}{where}"

    @property
    def basics(self) -> Sequence[tuple[str, Attempt]]:
        """What can be tried of any model; whatever comes after the first makes no sense when that fails."""
        return (
            ("text", self._text),
            ("picture", self._picture),
            ("structured reply", self._structured),
            (f"pointing ({self._pointing.coordinates})", self._point),
        )

    async def run(self) -> list[Finding]:
        """Try one thing after the other; only when the first fails, the rest is not tried."""
        findings: list[Finding] = []
        async with opened([self._model]):
            for name, attempt in self.basics:
                findings.append(await self.finding(name, attempt))
                if not findings[0].ok:
                    break
        return findings

    def remarks(self) -> list[str]:
        """Say what is worth knowing besides."""
        used = f"used {self.used.input_tokens} tokens in, {self.used.output_tokens} out"
        if not (self._options.prices.input or self._options.prices.output):
            return [f"{used}; no prices are set, so that limits of money cannot hold"]
        return [f"{used}, ${self.used.usd:.4f}"]

    async def finding(self, name: str, attempt: Attempt) -> Finding:
        """Try one thing; whatever the model or its service does wrong is what is found."""
        began = perf_counter()
        try:
            ok, found = await attempt()
        except (ModelError, UnreadableReply, LimitReached) as error:
            ok, found = False, " ".join(str(error).split()).removeprefix(f"planner: {self.about}: ")
        return Finding(name, ok, found, round(perf_counter() - began, 2))

    async def _text(self) -> tuple[bool, str]:
        reply = await self._ask(Turn(speaker="user", text="Answer with the one word: ready"))
        return True, f"it answers {in_brief(reply)}"

    async def _picture(self) -> tuple[bool, str]:
        image = self.keep(Pil.new("RGB", (320, 240), (220, 20, 20)))
        question = "What colour is this picture? Answer with one word."
        reply = await self._ask(Turn(speaker="user", text=question, pictures=(image,)))
        return "red" in reply.lower(), f"a red picture is called {in_brief(reply)}"

    async def _structured(self) -> tuple[bool, str]:
        ask = f"Give the fruit apple and the number 7 as one JSON object, by this schema: {json.dumps(SCHEMA)}"
        reply = await self._ask(Turn(speaker="user", text=ask), schema=True)
        fields = {key.lower(): value for key, value in one_object(reply).items()}
        how = {"schema": "held to a schema", "object": "asked for JSON", "none": "asked in words alone"}
        held = how[self._model.service.shape.schema] if isinstance(self._model, ServiceModel) else "asked in words"
        return str(fields.get("number")) == "7", f"{held}, it answers {in_brief(reply)}"

    async def _point(self) -> tuple[bool, str]:
        picture = Pil.new("RGB", SCREEN, (240, 240, 240))
        picture.paste((20, 60, 220), (BUTTON.left, BUTTON.top, BUTTON.right, BUTTON.bottom))
        parts = (
            SubtaskPart(text="the blue rectangle", application="trial"),
            PicturePart(image=self.keep(picture)),
        )
        reply = await self.asked(GroundReply(self._pointing).compose("grounder", parts))
        wanted = f"the rectangle lies at {BUTTON.left}..{BUTTON.right}, {BUTTON.top}..{BUTTON.bottom}"
        try:
            point = pixel_of(reply, self._pointing)
        except UnreadableReply as error:
            return False, f"{' '.join(str(error).split())}; {wanted}{_hint(reply)}"
        if point is None:
            return False, f"it does not point at one place but answers {in_brief(reply.text)}"
        hit = BUTTON.holds(point)
        return hit, f"it points at pixel {point.x}, {point.y}; {wanted}{'' if hit else _hint(reply)}"

    async def _ask(self, turn: Turn, *, schema: bool = False) -> str:
        request = ModelRequest(role="planner", turns=(turn,), reply_schema=SCHEMA if schema else None)
        return (await self.asked(request)).text

    async def asked(self, request: ModelRequest) -> Reply:
        """Put one request; raises as a model."""
        reply = await self._model.ask(request, self._album)
        self.used += reply.usage
        return reply

    def keep(self, picture: Pil.Image) -> Image:
        """Keep a picture, so that a request can show it."""
        file = io.BytesIO()
        picture.save(file, "png")
        return Image(sha256=self._album.keep(file.getvalue()), size=Size(*picture.size))


def pixel_of(reply: Reply, family: Family) -> Point | None:
    """Give the pixel that a reply points at; raises UnreadableReply."""
    match GroundReply(family).parse("grounder", reply, Frame(SCREEN, SCREEN)):
        case AppDecision(actions=(Click(target=At(point=point)),)):
            return point
    return None


def _hint(reply: Reply) -> str:
    """Say in which space the reply would be right, when in one."""
    for family in SPACES.values():
        with suppress(UnreadableReply):
            point = pixel_of(reply, family)
            if point is not None and BUTTON.holds(point):
                return f"; counted in {family.name} it would be right: set coordinates={family.name}"
    return ""


def in_brief(reply: str) -> str:
    """Quote a reply in one short line."""
    text = " ".join(reply.split())
    return repr(text if len(text) <= 80 else text[:79] + "…")
