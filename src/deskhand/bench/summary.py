"""What many attempts come to: nothing that was attempted drops out of a mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from deskhand.bench.attempt import Attempt
from deskhand.core.value import Value

ENDS = ("right", "wrong")
"""How attempts stand in which the agent went through with something."""


class Part(Value):
    """A part of a suite that others report on."""

    tasks: int
    attempts: int
    mean: float | None


class Summary(Value):
    """The figures of a benchmark."""

    suite: str
    attempts: int
    of: int
    """How many there are to make; less have been made when it was cut off."""
    mean: float | None
    """The share of attempts that succeeded; None where there are none."""
    per_task: dict[str, float]
    right: int
    wrong: int
    open: int
    coverage: float | None
    """The share of attempts in which the agent went through with something, right or wrong."""
    precision: float | None
    """The share of those that was right."""
    clauses: int
    """Clauses acted on in those: with models of language, steps in which something was done."""
    clause_precision: tuple[float, float] | None
    """Between which shares of them were right: judges only tell that something in an attempt was wrong, not what."""
    outcomes: dict[str, int]
    steps: int
    seconds: float
    """Of all attempts together, also where some ran at the same time."""
    cost_usd: float
    parts: dict[str, Part]
    skipped: dict[str, str]
    """The tasks of the suite that can't run here, and why; they are not in the mean."""
    note: str = ""
    """What must be said wherever these figures stand."""


def summed_up(
    suite: str,
    attempts: Collection[Attempt],
    of: int,
    skipped: Mapping[str, str],
    parts: Mapping[str, frozenset[str]],
) -> Summary:
    """Sum attempts up; `parts` says by name which tasks each leaves out."""
    standings = [attempt.standing for attempt in attempts]
    right, wrong = standings.count("right"), standings.count("wrong")
    outcomes: dict[str, int] = defaultdict(int)
    by_task: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        outcomes[attempt.outcome] += 1
        by_task[attempt.task].append(attempt)
    return Summary(
        suite=suite,
        attempts=len(attempts),
        of=of,
        mean=_share(right, len(attempts)),
        per_task={task: mean for task, those in by_task.items() if (mean := mean_of(those)) is not None},
        right=right,
        wrong=wrong,
        open=standings.count("open"),
        coverage=_share(right + wrong, len(attempts)),
        precision=_share(right, right + wrong),
        clauses=sum(attempt.clauses for attempt in attempts if attempt.standing != "open"),
        clause_precision=_by_clause(attempts),
        outcomes=dict(outcomes),
        steps=sum(attempt.steps for attempt in attempts),
        seconds=round(sum(attempt.seconds for attempt in attempts), 1),
        cost_usd=round(sum(attempt.cost_usd for attempt in attempts), 6),
        parts={name: _part(attempts, left_out) for name, left_out in parts.items()},
        skipped=dict(skipped),
    )


def mean_of(attempts: Iterable[Attempt]) -> float | None:
    """Give the share of attempts that succeeded; None where there are none."""
    successes = [attempt.success for attempt in attempts]
    return _share(sum(successes), len(successes))


def _by_clause(attempts: Collection[Attempt]) -> tuple[float, float] | None:
    """Give the least and the greatest share of clauses that was right: all of a wrong attempt were wrong, or one."""
    acted = {standing: [a.clauses for a in attempts if a.clauses and a.standing == standing] for standing in ENDS}
    total, wrong = sum(map(sum, acted.values())), acted["wrong"]
    return (round(1 - sum(wrong) / total, 4), round(1 - len(wrong) / total, 4)) if total else None


def _part(attempts: Iterable[Attempt], left_out: frozenset[str]) -> Part:
    inside = [attempt for attempt in attempts if attempt.task not in left_out]
    return Part(tasks=len({attempt.task for attempt in inside}), attempts=len(inside), mean=mean_of(inside))


def _share(some: int, of: int) -> float | None:
    return round(some / of, 4) if of else None
