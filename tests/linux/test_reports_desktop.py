"""Faults that users met on real desktops with other systems, by the number of their report."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import anyio
import anyio.to_thread
import pytest

from deskhand.core.action import Click, OnElement
from deskhand.core.message import BlackboardPart, ModelRequest
from deskhand.core.observation import WHOLE_DESKTOP
from deskhand.core.status import RunOutcome
from deskhand.devices.linux.waiting import until
from deskhand.testing import ScriptedModel
from tests.command import arguments, deskhand, environment
from tests.linux.stage import FORM, Stage, nothing_is_held
from tests.paper import app, assign, context, host, session, write

pytestmark = pytest.mark.anyio
SECRET = "S3cr3t-Ω!x/y"


async def test_r114_hard_values_are_handed_from_one_real_application_to_another_unchanged(stage: Stage) -> None:
    value = "007\nnaïve – 你好 – 😀\t<b>\n" + "0123456789abcdef\n" * 1200  # 20 kB
    kept = {"order_no": value}

    def types_it(request: ModelRequest) -> dict[str, object]:
        (entry,) = next(p.entries for p in request.parts if isinstance(p, BlackboardPart))
        return app("CONTINUE", write(entry.value))

    model = ScriptedModel(
        host=[assign("galculator", "read the number"), assign("mousepad", "type it"), host()],
        app=[app("FINISH", blackboard=kept), types_it, app("FINISH")],
    )
    made = context(model, desk=stage.device)

    assert (await session(made).run()).outcome is RunOutcome.FINISHED
    (text,) = [e for e in (await stage.device.observe()).observation.elements if e.role == "textbox"]
    (typed,) = [a.result for s in made.view.rounds[0].steps for a in s.acts if a.action.kind == "write"]
    assert typed is not None
    assert typed.outcome == "done", typed
    assert f"{len(value)} characters" in typed.text
    assert text.value.startswith("007\nnaïve – 你好 – 😀\t<b>\n0123456789abcdef\n")


async def test_r063_the_first_look_at_an_application_that_is_just_starting_is_whole_or_says_that_it_is_not(
    stage: Stage,
) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(FORM), "Young", str(stage.folder / "log")])
    assert await until(lambda: any(w.title == "Young" for w in stage.windows()), 20)
    window = next(w.id for w in stage.windows() if w.title == "Young")

    look = await stage.look(window)

    assert any(e.name == "OK" for e in look.elements) or look.truncated
    assert len(look.elements) != 1 or look.truncated


async def test_r070_windows_that_come_and_go_all_the_time_cost_no_time(stage: Stage) -> None:
    await stage.desktop.start(["/usr/bin/python3", str(FORM.with_name("dialogs.py"))])
    assert await until(lambda: len(stage.windows()) > 20, 20)
    window = next(w.id for w in stage.windows() if w.title == "Dialogs")

    for _ in range(3):
        started = time.monotonic()
        look = await stage.look(window)
        assert time.monotonic() - started < 3
        assert look.windows
        assert (await stage.device.observe(WHOLE_DESKTOP)).observation.windows


async def test_r070_a_program_that_is_killed_while_it_is_looked_at_is_not_waited_for(form: Stage) -> None:
    (window,) = form.windows()
    os.kill(window.pid, signal.SIGKILL)

    began = time.monotonic()
    look = await form.look(window.id)

    assert time.monotonic() - began < 3
    assert "registry" not in look.truncated


async def test_r073_elements_are_asked_for_by_role_and_name_and_focus(form: Stage) -> None:
    spec = f"linux:display={form.desktop.display_name}"

    def look(*words: str) -> str:
        bus = form.desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
        return deskhand("look", "--device", spec, *words, home=form.folder, DBUS_SESSION_BUS_ADDRESS=bus).stdout

    def elements(*words: str) -> list[tuple[str, str]]:
        found = json.loads(look("--json", *words))["elements"]
        assert all({"id", "box", "states", "actions"} <= set(each) for each in found)
        return [(each["role"], each["name"]) for each in found]

    asked = [("--role", "button", "--name", "ok"), ("--focused",)]
    found = [await anyio.to_thread.run_sync(elements, *words) for words in asked]
    none = await anyio.to_thread.run_sync(look, "--name", "no such thing")

    assert found[0] == [("button", "OK")]
    assert len(found[1]) <= 1
    assert "no element fits; roles here: button, " in none


async def test_r052_a_program_that_stays_open_does_not_hold_the_callers_pipe(stage: Stage) -> None:
    spec = f"linux:display={stage.desktop.display_name}"
    words = arguments("act", "--device", spec, "open_app('galculator')")
    env = {**environment(stage.folder), **dict(stage.desktop.environment), "HOME": str(stage.folder)}

    def substituted() -> str:
        return subprocess.run(
            ["bash", "-c", f'echo "$({shlex.join(words)})"'],
            env=env, cwd=stage.folder, capture_output=True, text=True, timeout=20, check=True,
        ).stdout  # fmt: skip

    said = await anyio.to_thread.run_sync(substituted)

    assert said.startswith("done: open_app")
    assert [w.app.casefold() for w in stage.windows()] == ["galculator"]


@contextmanager
def command_lines() -> Iterator[set[str]]:
    """Collect the command lines of all processes that there are within the block."""
    seen: set[str] = set()
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.03):
            for file in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    seen.add(file.read_bytes().decode(errors="replace"))
                except OSError:
                    continue

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def test_r126_r130_nothing_of_a_secret_is_left_of_a_run_that_was_killed_after_typing_it(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text(f"[secrets]\npw = {json.dumps(SECRET, ensure_ascii=False)}\n")
    (tmp_path / "tmp").mkdir()
    run = tmp_path / "run"
    request = 'In Mousepad, write "{{secret:pw}}"'
    killed = [sys.executable, "-m", "tests.killed", "subtask.ended", str(run), request]
    env = environment(tmp_path, TMPDIR=str(tmp_path / "tmp"))

    with command_lines() as lines:
        done = subprocess.run(killed, env=env, cwd=tmp_path, capture_output=True, check=False, timeout=50)

    assert done.returncode == -signal.SIGKILL, done.stderr
    events = (run / "events.jsonl").read_text()
    assert "{{secret:pw}}" in events
    assert "read back" in events
    (tmp_path / "deskhand.toml").unlink()
    left = [done.stdout, done.stderr, *(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())]
    for spelled in (SECRET, json.dumps(SECRET)[1:-1], quote(SECRET), quote(SECRET, safe=""), "S3cr3t"):
        assert not any(spelled.encode() in data for data in left)
        assert not any(spelled in line for line in lines)
    assert {p.stat().st_mode & 0o077 for p in (run, *run.rglob("*"))} == {0}


def test_r134_a_limit_of_seconds_ends_a_run_in_time(tmp_path: Path) -> None:
    began = time.monotonic()
    done = deskhand("run", "In Mousepad, wait 50 seconds", "--json", "--max-seconds", "2", home=tmp_path)
    took = time.monotonic() - began

    said = json.loads(done.stdout)
    assert (said["outcome"], done.returncode) == ("limit", 3)
    assert "limits.seconds" in said["answer"]
    assert 2 <= said["seconds"] < 3
    assert took < 6


def at_a_terminal(words: list[str], answer: str, home: Path) -> tuple[int, str]:
    """Run a command at a terminal where somebody answers its question; give its exit code and what was said."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        words, env=environment(home), cwd=home, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    said = b""
    with process:
        while chunk := _read(ours):
            said += chunk
            if b"[y/N]" in chunk:
                os.write(ours, f"{answer}\n".encode())
    os.close(ours)
    return process.returncode, said.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # it has hung up
        return b""


