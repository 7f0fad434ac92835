"""A heartbeat of 10 ms beside the first and later calls of a model: `python -m benchmarks.heartbeat SPEC URL`.

Prints how many milliseconds the worst beat was late.
"""

from __future__ import annotations

import random
import sys
from io import BytesIO

import anyio
from PIL import Image as Pil

from deskhand.core.geometry import Size
from deskhand.core.message import ModelRequest, Turn
from deskhand.core.observation import Image
from deskhand.journal.memory import MemoryJournal
from deskhand.models.factory import opened
from deskhand.models.options import ModelSettings
from deskhand.wiring import make_model

BEAT = 0.010
CALLS = 4
PICTURES = 3


def screen(album: MemoryJournal, seed: int) -> Image:
    """Keep a picture of a full screen, of about a megabyte."""
    size = Size(1920, 1080)
    picture = Pil.new("RGB", size, (250, 250, 250))
    noise = Pil.frombytes("RGB", (640, 480), random.Random(seed).randbytes(640 * 480 * 3))
    picture.paste(noise, (100 + seed, 100))
    file = BytesIO()
    picture.save(file, "png", compress_level=1)
    return Image(sha256=album.keep(file.getvalue()), size=size)


async def worst_beat(spec: str, url: str) -> float:
    """Give how late the worst beat was, in seconds."""
    album = MemoryJournal()
    turn = Turn(speaker="user", text="what now? " * 2000, pictures=tuple(screen(album, i) for i in range(PICTURES)))
    request = ModelRequest(role="planner", system="be brief", turns=(turn,))
    model = make_model(spec, ModelSettings(base_url=url))
    worst = 0.0

    async def beat() -> None:
        nonlocal worst
        while True:
            began = anyio.current_time()
            await anyio.sleep(BEAT)
            worst = max(worst, anyio.current_time() - began - BEAT)

    async with opened([model]), anyio.create_task_group() as group:
        group.start_soon(beat)
        for _ in range(CALLS):
            await model.ask(request, album)
        group.cancel_scope.cancel()
    return worst


if __name__ == "__main__":
    spec, url = sys.argv[1:]
    print(anyio.run(worst_beat, spec, url) * 1000)
