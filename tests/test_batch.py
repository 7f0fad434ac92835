"""Batches: a run a plan or row, none of them twice, and what came of them."""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

import deskhand as public
from deskhand.batch.batch import Batch, JobReport, plans_in
from deskhand.batch.job import Job
from deskhand.core.errors import SettingsError
from deskhand.core.event import ActionStarted, Record
from deskhand.core.status import RunOutcome
from deskhand.session.pool import SessionPool
from deskhand.session.session import SessionResult
from deskhand.settings import Settings
from tests.command import deskhand
from tests.desks import DEVICE, MODEL
from tests.running import commands, until

SETTINGS = Settings(device=DEVICE, model=MODEL)
PAPER = ("--device", DEVICE, "--model", MODEL)


def run(batch: Batch, jobs: int = 1) -> list[JobReport]:
    return anyio.run(batch.run, jobs)


def outcomes(reports: Sequence[JobReport]) -> list[tuple[str, str | None, bool]]:
    return [(r.name, r.outcome, r.before) for r in reports]


def plans(folder: Path, **tasks: Any) -> Path:
    folder.mkdir(exist_ok=True)
    for name, task in tasks.items():
        plan = task if isinstance(task, dict) else {"task": task}
        (folder / f"{name}.json").write_text(json.dumps(plan))
    return folder


def acts(folder: Path) -> int:
    """How many actions were begun in all runs below a folder."""
    runs = [path.parent for path in folder.rglob("events.jsonl")]
    return sum(isinstance(r.event, ActionStarted) for run in runs for r in public.read_records(run))


def test_each_plan_is_a_run_and_a_failing_one_does_not_stop_the_others(tmp_path: Path) -> None:
    steps = {"task": "two", "steps": ["write a", "write b"], "object": "editor"}
    jobs = plans_in(plans(tmp_path / "plans", b="break it", a="write a", c=steps, d="fail it"))

    reports = run(Batch(jobs, tmp_path / "runs", SETTINGS))

    assert outcomes(reports) == [
        ("a", RunOutcome.FINISHED, False),
        ("b", RunOutcome.ERROR, False),
        ("c", RunOutcome.FINISHED, False),
        ("d", RunOutcome.FAILED, False),
    ]
    assert len({r.run_dir for r in reports}) == 4
    assert all(Path(r.run_dir or "", "index.html").exists() for r in reports)
    assert "somebody else" in (reports[1].answer or "")


def test_what_is_over_is_not_done_again_unless_it_failed_and_that_is_wanted(tmp_path: Path) -> None:
    jobs = plans_in(plans(tmp_path / "plans", a="write a", b="fail it"))
    run(Batch(jobs, tmp_path / "runs", SETTINGS))
    done = acts(tmp_path)

    again = run(Batch(jobs, tmp_path / "runs", SETTINGS))
    assert outcomes(again) == [("a", RunOutcome.FINISHED, True), ("b", RunOutcome.FAILED, True)]
    assert acts(tmp_path) == done

    retried = run(Batch(jobs, tmp_path / "runs", SETTINGS, retry=True))
    assert outcomes(retried) == [("a", RunOutcome.FINISHED, True), ("b", RunOutcome.FAILED, False)]
    assert retried[1].run_dir != again[1].run_dir


def test_a_plan_that_was_changed_is_another_job(tmp_path: Path) -> None:
    folder = plans(tmp_path / "plans", a="write a")
    run(Batch(plans_in(folder), tmp_path / "runs", SETTINGS))
    plans(folder, a="write b")

    assert outcomes(run(Batch(plans_in(folder), tmp_path / "runs", SETTINGS))) == [("a", RunOutcome.FINISHED, False)]


def test_what_was_cut_off_goes_on_and_what_had_not_begun_begins(tmp_path: Path) -> None:
    steps = {"task": "two", "steps": ["write a", "write b"], "object": "editor"}
    jobs = plans_in(plans(tmp_path / "plans", a="write a", b=steps, c="write c"))
    batch = Batch(jobs, tmp_path / "runs", SETTINGS)

    async def cut_off() -> None:
        with anyio.CancelScope() as scope:

            def cut(record: Record) -> None:
                if record.event.kind == "round.started" and record.scope.round == 2:
                    scope.cancel()

            batch.listeners = lambda _job: [cut]
            await batch.run()

    anyio.run(cut_off)
    assert outcomes(batch.reports()) == [
        ("a", RunOutcome.FINISHED, False),
        ("b", RunOutcome.INTERRUPTED, False),
        ("c", None, False),
    ]
    again = run(Batch(jobs, tmp_path / "runs", SETTINGS))
    assert [r.outcome for r in again] == [RunOutcome.FINISHED] * 3
    assert [r.before for r in again] == [True, False, False]
    assert again[1].run_dir == batch.reports()[1].run_dir
    rounds = public.View.of(public.read_records(Path(again[1].run_dir or ""))).rounds
    assert [r.request for r in rounds] == ["write a", "write b"]


def test_several_run_at_a_time_on_devices_of_their_own(tmp_path: Path) -> None:
    jobs = [Job(f"j{number}", "ask me") for number in range(4)]
    together = 0

    class Waits:
        """Answers when two have asked."""

        both = anyio.Event()

        async def next_request(self) -> str | None:
            return None

        async def confirm(self, question: str) -> bool | None:
            return None

        async def answer(self, question: str) -> str:
            nonlocal together
            together += 1
            if together >= 2:
                self.both.set()
            with anyio.fail_after(10):
                await self.both.wait()
            return "blue"

    reports = run(Batch(jobs, tmp_path / "runs", SETTINGS, user=Waits()), 2)

    assert [r.outcome for r in reports] == [RunOutcome.FINISHED] * 4


