"""A suite whose tasks are sentences for `tests.desks:Obedient`, by the name that commands know: `tests.benched:Toy`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from deskhand.bench.suite import Judged, Posed, Suite
from deskhand.core.errors import DeviceError
from deskhand.testing import PaperDesk

TASKS = ("write a", "write nothing", "write amiss", "ask first", "fail it", "break it", "hang on", "unset", "unjudged")


class Toy:
    """Writing `a` is right; each job keeps a desk, and `opened` counts them. `broken` desks can't be opened."""

    name = "toy"

    def __init__(
        self, settings: Any = None, folder: str = "", *, tasks: Sequence[str] = TASKS, broken: int = 0
    ) -> None:
        self.tasks, self.skipped = tasks, {"write blood": "there is none here"}
        self.opened = 0
        self.broken = broken

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[Suite]:
        self.opened += 1
        if self.opened <= self.broken:
            raise DeviceError("the desk does not come up")
        yield self

    @asynccontextmanager
    async def posed(self, task: str, seed: int, folder: Path) -> AsyncIterator[Posed]:
        if task == "unset":
            raise DeviceError("the desk has no leg")
        (folder / "set-up").touch(exist_ok=False)
        desk = PaperDesk()

        async def check() -> Judged:
            if task == "unjudged":
                raise ValueError("the judge is ill")
            written = [window.text for window in desk.windows]
            right = "write a" in written
            return Judged(success=right, reward=float(right), ended=task == "write amiss")

        yield Posed(desk, task, check, seconds=0.5 if task == "hang on" else 30, steps=20)
