"""Other programs that do the same as ours, got when a row first needs them: from PyPI into build/peers, from Debian.

A peer is a line of peers.txt and a `Peer` at a row. What it measures calls `need` with the names of the lines it
relies on, then runs the peer, most often a program of its own (`benchmarks/peers_*.py`) that prints figures:

    def with_mss() -> list[float]:
        return figures_of("peers_mss.py", python=need("mss"), environment=desktop.environment)

    Row("linux-grab", 1, "ms", ours, "linux", peers=(Peer("mss", with_mss),))

A program gives its figures as one JSON list on the last line of its output; an empty one says that it got it wrong.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
LIST = HERE / "peers.txt"
ENVIRONMENT = HERE.parent / "build" / "peers"
PYTHON = ENVIRONMENT / "bin" / "python"
SYSTEM_PYTHON = Path("/usr/bin/python3")
_INSTALLING = 600


def need(*names: str) -> Path:
    """Install what is missing of the packages called `names`; give the Python that has those of PyPI.

    Raises:
        LookupError: peers.txt has no such line.
        subprocess.SubprocessError: it cannot be installed.
    """
    lines = _lines()
    for name in names:
        kind, what = lines[name]
        (_need_pip if kind == "pip" else _need_apt)(name, what)
    return PYTHON


def figures_of(
    program: str, *arguments: str, python: Path = SYSTEM_PYTHON, environment: Mapping[str, str], seconds: float = 120
) -> list[float]:
    """Run one of the programs beside this file on a desktop and give the figures it prints.

    Raises:
        subprocess.SubprocessError: it failed, or took more than `seconds`.
    """
    command = [str(python), str(HERE / program), *arguments]
    done = subprocess.run(command, env=dict(environment), check=True, capture_output=True, timeout=seconds)
    figures = json.loads(done.stdout.decode().strip().rpartition("\n")[2])
    return [float(figure) for figure in figures]


def titled(name: str) -> str:
    """Give a peer's name with its version; that one has none which was not installed."""
    kind, what = _lines().get(name, ("", ""))
    if kind == "pip":
        return f"{name} {what}"
    if kind == "apt":
        asked = ["dpkg-query", "--show", "--showformat", "${Version}", name]
        return f"{name} {subprocess.run(asked, check=False, capture_output=True, text=True).stdout}".strip()
    return name


@cache
def _lines() -> dict[str, tuple[str, str]]:
    """Give kind (pip or apt) and version or file of each line, by its name."""
    found = {}
    for line in LIST.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, name, *file = line.split()
            name, _, version = name.partition("==")
            found[name] = (kind, version or file[0])
    return found


@cache
def _need_pip(name: str, version: str) -> None:
    if not PYTHON.exists():
        _run(sys.executable, "-m", "venv", str(ENVIRONMENT))
    asked = f"import importlib.metadata as m, sys; sys.exit(m.version({name!r}) != {version!r})"
    if subprocess.run([PYTHON, "-c", asked], check=False, capture_output=True).returncode:
        quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
        _run(str(PYTHON), "-m", "pip", "install", *quiet, f"{name}=={version}")


@cache
def _need_apt(name: str, file: str) -> None:
    if not any(Path("/").glob(file.lstrip("/"))):
        as_root = [] if os.getuid() == 0 else ["sudo"]
        _run(*as_root, "apt-get", "-qq", "install", "--yes", "--no-install-recommends", name)


def _run(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, check=True, capture_output=True, timeout=_INSTALLING, env=environment)
