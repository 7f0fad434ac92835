"""Tools of MCP servers: real servers over pipes and HTTP, well-behaved and not."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import pytest

from deskhand.core.errors import SettingsError, ToolFailed
from deskhand.core.ports import Tool
from deskhand.core.secret import Secrets
from deskhand.devices.linux.waiting import until
from deskhand.tools.mcp import Place, mcp_tools
from deskhand.tools.options import ToolServer
from tests.command import environment
from tests.desks import DEVICE, MODEL
from tests.running import running

SERVER, QUICK = (str(Path(__file__).parent / "apps" / name) for name in ("tool_server.py", "quick_server.py"))
pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def tools_of(*command: str, seconds: float = 20) -> AsyncIterator[dict[str, Tool]]:
    options = ToolServer(
        command=command or (sys.executable, SERVER),
        environment={"WORD": "plain", "PASSPHRASE": "{{secret:pass}}"},
        applications=("galculator",),
        seconds=seconds,
        characters=1000,
    )
    with tempfile.TemporaryFile() as log:
        place = Place({"PATH": os.defpath, "HOME": "/tmp"}, log, Secrets({"pass": "open sesame"}))
        async with mcp_tools({"odd": options}, place) as tools:
            yield tools


async def test_a_server_says_what_it_offers_and_answers() -> None:
    async with tools_of() as tools:
        about = tools["odd.add"].about

        assert await tools["odd.add"].call({"a": 2, "b": 40}) == "42"
        assert (about.description, about.applications) == ("Add two numbers.", ("galculator",))
        assert set(about.arguments["properties"]) == {"a", "b"}
        assert await tools["odd.picture"].call({}) == "[image/png, 9 bytes]"


async def test_a_server_is_given_the_variables_of_its_settings_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")

    async with tools_of() as tools:
        assert (await tools["odd.whoami"].call({})).startswith("plain open sesame ")


async def test_what_a_tool_refuses_is_told_in_its_words() -> None:
    async with tools_of() as tools:
        with pytest.raises(ToolFailed, match="no such note: 你好"):
            await tools["odd.fail"].call({})
        with pytest.raises(ToolFailed, match="Field required"):
            await tools["odd.add"].call({"a": 1})


async def test_an_answer_without_end_is_cut_and_what_is_missing_counted() -> None:
    async with tools_of() as tools:
        assert await tools["odd.talk"].call({"length": 5000}) == "x" * 1000 + "… (4000 characters more, left out)"


async def test_a_server_that_dies_is_started_again_once() -> None:
    async with tools_of() as tools:
        with pytest.raises(ToolFailed, match="whether it did it is not known"):
            await tools["odd.die"].call({})
        assert await tools["odd.add"].call({"a": 1, "b": 1}) == "2"
        with pytest.raises(ToolFailed, match="whether it did it is not known"):
            await tools["odd.die"].call({})
        with pytest.raises(ToolFailed, match="failed again"):
            await tools["odd.add"].call({"a": 1, "b": 1})


async def test_a_server_that_hangs_or_floods_costs_its_time_limit_and_is_gone_afterwards() -> None:
    async with tools_of(sys.executable, "-I", "-S", QUICK, seconds=2) as tools:
        pid = int(await tools["odd.whoami"].call({}))
        began = time.monotonic()
        with pytest.raises(ToolFailed, match="'odd' gave no answer within 2 s"):
            await tools["odd.hang"].call({})
        assert time.monotonic() - began < 8
        with pytest.raises(ToolFailed, match="'odd'"):
            await tools["odd.flood"].call({})
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/nonexistent/server",), "No such file"),
        ((sys.executable, "-c", "raise SystemExit(1)"), ""),
        (("/usr/bin/yes", "this is no MCP server"), "no answer in time"),
        (("/bin/cat", "/dev/zero"), ""),
    ],
)
async def test_a_server_that_does_not_come_up_is_a_wrong_setting(command: tuple[str, ...], reason: str) -> None:
    with pytest.raises(SettingsError, match=rf"tools\.odd: it does not come up \(.*{reason}"):
        async with tools_of(*command, seconds=1):
            pass


@contextmanager
def listening() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, SERVER, str(port)], stderr=subprocess.DEVNULL)
    try:
        yield port, process
    finally:
        process.kill()
        process.wait()


async def test_a_server_is_reached_by_its_address() -> None:
    with listening() as (port, process), tempfile.TemporaryFile() as log:
        assert await until(lambda: reachable(port), 20)
        options = ToolServer(url=f"http://127.0.0.1:{port}/mcp", seconds=10)
        async with mcp_tools({"far": options}, Place({}, log, Secrets())) as tools:
            assert await tools["far.add"].call({"a": 1, "b": 2}) == "3"
            process.kill()
            process.wait()
            with pytest.raises(ToolFailed, match="'far'"):
                await tools["far.add"].call({"a": 1, "b": 2})


def reachable(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


async def test_cancelling_a_call_leaves_no_server_behind() -> None:
    with anyio.move_on_after(20):
        async with tools_of() as tools:
            pid = int((await tools["odd.whoami"].call({})).split()[-1])
            with anyio.move_on_after(0.2):
                await tools["odd.hang"].call({})
    assert not Path(f"/proc/{pid}").exists()


async def test_a_server_does_not_outlive_a_process_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    begin = f"sleep 100 & echo $! $$ >{pids}; exec {sys.executable} -I -S {QUICK}"
    command = ["/bin/sh", "-c", begin]
    (tmp_path / "deskhand.toml").write_text(
        f'device = "{DEVICE}"\nmodel = "{MODEL}"\n[tools.odd]\ncommand = {json.dumps(command)}\n'
    )
    run = [sys.executable, "-m", "tests.killed", "session.started", str(tmp_path / "run"), "write a"]
    killed = await anyio.run_process(run, env=environment(tmp_path), cwd=tmp_path, check=False)

    assert killed.returncode == -signal.SIGKILL
    of_server = [int(pid) for pid in pids.read_text().split()]
    assert await until(lambda: not any(map(running, of_server)), 20)
