"""The page of a benchmark: its figures, and each attempt with a link to the page of its run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from deskhand.bench.attempt import Attempt, Case
from deskhand.bench.summary import Summary, mean_of
from deskhand.bench.trying import RUN
from deskhand.viewer.markup import ENDING, beginning, tag, text
from deskhand.viewer.moments import duration
from deskhand.viewer.page import PAGE, put_page

COLOURS = {"right": "good", "open": "doubt", "wrong": "bad"}


def write_report(summary: Summary, attempts: Collection[Attempt], folder: Path) -> Path:
    """Write the page into the benchmark's folder; give its path.

    Raises:
        OSError: it cannot be written.
    """
    return put_page("".join(_document(summary, attempts, folder)), folder)


def percent(share: float | None) -> str:
    """Write a share as one would say it."""
    return "none" if share is None else f"{share:.1%}"


def _document(summary: Summary, attempts: Collection[Attempt], folder: Path) -> Iterator[str]:
    yield beginning(f"{summary.suite}: {percent(summary.mean)} - Deskhand")
    title = f"{summary.suite}: {summary.right} of {summary.attempts} attempts succeeded"
    note = tag("p", text(f"This is {summary.note}.")) if summary.note else ""
    yield tag("header", tag("h1", text(title)), note, _facts(summary))
    by_task = {task: [attempt for attempt in attempts if attempt.task == task] for task in summary.per_task}
    heads = (tag("th", text(name)) for name in ("Task", "Stood", "Run", "Steps", "Time", "Asked and answered"))
    rows = (row for those in by_task.values() for row in _rows(those, folder))
    yield tag("table", tag("tr", *heads), *rows)
    if summary.skipped:
        skipped = (tag("tr", tag("td", text(task)), tag("td", text(why))) for task, why in summary.skipped.items())
        yield tag("h2", "Can't be run here, and counts nowhere") + tag("table", *skipped)
    yield ENDING


def _facts(summary: Summary) -> str:
    facts = {
        "Mean": percent(summary.mean),
        "Gone through with": f"{percent(summary.coverage)}",
        "Of these right": f"{percent(summary.precision)} (wrong: {summary.wrong})",
        "Clauses acted on": _clauses(summary),
        "Left open": f"{summary.open}",
        "Still to be made": f"{summary.of - summary.attempts}",
        "Steps": f"{summary.steps}",
        "Time": duration(summary.seconds),
        "Cost": f"${summary.cost_usd:.4f}" if summary.cost_usd else "none",
        "Outcomes": ", ".join(f"{outcome} {count}" for outcome, count in summary.outcomes.items()),
    }
    facts |= {f"In {name}'s part": f"{percent(part.mean)} of {part.attempts}" for name, part in summary.parts.items()}
    pairs = (tag("div", tag("dt", text(name)), tag("dd", text(fact))) for name, fact in facts.items())
    return tag("dl", *pairs, class_="facts")


def _clauses(summary: Summary) -> str:
    if summary.clause_precision is None:
        return "none"
    least, most = summary.clause_precision
    return f"{summary.clauses}, right: {percent(least)}" + (f" to {percent(most)}" if most > least else "")


def _rows(attempts: list[Attempt], folder: Path) -> Iterator[str]:
    mean = f" {percent(mean_of(attempts))}" if len(attempts) > 1 else ""
    for number, attempt in enumerate(attempts):
        name = tag("b", text(f"{attempt.task}{mean}")) if not number else ""
        cells = (
            name,
            tag("span", text(f"{attempt.standing}, {attempt.reward:g}"), class_=COLOURS[attempt.standing]),
            _link(attempt, folder),
        )
        figures = (tag("td", text(figure), class_="number") for figure in (attempt.steps, duration(attempt.seconds)))
        said = tag("td", text(attempt.request), *(tag("p", text(line), class_="soft said") for line in _said(attempt)))
        yield tag("tr", *(tag("td", cell) for cell in cells), *figures, said)


def _link(attempt: Attempt, folder: Path) -> str:
    said = text(f"seed {attempt.seed}, {attempt.outcome.replace('_', ' ')}")
    page = Path(Case(attempt.task, attempt.seed).folder, RUN, PAGE)
    return tag("a", said, href=page.as_posix()) if (folder / page).is_file() else said


def _said(attempt: Attempt) -> Iterator[str]:
    yield from filter(None, (attempt.answer, attempt.reason))
