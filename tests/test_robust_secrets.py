"""Secrets planted in settings and variables, and looked for in all that commands leave behind."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.command import deskhand
from tests.running import Command, below, commands, until

LOGIN, BANK = "hunter2-Ωmega!", "s3cr3t/env var"
SETTINGS = f'secret_variables = ["BANK"]\n[secrets]\nlogin = "{LOGIN}"\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "deskhand.toml").write_text(SETTINGS)
    return tmp_path


def leaks(data: bytes) -> list[str]:
    spelled = [
        form
        for value in (LOGIN, BANK)
        for form in (value, json.dumps(value)[1:-1], quote(value), base64.b64encode(value.encode()).decode(), value[:8])
    ]
    return [form for form in spelled if form.encode() in data]


@pytest.mark.parametrize(
    "words",
    [
        ("act", "open_app('mousepad')", f"write('{LOGIN}')", "write('{{secret:BANK}}')", "write('{{secret:no}}')"),
        ("run", f'In Mousepad, write "{{{{secret:login}}}} {BANK}", then read the text', "--run-dir", "run"),
        ("run", f"In {LOGIN}, click {BANK}", "--run-dir", "run"),
        ("run", BANK, "--run-dir", "run", "--model", "tests.odd_models:Talkative"),
        ("explain", f'In Mousepad, write "{LOGIN}"'),
        ("config",),
    ],
)
@pytest.mark.parametrize("more", [("-vv",), ("--json",)])
def test_no_secret_is_printed_or_kept(words: tuple[str, ...], more: tuple[str, ...], home: Path) -> None:
    done = deskhand(*words, *more, home=home, BANK=BANK)

    assert done.returncode in (0, 1, 4), done.stderr
    assert leaks((done.stdout + done.stderr).encode()) == []
    kept = [path for path in home.rglob("*") if path.is_file() and path.name != "deskhand.toml"]
    assert [path for path in kept if leaks(path.read_bytes())] == []


@pytest.fixture
def command(home: Path) -> Iterator[Callable[..., Command]]:
    with commands(home) as begin:
        yield begin


def test_no_program_of_the_desktop_is_told_a_secret(command: Callable[..., Command], home: Path) -> None:
    request = 'In Mousepad, write "{{secret:BANK}}", then wait 30 seconds'
    run = command("run", request, "--run-dir", "run", BANK=BANK)
    events = home / "run" / "events.jsonl"
    until(lambda: events.exists() and '"kind":"wait"' in events.read_text())
    told = b""
    for pid in below(run.process.pid):
        for name in ("environ", "cmdline"):
            with suppress(OSError):
                told += Path(f"/proc/{pid}/{name}").read_bytes()

    assert b"DBUS_SESSION_BUS_ADDRESS" in told
    assert leaks(told) == []
