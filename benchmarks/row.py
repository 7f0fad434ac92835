"""One figure that is measured, held against its goal."""

from __future__ import annotations

import statistics
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypedDict

from benchmarks.peers import titled


class Beside(TypedDict, total=False):
    """What came of one peer."""

    name: str
    value: float
    ok: bool
    why: str
    """What went wrong."""


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
    """The best of `peers`."""
    peer_value: float
    peer_ok: bool
    peers: list[Beside]
    error: str


@dataclass(frozen=True)
class Peer:
    """Another program doing the same beside ours."""

    package: str
    """Its line of peers.txt, whose version is put behind the name; anything else is the whole name."""
    measure: Callable[[], Iterable[float]]
    """Gives its figures; none when it got it wrong."""
    how: str = ""
    """Put behind name and version, where a package can do it in more than one way."""

    def run(self) -> Beside:
        try:
            figures, why = list(self.measure()), "got it wrong"
        # A peer that cannot be had, breaks or hangs must not cost our own figure.
        except (OSError, LookupError, ValueError, AssertionError, subprocess.SubprocessError) as error:
            figures, why = [], _last_line(error)
        name = f"{titled(self.package)} {self.how}".strip()
        if not figures:
            return Beside(name=name, ok=False, why=why)
        return Beside(name=name, value=_short(statistics.median(figures)), ok=True)


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
    peers: tuple[Peer, ...] = ()

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
        found = [peer.run() for peer in self.peers]
        if not found:
            return Result()
        right = [each for each in found if each["ok"]]
        if not right:
            return Result(peer=found[0]["name"], peer_ok=False, peers=found)
        best = min(right, key=lambda each: each["value"])
        return Result(peer=best["name"], peer_value=best["value"], peer_ok=True, peers=found)


def _last_line(error: Exception) -> str:
    said = (error.stderr or b"").decode(errors="replace") if isinstance(error, subprocess.CalledProcessError) else ""
    return said.strip().rpartition("\n")[2] or f"{type(error).__name__}: {error}"


def _short(figure: float) -> float:
    return float(f"{figure:.4g}")
