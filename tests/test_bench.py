"""Benchmarks: every attempt has a result, counts once, and is made once."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import anyio
import pytest

from deskhand.bench.attempt import Attempt, Case
from deskhand.bench.bench import Bench
from deskhand.bench.suites import chosen_seeds, chosen_tasks
from deskhand.bench.summary import Summary, summed_up
from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.status import RunOutcome
from deskhand.settings import Settings
from tests.benched import TASKS, Toy
from tests.command import deskhand
from tests.desks import DEVICE, MODEL
from tests.running import commands, until

SETTINGS = Settings(device=DEVICE, model=MODEL)


def bench(suite: Toy, folder: Path, settings: Settings = SETTINGS) -> Bench:
    return Bench(suite, [Case(task, 0) for task in suite.tasks], folder, settings)


def made(suite: Toy, folder: Path, jobs: int = 1) -> dict[str, Attempt]:
    ready = bench(suite, folder)
    anyio.run(ready.run, jobs)
    return {case.task: attempt for case, attempt in ready.attempts.items()}


@pytest.mark.parametrize("jobs", [1, 3])
def test_whatever_becomes_of_an_attempt_is_its_result_and_counts(tmp_path: Path, jobs: int) -> None:
    attempts = made(suite := Toy(), tmp_path / "out", jobs)

    assert {task: (a.outcome, a.standing) for task, a in attempts.items()} == {
        "write a": (RunOutcome.FINISHED, "right"),
        "write nothing": (RunOutcome.FINISHED, "wrong"),
        "write amiss": (RunOutcome.FINISHED, "wrong"),
        "ask first": (RunOutcome.NEEDS_USER, "open"),
        "fail it": (RunOutcome.FAILED, "open"),
        "break it": (RunOutcome.ERROR, "open"),
        "hang on": (RunOutcome.LIMIT, "open"),
        "unset": (RunOutcome.ERROR, "open"),
        "unjudged": (RunOutcome.ERROR, "open"),
    }
    assert "the desk has no leg" in attempts["unset"].reason
    assert "judging: ValueError: the judge is ill" in attempts["unjudged"].reason
    assert suite.opened >= 3  # anew after each that went wrong on the device
    summary = summed_up("toy", list(attempts.values()), len(TASKS), suite.skipped, {"good": frozenset({"write amiss"})})
    assert (summary.attempts, summary.mean) == (9, round(1 / 9, 4))
    assert (summary.coverage, summary.precision, summary.open) == (round(3 / 9, 4), round(1 / 3, 4), 6)
    assert (summary.clauses, summary.clause_precision) == (3, (round(1 / 3, 4), round(1 / 3, 4)))
    assert (summary.parts["good"].attempts, summary.parts["good"].mean) == (8, 1 / 8)


def test_precision_by_clause_lies_between_all_and_one_of_a_wrong_attempt_being_wrong() -> None:
    right = Attempt(task="a", seed=0, standing="right", clauses=6)
    wrong, asked = (right.model_copy(update={"standing": standing, "clauses": 3}) for standing in ("wrong", "open"))

    summary = summed_up("toy", [right, wrong, wrong, asked], 4, {}, {})

    assert (summary.clauses, summary.clause_precision) == (12, (0.5, round(10 / 12, 4)))
    assert summed_up("toy", [asked], 1, {}, {}).clause_precision is None


def test_a_device_that_does_not_come_up_costs_one_attempt(tmp_path: Path) -> None:
    attempts = made(Toy(tasks=("write a", "write it"), broken=1), tmp_path / "out")

    assert [a.outcome for a in attempts.values()] == [RunOutcome.ERROR, RunOutcome.FINISHED]
    assert "does not come up" in attempts["write a"].reason


def test_an_attempt_that_is_over_stays_and_a_half_one_is_made_anew(tmp_path: Path) -> None:
    made(Toy(tasks=("write a", "write b")), tmp_path)
    first, second = tmp_path / Case("write a", 0).folder, tmp_path / Case("write b", 0).folder
    (second / "attempt.json").unlink()
    before = (first / "run" / "events.jsonl").stat()

    attempts = made(Toy(tasks=("write a", "write b", "write c")), tmp_path)

    assert [a.before for a in attempts.values()] == [True, False, False]
    assert (first / "run" / "events.jsonl").stat() == before
    with pytest.raises(SettingsError, match="another benchmark's"):
        anyio.run(bench(Toy(), tmp_path, SETTINGS.model_copy(update={"device": "linux:virtual"})).run)
    (first / "attempt.json").write_text("{}")
    with pytest.raises(JournalError, match="done anew"):
        made(Toy(tasks=("write a",)), tmp_path)


def test_ctrl_c_says_how_far_it_came_and_how_to_go_on(tmp_path: Path) -> None:
    words = ("bench", "tests.benched:Toy", "--device", DEVICE, "--model", MODEL, "--out", "out", "--jobs", "1", "-c")
    with commands(tmp_path) as begin:
        running = begin(*words, "limits.seconds=60", "--tasks", "write a,hang on")
        until((tmp_path / "out" / Case("hang on", 0).folder / "run" / "events.jsonl").is_file, 40)

        busy = deskhand(*words, "limits.seconds=60", home=tmp_path)
        code, _, out, _ = running.ends(signal.SIGINT)

        assert (busy.returncode, "another deskhand works" in busy.stderr) == (2, True)
        assert code == 130
        assert "1 of 1 succeeded" in out
        assert f"go on with the same command and --out {tmp_path / 'out'}" in out
    ended = deskhand(*words, "limits.seconds=0.2", "--tasks", "write a,hang on", "--json", home=tmp_path)
    first, second, summary = map(json.loads, ended.stdout.splitlines())
    assert ended.returncode == 0
    assert (Attempt.model_validate(first).before, Attempt.model_validate(second).outcome) == (True, RunOutcome.LIMIT)
    broken = Attempt(task="write a", seed=0, reason="the desk broke").model_dump_json()
    (tmp_path / "out" / Case("write a", 0).folder / "attempt.json").write_text(broken)
    stays, again = (
        deskhand(*words, "limits.seconds=60", "--tasks", "write a", *retry, home=tmp_path)
        for retry in ((), ("--retry",))
    )
    assert (stays.returncode, "(before): the desk broke" in stays.stdout, "--retry" in stays.stdout) == (4, True, True)
    assert (again.returncode, "1 of 1 succeeded" in again.stdout) == (0, True)
    assert summary.keys() > Summary.model_fields.keys()
    assert (summary["attempts"], summary["mean"], summary["per_task"]) == (2, 0.5, {"write a": 1.0, "hang on": 0.0})
    page = (tmp_path / "out" / "index.html").read_text()
    assert f'href="{Case("write a", 0).folder}/run/index.html"' in page


@pytest.mark.parametrize(("wanted", "seeds"), [("0", [0]), ("0-2", [0, 1, 2]), ("3, 1-2,2", [3, 1, 2]), ("7-7", [7])])
def test_seeds_are_numbers_and_ranges(wanted: str, seeds: list[int]) -> None:
    assert chosen_seeds(wanted) == seeds


@pytest.mark.parametrize("wanted", ["", "-1", "2-1", "1-", "x", "1;2"])
def test_what_is_no_seed_is_said(wanted: str) -> None:
    with pytest.raises(SettingsError, match="0-4 or 0,3,7"):
        chosen_seeds(wanted)


def test_tasks_are_named_by_patterns_and_one_that_fits_nothing_is_said() -> None:
    assert chosen_tasks(Toy(), "write n*, unset,*it") == ["write nothing", "fail it", "break it", "unset"]
    assert chosen_tasks(Toy(), "") == list(TASKS)
    with pytest.raises(SettingsError, match="no such task here: there is none here"):
        chosen_tasks(Toy(), "write blood")
    with pytest.raises(SettingsError, match=r"no such task$"):
        chosen_tasks(Toy(), "write a,paint")
