"""What a suite of tasks is made of: an attempt is set up, carried out, judged and cleaned away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from deskhand.core.ports import Device
from deskhand.core.value import Value


class Judged(Value):
    """What the judge of a task says of the state in which an attempt left it."""

    success: bool
    reward: float
    """What the suite's own judge gives; its range is the suite's."""
    reason: str = ""
    ended: bool = False
    """Whether what was done has brought the task to an end by itself, so that a failing reward means a wrong act."""


@dataclass(frozen=True)
class Posed:
    """A task that is set up: the device as the agent finds it, what it is asked, and the judge."""

    device: Device
    request: str
    check: Callable[[], Awaitable[Judged]]
    """Reads the files, settings or page that count, never what the agent says of itself."""
    seconds: float = 120
    steps: int = 40


class Suite(Protocol):
    """Tasks with set-up, request, limits, check and clean-up."""

    @property
    def name(self) -> str: ...

    @property
    def tasks(self) -> Sequence[str]:
        """The names of all tasks that can run here, in a fixed order."""

    @property
    def skipped(self) -> dict[str, str]:
        """The tasks that can't run here, each with why."""

    def posed(self, task: str, seed: int, folder: Path) -> AbstractAsyncContextManager[Posed]:
        """Set one attempt up; `folder` is the attempt's own and stays. Leaving the block cleans up.

        Raises:
            DeskhandError: it can't be set up; that is the attempt's result.
        """


@runtime_checkable
class Keeping(Protocol):
    """A suite that keeps something open, such as a device, for all attempts that one job makes in turn."""

    def kept(self) -> AbstractAsyncContextManager[Suite]:
        """Open it for one job; leaving the block closes it. After an attempt that went wrong it is opened anew.

        Raises:
            DeskhandError: it can't be opened; that is the result of the attempt it was opened for.
        """
