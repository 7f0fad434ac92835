from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import arguments, deskhand, environment

NO_SUCH_DISPLAY = ":93999"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("run", ""), "the request is empty"),
        (("run", "   "), "the request is empty"),
        (("run", "x", "--device", "lunix:virtual"), "did you mean 'linux'"),
        (("run", "x", "--device", "linux:virtaul"), "virtual"),
        (("run", "x", "--device", "linux:virtual,size=big"), "size"),
        (("run", "x", "--device", "linux:virtual,sise=1x1"), "size"),
        (("run", "x", "--model", "opnai:gpt"), "there is no model 'opnai:gpt'"),
        (("run", "x", "--model", "no.such.module:Model"), "no.such.module:Model"),
        (("run", "x", "-c", "limts.usd=1"), "did you mean 'limits'"),
        (("run", "x", "-c", "limits.usd"), "key=value"),
        (("run", "x", "--max-steps", "0"), "greater than or equal to 1"),
        (("run", "x", "--max-seconds", "soon"), "limits.seconds"),
        (("run", "x", "--nonsense"), "--nonsense"),
        (("run", "--json"), "--json goes with one request"),
        (("resume", "nowhere"), "nowhere is not a run"),
        (("page", "nowhere"), "nowhere is not a run"),
        (("act", "click(x=1"), "click"),
        (("act", "fly(x=1)"), "fly"),
        (("act", "click(x=1, z=2)"), "z"),
        (("explain", ""), "the request is empty"),
        (("frobnicate",), "frobnicate"),
        ((), "COMMAND"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_before_anything_starts(
    words: tuple[str, ...], hint: str, tmp_path: Path
) -> None:
    done = deskhand(*words, home=tmp_path)

    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert hint in done.stderr
    assert list(tmp_path.rglob("events.jsonl")) == []


def test_a_folder_that_is_not_empty_cannot_be_a_new_run(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()

    done = deskhand("run", "x", "--run-dir", "full", home=tmp_path)

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "something in it already" in done.stderr


def test_a_display_that_cannot_be_opened_is_trouble_with_the_device(tmp_path: Path) -> None:
    done = deskhand("look", "--device", f"linux:display={NO_SUCH_DISPLAY}", home=tmp_path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    assert NO_SUCH_DISPLAY in done.stderr


def test_json_is_one_object_even_when_the_device_cannot_be_opened(tmp_path: Path) -> None:
    done = deskhand("run", "x", "--json", "--device", f"linux:display={NO_SUCH_DISPLAY}", home=tmp_path)

    said = json.loads(done.stdout)
    assert (done.returncode, said["outcome"], said["run_dir"], said["steps"]) == (4, "error", None, 0)
    assert NO_SUCH_DISPLAY in said["answer"]


def test_without_a_display_the_users_own_screen_is_one_clear_line(tmp_path: Path) -> None:
    done = deskhand("look", "--device", "linux", home=tmp_path)

    assert done.returncode in (2, 4)
    assert done.stderr.count("\n") == 1
    assert "DISPLAY" in done.stderr


def test_a_wayland_session_is_recognised(tmp_path: Path) -> None:
    done = deskhand("look", "--device", "linux", home=tmp_path, WAYLAND_DISPLAY="wayland-0", XDG_SESSION_TYPE="wayland")

    assert done.returncode in (2, 4)
    assert "Wayland" in done.stderr
    assert "linux:virtual" in done.stderr


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("run", "--help"), ("act", "--help")])
def test_help_needs_neither_display_nor_home(words: tuple[str, ...], tmp_path: Path) -> None:
    done = deskhand(*words, home=tmp_path, HOME="/nonexistent")

    assert (done.returncode, done.stderr) == (0, "")
    assert "deskhand" in done.stdout


def test_help_survives_a_reader_that_goes_away(tmp_path: Path) -> None:
    command = subprocess.list2cmdline(arguments("run", "--help"))
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -n 0"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Traceback" not in done.stderr


def test_a_closed_stdout_does_no_harm(tmp_path: Path) -> None:
    command = subprocess.list2cmdline(arguments("config"))
    done = subprocess.run(
        ["bash", "-c", f"{command} >&-"], env=environment(tmp_path), capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_config_shows_values_sources_and_no_secret(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text("[secrets]\nbank = 'hunter2-hunter2'\n")

    done = deskhand("config", "-c", "limits.usd=2", home=tmp_path)

    assert done.returncode == 0
    assert "limits.usd = 2.0  # -c limits.usd" in done.stdout
    assert 'device = "linux:virtual"  # default' in done.stdout
    assert "hunter2-h" not in done.stdout
    assert "deskhand.toml" in done.stdout


def test_importing_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys, deskhand; print([m for m in ('pydantic','anyio','PIL','xcffib','asyncio') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path, HOME="/nonexistent"),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_imported() -> None:
    import deskhand

    assert len(deskhand.__all__) <= 40
    for name in deskhand.__all__:
        assert getattr(deskhand, name) is not None


def test_applications_are_listed_by_what_open_app_takes(tmp_path: Path) -> None:
    found = deskhand("apps", "mousepad", "--json", home=tmp_path)
    none = deskhand("apps", "no such program", home=tmp_path)

    assert "org.xfce.mousepad" in {app["id"] for app in json.loads(found.stdout)}
    assert (none.returncode, none.stdout) == (1, "no application is called like 'no such program'\n")
