"""Settings and folders as careless users and odd machines have them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from deskhand.app import open_session
from deskhand.core.errors import SettingsError
from deskhand.journal.file import read_records
from deskhand.journal.folder import run_folder
from deskhand.settings import Settings, load
from tests.command import arguments, deskhand, environment

NOWHERE = "linux:display=:93999"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("run", "\u200b\u00a0\x07"), "the request is empty"),
        (("run", "x", "--model", "os.path:join"), "is no model"),
        (("run", "x", "--model", "json.decoder:JSONDecodeError"), "is no model"),
        (("run", "x", "--model", "..:x"), "is no model"),
        (("run", "x", "--model", "collections.abc:Sized"), "is no model"),
        (("run", "x", "--model", "collections:OrderedDict"), "it has no `async def ask"),
        (("run", "x", "-c", "agents=['.x:y']"), "is no agent"),
        (("run", "x", "-c", "agents=['os.path:sep']"), "is no agent"),
        (("run", "x", "-c", "agents=x"), "it is a list"),
        (("run", "x", "-c", "limits=3"), "it is a table"),
        (("run", "x", "-c", "policy.rules=[{name='a',verdict='deny',text='('}]"), "'(' is no pattern"),
        (("run", "x", "-c", "policy.rules=[{name='a',verdict='deny',action=['clik']}]"), "did you mean 'click'"),
        (("run", "x", "--run-dir", "/dev/null"), "that is no folder"),
        (("run", "x", "--run-dir", "/dev/null/x"), "cannot be used"),
        (("run", "x", "--run-dir", "a" * 300), "cannot be used"),
        (("run", "x", "-c", "runs=/dev/null"), "it is no folder"),
        (("demo", "--run-dir", "/proc/nothing"), "cannot be used"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words: tuple[str, ...], hint: str, tmp_path: Path) -> None:
    done = deskhand(*words, home=tmp_path)

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert hint in done.stderr


def test_a_text_may_look_like_a_number(tmp_path: Path) -> None:
    given = load(["secrets.pin=12345678"], {"DESKHAND_SECRETS__WORD": "true", "DESKHAND_RUNS": "2024"}, tmp_path)

    assert given.secrets == {"pin": "12345678", "WORD": "true"}
    assert given.runs == "2024"


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_bytes(b"\xef\xbb\xbflimits.rounds = 3\n")

    assert load([], {"HOME": str(tmp_path)}, tmp_path).limits.rounds == 3


@pytest.mark.parametrize("what", ["folder", "dangling", "pipe"])
def test_settings_that_cannot_be_read_are_not_passed_over(what: str, tmp_path: Path) -> None:
    """There may be a deny among them."""
    place = tmp_path / "deskhand.toml"
    match what:
        case "folder":
            place.mkdir()
        case "dangling":
            place.symlink_to("nowhere")
        case _:
            os.mkfifo(place)

    with pytest.raises(SettingsError, match=r"deskhand\.toml"):
        load([], {"HOME": str(tmp_path)}, tmp_path)


def test_a_folder_that_is_gone_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    command = subprocess.list2cmdline(arguments("config"))
    done = subprocess.run(
        ["bash", "-c", f"cd gone && rmdir ../gone && {command}"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == "deskhand: the current folder is gone; go to one that is there"


def test_without_input_there_is_nobody_to_ask_for_requests(tmp_path: Path) -> None:
    command = subprocess.list2cmdline(arguments("run"))
    done = subprocess.run(
        ["bash", "-c", f"{command} <&-"], env=environment(tmp_path), capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_runs_of_the_same_second_have_folders_of_their_own(tmp_path: Path) -> None:
    with run_folder("hello", tmp_path) as one, run_folder("hello", tmp_path) as other, run_folder("", tmp_path) as last:
        assert len({one, other, last}) == 3
        assert all(folder.is_dir() for folder in (one, other, last))
        (one / "kept").touch()

    assert [folder.exists() for folder in (one, other, last)] == [True, False, False]


def test_a_run_that_could_not_begin_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()

    deskhand("run", "x", "--device", NOWHERE, home=tmp_path)
    deskhand("run", "x", "--device", NOWHERE, "--run-dir", "new", home=tmp_path)
    deskhand("run", "x", "--device", NOWHERE, "--run-dir", "mine", home=tmp_path)

    assert not (tmp_path / "new").exists()
    assert (tmp_path / "mine").is_dir()
    assert list((tmp_path / ".local/state/deskhand/runs").iterdir()) == []


def test_a_folder_that_another_run_took_meanwhile_is_not_written_to(tmp_path: Path) -> None:
    run, settings = tmp_path / "run", Settings()

    async def main() -> None:
        async with open_session("hello", settings=settings, run_dir=run) as session:
            await session.run()

    async def late() -> None:
        """Was let in while the folder was empty, and came to its journal when the other run was over."""
        context = open_session("hello", settings=settings, run_dir=run)
        async with anyio.create_task_group() as group:

            async def enter() -> None:
                async with context:
                    raise AssertionError("it got in")

            group.start_soon(enter)
            await anyio.lowlevel.checkpoint()  # the folder is checked now, and the desktop is coming up
            run.joinpath("events.jsonl").write_bytes(kept)

    anyio.run(main)
    kept = run.joinpath("events.jsonl").read_bytes()
    for path in sorted(run.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    with pytest.raises(ExceptionGroup) as caught:
        anyio.run(late)

    assert caught.group_contains(SettingsError, match="another run was begun in it")
    assert run.joinpath("events.jsonl").read_bytes() == kept
    assert [r.seq for r in read_records(run)][-1] == kept.count(b"\n")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], check=False)
    if mounted.returncode:
        pytest.skip("this machine does not let us mount")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk: Path) -> None:
    with (disk / "filler").open("ab", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(4096))


def test_a_full_disk_is_trouble_that_is_said_in_one_line(small_disk: Path, tmp_path: Path) -> None:
    (small_disk / "filler").write_bytes(bytes(20_000))

    during = deskhand("run", "hello", "--json", "--run-dir", str(small_disk / "run"), home=tmp_path)
    fill(small_disk)
    before = deskhand("run", "hello", "--json", "--run-dir", str(small_disk / "late"), home=tmp_path)

    for done in (during, before):
        said = json.loads(done.stdout)
        assert (done.returncode, said["outcome"]) == (4, "error"), done.stderr
        assert "No space left" in said["answer"]
        assert "Traceback" not in done.stderr
    assert list(read_records(small_disk / "run"))
    assert before.stderr == ""