GUARDED = ["act", "open_app('mousepad')", "hotkey('shift', 'delete')"]


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1), ("", 1)])
def test_r123_at_a_terminal_leave_is_what_the_user_says(answer: str, code: int, tmp_path: Path) -> None:
    returned, said = at_a_terminal(arguments(*GUARDED), answer, tmp_path)

    assert returned == code, said
    assert "deleting: hotkey 'shift+delete' in " in said
    assert ("failed: hotkey" in said) == (code == 1)


@pytest.mark.parametrize(("options", "code"), [((), 1), (("--json",), 1), (("--yes",), 0)])
def test_r123_without_a_terminal_there_is_no_leave_unless_it_was_given(
    options: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    done = deskhand(*GUARDED, *options, home=tmp_path)

    assert done.returncode == code, done.stdout
    assert ("was refused, as nobody was there to agree (--yes does)" in done.stdout) == (code == 1)


async def test_r057_a_list_of_twenty_thousand_rows_is_read_in_time_at_every_look(form: Stage) -> None:
    await form.desktop.start(["/usr/bin/python3", str(FORM.with_name("rows.py")), "list", "20000"])
    assert await until(lambda: any(w.title == "Rows" for w in form.windows()), 30)
    window = next(w.id for w in form.windows() if w.title == "Rows")

    looks = []
    for _ in range(3):
        started = time.monotonic()
        looks.append(await form.look(window))
        assert time.monotonic() - started < 5

    rows = [e for e in looks[-1].elements if e.name.startswith("row ")]
    assert len(rows) > 5, looks[-1].truncated
    assert "of at least 20000 cells or rows are in view" in looks[-1].truncated
    assert all("has closed" not in look.truncated for look in looks)
    assert (await form.do(Click(target=OnElement(id=rows[1].id)), window)).outcome == "done"
    assert any(e.name == "OK" for e in (await form.look()).elements)


@pytest.mark.parametrize(
    ("program", "title", "wanted"), [("rows.py labels 1500", "Rows", 750), ("plain_qt5.py table", "Plain", 1)]
)
async def test_r017_r057_of_what_is_too_much_to_list_that_is_read_which_is_in_view(
    program: str, title: str, wanted: int, stage: Stage
) -> None:
    name, *options = program.split()
    await stage.desktop.start(["/usr/bin/python3", str(FORM.with_name(name)), *options])
    window = (await stage.shown(title)).id

    with anyio.fail_after(10):
        while not (rows := await rows_in_view(stage, window)) or wanted not in rows:
            pass

    assert rows == [*range(rows[0], rows[-1] + 1)]
    assert len(rows) < 40


async def rows_in_view(stage: Stage, window: str) -> list[int]:
    """Look, and give the numbers of the rows that are told of, whose names go wholly into requests."""
    look = await stage.look(window)
    assert look.model_dump_json().encode()
    assert look.truncated
    return [int(each.name.split()[1]) for each in look.elements if each.name.startswith("row ")]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_r131_a_stop_in_the_middle_of_a_long_text_ends_all_input_at_once(
    form: Stage, how: signal.Signals
) -> None:
    field = (await form.element("First")).box.center
    spec = f"linux:display={form.desktop.display_name},delay=5"
    words = arguments("act", "--device", spec, f"write(message={'x' * 5000!r}, x={field.x}, y={field.y})")
    env = {**environment(form.folder), **dict(form.desktop.environment), "HOME": str(form.folder)}

    def typed() -> int:
        return len(next((line for line in reversed(form.log()) if line.startswith("First=")), ""))

    async with await anyio.open_process(words, env=env, cwd=form.folder, stderr=subprocess.DEVNULL) as process:
        assert await until(lambda: typed() > 20, 20)
        process.send_signal(how)
        began = time.monotonic()
        assert await until(lambda: process.returncode is not None, 5)
        took = time.monotonic() - began

    assert (process.returncode, took < 1.5) == (130, True)
    assert nothing_is_held(form.desktop)
    before = typed()
    assert before < 5000
    assert not await until(lambda: typed() > before, 0.5)
