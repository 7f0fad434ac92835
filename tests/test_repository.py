"""What holds for the repository as a whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import deskhand

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=170, check=False)


HANDED_DOWN = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "ARGS"}


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    # Without what an outer `make test` hands down to an inner make.
    env = {name: value for name, value in os.environ.items() if name not in HANDED_DOWN}
    return run("make", *arguments, env=env)


@pytest.mark.timeout(180)
def test_format_lint_types_layers_sizes_and_spelling_are_fine() -> None:
    done = make("check")

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert deskhand.__version__ == project["version"]
    assert f"## [{project['version']}]" in (ROOT / "CHANGELOG.md").read_text()


def test_importing_the_package_brings_in_nothing_heavy_and_needs_no_desktop() -> None:
    code = "import sys, json, deskhand; print(json.dumps(sorted(sys.modules)))"
    done = run(sys.executable, "-c", code, env={"HOME": "/nonexistent", "PATH": os.defpath})

    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert not loaded & {"pydantic", "anyio", "asyncio", "PIL", "xcffib", "rapidfuzz", "isal"}


def test_every_public_name_can_be_had() -> None:
    assert len(deskhand.__all__) <= 40
    assert all(hasattr(deskhand, name) for name in deskhand.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = deskhand.nonsense


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    core, extras = project["project"]["dependencies"], project["project"]["optional-dependencies"].values()
    asked = {
        "requirements.lock": core,
        "requirements-dev.lock": core + sum(extras, project["dependency-groups"]["dev"]),
    }
    for lock, wanted in asked.items():
        pinned = set(re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.MULTILINE))
        assert {re.split(r"[<>=~!]", name)[0] for name in wanted} <= pinned, lock


@pytest.mark.parametrize("packages", ["src/deskhand/devices/linux/desktops/packages.txt", "tests/packages.txt"])
def test_every_system_package_names_a_file_and_a_reason(packages: str) -> None:
    lines = [line for line in (ROOT / packages).read_text().splitlines() if not line.startswith("#")]

    assert lines
    assert all(re.fullmatch(r"[a-z0-9.+-]+ +/\S+ +\S.*", line) for line in lines)


def test_a_repeated_set_up_finds_nothing_to_do() -> None:
    done = run("scripts/setup")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "request_text",
    ["plain words", 'it\'s "quoted" and costs $HOME $(id) `id` # 5%', "--help", "two\nlines", "\\n naïve – 你好 😀"],
)
def test_make_run_hands_the_request_on_unharmed(request_text: str, tmp_path: Path) -> None:
    echo = tmp_path / "deskhand"
    echo.write_text(f"#!{sys.executable}\nimport sys, json; print(json.dumps(sys.argv[1:]))\n")
    echo.chmod(0o755)

    done = make("run", f"REQUEST={request_text}", f"BIN={tmp_path}")

    assert json.loads(done.stdout) == ["run", "--", request_text], done.stderr


def test_a_benchmark_replaces_its_own_row_and_keeps_the_others(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    other = {"name": "core-help", "ours": 1.0, "unit": "ms", "goal": 300, "ok": True, "runs": 1, "min": 1.0, "max": 1.0}
    results.write_text(json.dumps([{**other, "name": "core-import"}, other]))

    done = run(sys.executable, "-m", "benchmarks.bench", "--only", "core-import", "--results", results)

    row = json.loads(done.stdout)
    assert row.keys() == {"name", "ours", "unit", "goal", "ok", "runs", "min", "max"}
    assert row["min"] <= row["ours"] <= row["max"]
    assert json.loads(results.read_text()) == [row, other]
    assert "core-import" in done.stderr


def test_a_benchmark_that_does_not_exist_is_refused() -> None:
    done = run(sys.executable, "-m", "benchmarks.bench", "--only", "nonsense")

    assert (done.returncode, done.stdout) == (2, "")
    assert "core-import" in done.stderr