def test_a_pool_gives_results_in_order_and_errors_in_their_places() -> None:
    class One:
        def __init__(self, answer: str, *, broken: bool = False) -> None:
            self.answer, self.broken = answer, broken

        async def run(self) -> SessionResult:
            if self.broken:
                raise ValueError(self.answer)
            view = public.View(outcome=RunOutcome.FINISHED, answer=self.answer)
            return SessionResult.of(view, 0)

    results = anyio.run(SessionPool([One("a"), One("b", broken=True), One("c")], jobs=3).run_all)

    assert [r.answer if isinstance(r, SessionResult) else str(r) for r in results] == ["a", "b", "c"]
    assert anyio.run(SessionPool([]).run_all) == []


def test_a_batch_that_is_worked_on_is_not_begun_a_second_time(tmp_path: Path) -> None:
    first, second = (Batch([Job("a", "hang")], tmp_path / "runs", SETTINGS) for _ in range(2))
    begun = anyio.Event()
    first.listeners = lambda _job: [lambda _record: begun.set()]

    async def scene() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            await begun.wait()
            with pytest.raises(SettingsError, match="another deskhand"):
                await second.run()
            group.cancel_scope.cancel()

    anyio.run(scene)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no plan"),
        ({"a.txt": "{}"}, "no plan"),
        ({"a.json": "{"}, "a.json"),
        ({"a.json": '{"task": "t", "steps": []}'}, "from 1 to"),
        ({"a.json": '{"task": "t"}', "A.JSON": '{"task": "t"}'}, "two plans"),
        ({"a.json": '{"task": "t"}', "b.json": "[]"}, "b.json"),
    ],
)
def test_a_folder_that_is_no_batch_says_what_is_wrong(files: dict[str, str], said: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    with pytest.raises(SettingsError, match=said):
        plans_in(tmp_path)


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(SettingsError, match="something else"):
        run(Batch([Job("a", "write a")], tmp_path, SETTINGS))
    run(Batch([Job("a", "write a")], tmp_path / "runs", SETTINGS, of="this"))
    with pytest.raises(SettingsError, match="another batch"):
        run(Batch([Job("a", "write a")], tmp_path / "runs", SETTINGS, of="that"))


def test_a_batch_that_is_killed_goes_on_with_the_same_command(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("what\nwrite a\nhang\nwrite c\n")
    words = ("run", "{what}", "--rows", "rows.csv", *PAPER, "--run-dir", "runs")
    with commands(tmp_path) as begin:
        first = begin(*words)
        until(lambda: any("hang" in p.read_text() for p in tmp_path.glob("runs/row-3-*/events.jsonl")))
        first.ends(signal.SIGKILL)
        second = begin(*words)
        until(lambda: any("resumed" in p.read_text() for p in tmp_path.glob("runs/row-3-*/events.jsonl")))
        code, seconds, out, err = second.ends(signal.SIGINT)
    assert (code, seconds < 2.5) == (130, True), err
    lines = out.splitlines()
    assert lines[0].startswith("row-2: finished (before): wrote")
    assert lines[1:3] == ["row-3: interrupted", "row-4: not begun"]
    assert lines[-1] == "go on with the same command"
    copy = (tmp_path / "rows.results.csv").read_text().splitlines()
    assert [line.split(",")[1] for line in copy] == ["deskhand_outcome", "finished", "interrupted", "not begun"]
    kinds = [r.event.kind for run in tmp_path.glob("runs/row-3-*") for r in public.read_records(run)]
    assert (kinds.count("session.started"), kinds.count("session.resumed"), kinds[-1]) == (1, 1, "session.ended")


def test_the_report_says_what_came_of_each_and_the_exit_code_whether_all_is_well(tmp_path: Path) -> None:
    plans(tmp_path / "plans", a="write a", b="fail it")

    done = deskhand("run", "--plan", "plans", *PAPER, "--json", "--jobs", "2", home=tmp_path)

    said = json.loads(done.stdout)
    assert (done.returncode, said["finished"], said["of"], said["results"]) == (1, 1, 2, None), done.stderr
    assert [(job["name"], job["outcome"]) for job in said["jobs"]] == [("a", "finished"), ("b", "failed")]
    (tmp_path / "plans" / "b.json").unlink()
    plans(tmp_path / "plans", c="write c")
    again = deskhand("run", "--mode", "batch", "--plan", "plans", *PAPER, "--events", home=tmp_path)
    assert again.returncode == 0
    assert "a: finished (before)" in again.stderr
    records = [json.loads(line) for line in again.stdout.splitlines()]
    assert {record.pop("job") for record in records} == {"c"}
    assert [public.Record.model_validate(r).seq for r in records] == list(range(1, len(records) + 1))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mode", "batch", "write a"], "--plan FOLDER"),
        (["--rows", "rows.csv"], "either a request"),
        (["--rows", "rows.csv", "write {what}", "--mode", "follower"], "--mode follower"),
        (["--rows", "rows.csv", "write {what}", "--jobs", "2", "--device", "linux"], "a device for each"),
        (["--rows", "rows.csv", "write {what}", "--events", "--json"], "both want stdout"),
    ],
)
def test_options_of_a_batch_that_do_not_fit_say_so(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("what\na\n")

    done = deskhand("run", *words, home=tmp_path)

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert said in done.stderr
