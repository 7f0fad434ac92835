"""One figure that is measured, held against its goal."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypedDict


class Result(TypedDict, total=False):
    """One line of `make bench`; lower is better."""

    name: str
    ours: float | None
    unit: str
    goal: float
    ok: bool
    runs: int
    min: float
    max: float
    peer: str
    peer_value: float
    peer_ok: bool
    error: str


@dataclass(frozen=True)
class Peer:
    """Another program doing the same beside ours."""

    name: str
    measure: Callable[[], Iterable[float]]
    """Gives its figures; none when it got it wrong."""


@dataclass(frozen=True)
class Row:
    """What is measured: `measure` gives the figures of one trial, in `unit`."""

    name: str
    goal: float
    unit: str
    measure: Callable[[], Iterable[float]]
    group: str
    trials: int = 3
    """How often it is tried; the trial with the lowest median is judged."""
    peer: Peer | None = None

    def run(self) -> Result:
        trials = [sorted(self.measure()) for _ in range(self.trials)]
        best = min(trials, key=statistics.median)
        ours = statistics.median(best)
        result = Result(
            name=self.name,
            ours=_short(ours),
            unit=self.unit,
            goal=self.goal,
            ok=ours <= self.goal,
            runs=len(best),
            min=_short(best[0]),
            max=_short(best[-1]),
        )
        return result | self._beside()

    def failed(self, error: str) -> Result:
        """Give the row of a figure that could not be measured."""
        return Result(name=self.name, ours=None, unit=self.unit, goal=self.goal, ok=False, error=error)

    def _beside(self) -> Result:
        if self.peer is None:
            return Result()
        figures = list(self.peer.measure())
        if not figures:
            return Result(peer=self.peer.name, peer_ok=False)
        return Result(peer=self.peer.name, peer_value=_short(statistics.median(figures)), peer_ok=True)


def _short(figure: float) -> float:
    return float(f"{figure:.4g}")
