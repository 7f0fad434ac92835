"""Holding a run: its user may want to look, or to put something right with their own hands."""

from __future__ import annotations

import math

import anyio


class Pause:
    """A switch that a run looks at before each step and each action. Not for other threads than the run's."""

    def __init__(self) -> None:
        self._over: anyio.Event | None = None
        self._clock: anyio.CancelScope | None = None
        self.seconds = 0.0
        """How long the run has been held, all in all."""

    @property
    def is_on(self) -> bool:
        return self._over is not None

    def begin(self) -> None:
        """Hold the run before its next step or action; what is under way comes to its end."""
        self._over = self._over or anyio.Event()

    def end(self) -> None:
        """Let it go on."""
        if self._over is not None:
            self._over.set()
        self._over = None

    def stops(self, clock: anyio.CancelScope) -> None:
        """Name the clock that stands still while the run is held."""
        self._clock = clock

    async def wait(self) -> None:
        """Wait until the run may go on; returns at once if it may. When cancelled, the pause stays."""
        while self._over is not None:
            began, clock = anyio.current_time(), self._clock
            deadline = clock.deadline if clock is not None else math.inf
            try:
                if clock is not None:
                    clock.deadline = math.inf
                await self._over.wait()
            finally:
                held = anyio.current_time() - began
                self.seconds += held
                if clock is not None:
                    clock.deadline = deadline + held
