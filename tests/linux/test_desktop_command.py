"""Desktops that stay up between commands, by the real command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deskhand.devices.linux.desktops.kept import PLACE
from deskhand.devices.linux.processes import family, running
from tests.command import arguments, deskhand, environment

LINKS = Path(PLACE.format(user=os.getuid()))


@pytest.fixture
def name(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A name of this test's own; whatever is up under it ends with the test."""
    name = f"test-{os.getpid()}-{abs(hash(request.node.name)) % 100000}"
    yield name
    deskhand("desktop", "stop", name, home=tmp_path)
    assert not (LINKS / name).is_symlink()


def started(name: str, home: Path) -> dict[str, Any]:
    done = deskhand("desktop", "start", name, "--size", "800x600", "--json", home=home)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def listed(home: Path) -> dict[str, dict[str, Any]]:
    """Give the desktops that are up; other tests' come and go among them."""
    done = deskhand("desktop", "list", "--json", home=home)
    assert done.returncode == 0, done.stderr
    return {each["name"]: each for each in json.loads(done.stdout)}


def soon(condition: Callable[[], object], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


def test_a_desktop_stays_up_with_what_was_opened_on_it_until_it_is_stopped(name: str, tmp_path: Path) -> None:
    told = started(name, tmp_path)
    device = f"linux:desktop={name}"

    opened = deskhand("act", "open_app(app_name='galculator')", "--device", device, home=tmp_path)

    seen = json.loads(deskhand("look", "--json", "--device", device, home=tmp_path).stdout)
    assert (opened.returncode, told["device"]) == (0, device)
    assert [window["app"] for window in seen["windows"]] == ["Galculator"]
    assert seen["screen"]["size"] == [800, 600]
    assert listed(tmp_path)[name]["display"] == told["display"]
    pids = [*family(told["pid"]), seen["windows"][0]["pid"]]

    stopped = deskhand("desktop", "stop", name, home=tmp_path)

    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert not any(map(running, pids))
    assert not Path(told["folder"]).exists()
    assert name not in listed(tmp_path)


def test_what_start_prints_brings_programs_of_a_shell_up_on_it_readable(name: str, tmp_path: Path) -> None:
    start = " ".join(f"'{word}'" for word in arguments("desktop", "start", name))
    script = f'eval "$({start})" && echo "$HOME $DISPLAY" && exec galculator'
    with subprocess.Popen(
        ["sh", "-c", script], env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as shell:
        assert shell.stdout is not None
        home, display = shell.stdout.readline().split()
        assert (home, display) == (str(tmp_path), listed(tmp_path)[name]["display"])

        def elements() -> list[str]:
            seen = deskhand("look", "--json", "--device", f"linux:desktop={name}", home=tmp_path)
            return [each["name"] for each in json.loads(seen.stdout)["elements"]]

        assert soon(lambda: "7" in elements())
        deskhand("desktop", "stop", name, home=tmp_path)
        assert soon(lambda: shell.poll() is not None)  # its display is gone


def test_a_name_is_given_to_one_desktop_only(name: str, tmp_path: Path) -> None:
    told = started(name, tmp_path)

    again = deskhand("desktop", "start", name, home=tmp_path)

    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert f"{name!r} is up already" in again.stderr
    assert listed(tmp_path)[name]["pid"] == told["pid"]


@pytest.mark.parametrize("part", ["Xvfb", "guardian"])
def test_a_desktop_that_broke_is_cleared_away_and_can_be_started_anew(part: str, name: str, tmp_path: Path) -> None:
    told = started(name, tmp_path)
    pids = [*family(told["pid"])]
    facts = json.loads((LINKS / name / "desktop.json").read_text())
    os.kill(facts["pids"][part], signal.SIGKILL)
    assert soon(lambda: not running(facts["pids"][part]))

    seen = deskhand("look", "--device", f"linux:desktop={name}", home=tmp_path)

    assert seen.returncode in (2, 4)
    assert f"deskhand desktop {'stop' if part == 'Xvfb' else 'start'} {name}" in seen.stderr
    assert name not in listed(tmp_path)
    assert not Path(told["folder"]).exists()
    assert not any(map(running, pids))
    assert started(name, tmp_path)["pid"] not in pids


@pytest.mark.parametrize("delay", [0.25, 0.32])
def test_nothing_is_left_of_a_desktop_whose_start_is_killed(delay: float, name: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        arguments("desktop", "start", name), env=environment(tmp_path), stdout=subprocess.DEVNULL
    ) as start:
        time.sleep(delay)  # the moment is what is tried
        below = family(start.pid)
        start.kill()
    up = listed(tmp_path)
    if name not in up:
        assert soon(lambda: not any(map(running, below)))
        assert not (LINKS / name).is_symlink()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("start", "../x"), "cannot name a desktop"),
        (("start", "x" * 41), "at most 40"),
        (("start", "never", "--size", "big"), "written like 1920x1080"),
        (("stop",), "say which"),
        (("stop", "never"), "no desktop 'never' of yours is up"),
        (("stop", "never", "--size", "800x600"), "--size is for"),
        (("list", "never"), "takes no name"),
    ],
)
def test_what_is_wrong_with_desktops_is_said_in_one_line(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = deskhand("desktop", *words, home=tmp_path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


def test_a_desktop_that_is_not_there_is_no_device(tmp_path: Path) -> None:
    done = deskhand("act", "wait(seconds=1)", "--device", "linux:desktop=never", home=tmp_path)

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no desktop 'never' of yours is up" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_other_users_desktops_are_neither_seen_nor_stopped(name: str, tmp_path: Path) -> None:
    started(name, tmp_path)
    home = tmp_path / "theirs"
    home.mkdir()

    def other(*words: str) -> subprocess.CompletedProcess[str]:
        stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *arguments("desktop", *words)]
        return subprocess.run(
            stranger, env=environment(home), cwd="/", capture_output=True, text=True, timeout=30, check=False
        )

    try:
        assert name not in other("list").stdout
        stopped = other("stop", name)
        assert (stopped.returncode, f"no desktop {name!r} of yours" in stopped.stderr) == (2, True), stopped.stderr
        Path(PLACE.format(user=65534)).chmod(0o777)
        assert "not a private folder of yours" in other("list").stderr
    finally:
        Path(PLACE.format(user=65534)).rmdir()
    assert name in listed(tmp_path)


def test_the_doctor_tries_everything_and_says_what_ones_own_screen_lacks(tmp_path: Path) -> None:
    done = deskhand("doctor", "--json", "-c", "device=linux:display=:9999", home=tmp_path)

    told = json.loads(done.stdout)
    checks = {each["name"]: each for each in told["checks"]}
    assert [name for name, each in checks.items() if not each["ok"]] == ["own screen"]
    assert "cannot open display ':9999'" in checks["own screen"]["found"]
    assert (checks["type text"]["ok"], told["ok"], done.returncode) == (True, False, 1)
