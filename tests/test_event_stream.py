"""Records for people who build on them: as lines, as a schema, as a page, and in scripts without coroutines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

import deskhand as public
from deskhand.core.event import SCHEMA, Record, SessionStarted
from deskhand.core.status import RunningMode
from deskhand.journal.file import FileJournal
from tests.command import ROOT, arguments, deskhand, environment
from tests.paper import app, context, one_subtask, session, write
from tests.running import commands, until


def a_run(folder: Path) -> Path:
    journal = FileJournal(folder)
    anyio.run(session(context(one_subtask(app("CONTINUE", write("a")), app("FINISH")), journal=journal)).run)
    journal.close()
    return folder


def test_the_first_record_says_which_schema_they_follow(tmp_path: Path) -> None:
    first = json.loads((a_run(tmp_path) / "events.jsonl").read_text().splitlines()[0])

    assert first["event"]["kind"] == "session.started"
    assert first["event"]["schema"] == SCHEMA
    assert "schema_version" not in first["event"]


def test_a_journal_from_before_schemas_is_read_and_one_of_a_later_schema_is_refused(tmp_path: Path) -> None:
    line = (a_run(tmp_path) / "events.jsonl").read_text().splitlines()[0]
    fields = json.loads(line)
    del fields["event"]["schema"]
    assert isinstance(Record.model_validate(fields).event, SessionStarted)

    (tmp_path / "events.jsonl").write_text(line.replace(f'"schema":{SCHEMA}', f'"schema":{SCHEMA + 1}') + "\n")
    done = deskhand("events", str(tmp_path), home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "another version" in done.stderr


def test_the_records_of_a_run_are_printed_as_they_are_written(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run")

    done = deskhand("events", str(run), home=tmp_path)

    assert done.returncode == 0
    assert done.stdout == (run / "events.jsonl").read_text()


def test_every_record_of_a_run_fits_the_schema_that_is_printed(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="comes with the extra mcp")
    schema = json.loads(deskhand("events", "--schema", home=tmp_path).stdout)
    check = jsonschema.Draft202012Validator(schema)

    for line in (a_run(tmp_path / "run") / "events.jsonl").read_text().splitlines():
        check.validate(json.loads(line))
    with pytest.raises(jsonschema.ValidationError):
        check.validate({"seq": 1, "time": 0, "scope": {}, "event": {"kind": "no such"}})


def test_the_page_of_events_says_what_their_module_says() -> None:
    made = subprocess.run([sys.executable, str(ROOT / "scripts" / "events_doc.py"), "--check"], check=False)

    assert made.returncode == 0, "run scripts/events_doc.py"


@pytest.mark.parametrize("words", [[], ["--schema", "run"], ["nothing-there"]])
def test_what_events_cannot_print_is_said(words: list[str], tmp_path: Path) -> None:
    done = deskhand("events", *words, home=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")


def test_with_events_nothing_else_is_on_stdout(tmp_path: Path) -> None:
    done = deskhand("run", "book me a flight", "--events", "--run-dir", "run", home=tmp_path)

    records = [Record.model_validate_json(line) for line in done.stdout.splitlines()]
    assert [r.seq for r in records] == list(range(1, len(records) + 1))
    assert [r.event.kind for r in records][-1] == "session.ended"
    assert done.returncode == 1
    assert "failed" in done.stderr
    assert done.stdout == (tmp_path / "run" / "events.jsonl").read_text()


def test_a_reader_that_never_reads_holds_up_no_run(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while os.write(writing, b"x" * 4096):
            pass
    except BlockingIOError:
        os.set_blocking(writing, True)
    words = arguments("run", "book me a flight", "--events", "--run-dir", "run")

    done = subprocess.run(
        words, env=environment(tmp_path), cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, timeout=40, check=False
    )

    os.close(reading)
    os.close(writing)
    assert done.returncode == 1, done.stderr
    assert [r.event.kind for r in public.read_records(tmp_path / "run")][-1] == "session.ended"


def test_a_reader_that_goes_away_ends_no_run(tmp_path: Path) -> None:
    with commands(tmp_path) as begin:
        run = begin("run", "book me a flight", "--events", "--run-dir", "run")
        assert run.process.stdout is not None
        run.process.stdout.close()
        assert run.process.wait(40) == 1
    assert [r.event.kind for r in public.read_records(tmp_path / "run")][-1] == "session.ended"


def test_a_script_and_a_notebook_need_no_coroutines(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "notebook.py"), str(tmp_path)],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )

    assert done.stdout.splitlines() == ["finished Hello open_app", "True 1"], done.stderr


def test_it_can_be_called_where_an_event_loop_already_runs(tmp_path: Path) -> None:
    settings = public.Settings(runs=str(tmp_path))

    async def cell() -> public.SessionResult:
        return public.run_sync("book me a flight", settings=settings)

    assert anyio.run(cell).outcome == "failed"


SCRIPT = """
import sys, deskhand
from tests.desks import DEVICE, MODEL
deskhand.run_sync("hang", settings=deskhand.Settings(device=DEVICE, model=MODEL), run_dir=sys.argv[1])
"""


def test_ctrl_c_in_a_script_interrupts_the_session_so_that_it_can_be_resumed(tmp_path: Path) -> None:
    run, events = tmp_path / "run", tmp_path / "run" / "events.jsonl"
    words = [sys.executable, "-c", SCRIPT, str(run)]
    with subprocess.Popen(words, env=environment(tmp_path), cwd=ROOT, stderr=subprocess.PIPE, text=True) as script:
        until(lambda: events.exists() and "model.asked" in events.read_text())
        script.send_signal(signal.SIGINT)
        _, said = script.communicate(timeout=10)

    assert said.rstrip().endswith("KeyboardInterrupt")
    assert [r.event.kind for r in public.read_records(run)][-1] == "session.ended"
    assert public.View.of(public.read_records(run)).outcome == "interrupted"


def test_an_error_is_raised_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(public.DeskhandError, match="empty"):
        public.run_sync(" ", settings=public.Settings(runs=str(tmp_path)))


def test_the_mode_and_the_request_of_a_session_stand_in_its_first_record(tmp_path: Path) -> None:
    first = next(iter(public.read_records(a_run(tmp_path)))).event

    assert isinstance(first, SessionStarted)
    assert (first.mode, first.request, first.plan) == (RunningMode.REQUEST, "do it", None)
