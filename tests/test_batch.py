"""Batches: a run a plan or row, none of them twice, and what came of them."""

from __future__ import annotations

import json
import signal
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import openpyxl  # type: ignore[import-untyped]  # it says nothing of its types
import pytest

import deskhand as public
from deskhand.batch.batch import Batch, JobReport, plans_in
from deskhand.batch.job import Job
from deskhand.batch.table import RESULTS, jobs_of, read_table, write_results
from deskhand.core.errors import SettingsError
from deskhand.core.event import ActionStarted, Record
from deskhand.core.plan import Plan
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


TABLE = 'name;text\r\nAnna;"a;\r\nb"\r\n\r\nBert;\r\nÇa;{{secret:pin}}\r\n'


def test_rows_fill_placeholders_and_one_without_its_value_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE, newline="")
    plan = Plan(task="for {name}", steps=("write {text} {{secret:pin}}",), object="{name}")

    jobs = jobs_of(plan, read_table(path), path)

    assert [(j.name, j.trouble) for j in jobs] == [
        ("row-2", ""),
        ("row-4", "row 4 has no value for {text}"),
        ("row-5", "row 5 names a secret; only the request itself may"),
    ]
    filled = Plan(task="for Anna", steps=("write a;\r\nb {{secret:pin}}",), object="Anna")
    assert jobs[0].task == filled


def test_braces_in_a_value_are_not_filled_in_again(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n{b},x\n")

    assert jobs_of("write {a} {b}", read_table(path), path)[0].task == "write {b} x"


@pytest.mark.parametrize(
    ("text", "request_", "said"),
    [
        ("a,b\n1,2\n", "write it", "no {placeholder}"),
        ("a,b\n1,2\n", "write {c}", "no column 'c'"),
        ("a,b\n", "write {a}", "no rows"),
        ("", "write {a}", "is empty"),
        ("\n\n", "write {a}", "is empty"),
        ("a,a\n1,2\n", "write {a}", "two columns"),
        ("a,b\n1,2,3\n", "write {a}", "row 2 has 3 cells"),
        ('a,b\n"1,2\n', "write {a}", "no CSV"),
        ("a\n" + "x" * 200_000, "write {a}", "no CSV"),
    ],
)
def test_a_table_that_does_not_fit_says_what_is_wrong(text: str, request_: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)

    with pytest.raises(SettingsError, match=said):
        jobs_of(request_, read_table(path), path)


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx", "t.ods", "none.csv"])
def test_what_is_no_table_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if not name.startswith("none"):
        path.write_bytes("näh\nä".encode("latin-1"))

    with pytest.raises(SettingsError, match=name):
        read_table(path)


def test_results_stand_beside_the_rows_in_a_copy_that_is_a_csv_like_the_first(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    before = path.read_bytes()
    added = {2: ("finished", "=HYPERLINK(1)", "/runs/1"), 4: ("failed", "-5", ""), 5: ("not begun", "", "")}

    copy = write_results(read_table(path), path, added, tmp_path / "otherwise")

    assert copy == tmp_path / "t.results.csv"
    assert path.read_bytes() == before
    assert copy.read_bytes().decode("utf-8") == (
        "\ufeffname;text;deskhand_outcome;deskhand_answer;deskhand_run\r\n"
        'Anna;"a;\r\nb";finished;\'=HYPERLINK(1);/runs/1\r\n'
        "\r\n"
        "Bert;;failed;-5;\r\n"
        "Ça;{{secret:pin}};not begun;;\r\n"
    )
    again = write_results(read_table(copy), copy, {2: ("failed", "", "")}, tmp_path)
    assert again.read_text().splitlines()[0].count("deskhand_outcome") == 1


def test_a_file_that_happens_to_have_the_name_of_the_copy_is_not_replaced(tmp_path: Path) -> None:
    path, other = tmp_path / "t.csv", tmp_path / "t.results.csv"
    path.write_text("a\n1\n")
    other.write_text("mine\n1\n")

    copy = write_results(read_table(path), path, {2: ("finished", "", "")}, tmp_path)

    assert (copy.name, other.read_text()) == ("t.results-2.csv", "mine\n1\n")
    assert write_results(read_table(path), path, {2: ("failed", "", "")}, tmp_path) == copy
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.results-2.csv", "t.results.csv"]


def a_workbook(path: Path, *rows: Sequence[object]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.active["A1"].font = openpyxl.styles.Font(bold=True)
    book.save(path)
    return path


def test_a_workbook_is_read_and_its_copy_keeps_what_it_looks_like(tmp_path: Path) -> None:
    path = a_workbook(tmp_path / "t.xlsx", ["name", "count", None], ["Anna", 3.0, "note"], [], ["Bert", True])
    before = path.read_bytes()
    table = read_table(path)

    assert [j.task for j in jobs_of("{name} {count}", table, path)] == ["Anna 3", "Bert TRUE"]
    copy = write_results(table, path, {2: ("finished", "=1+1", "x\x00y"), 4: ("failed", "", "")}, tmp_path)

    assert path.read_bytes() == before
    sheet = openpyxl.load_workbook(copy).active
    assert [c.value for c in sheet[1]] == ["name", "count", None, *RESULTS]
    assert [c.value for c in sheet[2]] == ["Anna", 3, "note", "finished", "=1+1", "x\ufffdy"]
    assert sheet["E2"].data_type == "s"
    assert sheet["A1"].font.bold


def test_a_broken_or_locked_or_swollen_workbook_says_so(tmp_path: Path) -> None:
    good = a_workbook(tmp_path / "good.xlsx", ["a"], [1]).read_bytes()
    cases = {"cut.xlsx": good[: len(good) // 2], "locked.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4096)}
    for name, data in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SettingsError, match="broken, or locked"):
            read_table(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "zip.xlsx", "w") as packed:
        packed.writestr("a", "b")
    with pytest.raises(SettingsError, match="no XLSX workbook"):
        read_table(tmp_path / "zip.xlsx")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed, packed.open("a", "w") as file:
        for _ in range(101):
            file.write(bytes(1 << 20))
    with pytest.raises(SettingsError, match="unpacks to"):
        read_table(tmp_path / "bomb.xlsx")


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
    again = deskhand("run", "--mode", "batch", "--plan", "plans", *PAPER, home=tmp_path)
    assert again.returncode == 0
    assert again.stdout.startswith("a: finished (before)")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mode", "batch", "write a"], "--plan FOLDER"),
        (["--rows", "rows.csv"], "either a request"),
        (["--rows", "rows.csv", "write {what}", "--mode", "follower"], "--mode follower"),
        (["--rows", "rows.csv", "write {what}", "--jobs", "2", "--device", "linux"], "a device for each"),
        (["--rows", "rows.csv", "write {what}", "--events"], "one session"),
    ],
)
def test_options_of_a_batch_that_do_not_fit_say_so(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("what\na\n")

    done = deskhand("run", *words, home=tmp_path)

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert said in done.stderr
