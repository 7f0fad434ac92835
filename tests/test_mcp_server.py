"""The MCP server, used by the SDK's own client over standard input and output and over HTTP."""

from __future__ import annotations

import base64
import json
import re
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from deskhand.core.event import ActionFinished, Judged, Observed
from deskhand.journal.file import read_records
from tests.command import arguments, deskhand, environment

EXAMPLES = str(Path(__file__).parent.parent / "examples")
LAMP = ("--device", "own_device:open_lamp")
pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def parameters(home: Path, *words: str) -> StdioServerParameters:
    command, *rest = arguments("mcp", "--run-dir", str(home / "run"), *words)
    return StdioServerParameters(command=command, args=rest, env=environment(home, PYTHONPATH=EXAMPLES), cwd=home)


def said(result: types.CallToolResult) -> str:
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


async def agreed(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:  # noqa: ARG001  called by name
    assert "allow" in str(params)
    return types.ElicitResult(action="accept", content={"allow": True})


@pytest.mark.device
async def test_a_client_looks_acts_and_has_a_request_carried_out(tmp_path: Path) -> None:
    async with Client(parameters(tmp_path), elicitation_callback=agreed) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        opened = await client.call_tool("act", {"actions": ['open_app("org.xfce.mousepad")', 'write("Grüße 你好")']})
        looked = await client.call_tool("look", {})
        box = next(line.split()[0] for line in said(looked).splitlines() if "textbox" in line)
        read = await client.call_tool("read", {"element": box})
        steps: list[float] = []

        async def count(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001
            steps.append(progress)

        ran = await client.call_tool("run", {"request": "In Mousepad, open the Help menu"}, progress_callback=count)

    assert offered == {"look", "act", "run", "windows", "apps", "read"}
    assert said(opened).count("done: ") == 2
    assert isinstance(looked.content[1], types.ImageContent)
    assert base64.b64decode(looked.content[1].data).startswith(b"\x89PNG")
    assert "Grüße 你好" in said(read)
    assert said(ran).startswith("finished: ")
    assert steps == sorted(steps)
    assert len(steps) > 2
    kinds = [type(record.event) for record in read_records(tmp_path / "run")]
    assert kinds.count(ActionFinished) == 2
    assert Observed in kinds
    assert deskhand("page", str(tmp_path / "run"), home=tmp_path).returncode == 0


async def test_what_a_command_prints_is_told_at_once(tmp_path: Path) -> None:
    async with Client(parameters(tmp_path, "--device", f"shell:cwd={tmp_path}")) as client:
        acted = await client.call_tool("act", {"actions": ['run_command("echo one; echo two")', 'run_command("rm x")']})

    lines = said(acted).splitlines()
    assert lines[0].startswith('done: run_command(command="echo one; echo two") - exit code 0')
    assert lines[1:3] == ["  one", "  two"]
    assert "deleting was refused" in lines[3]


async def test_what_is_wrong_is_told_and_nothing_is_done(tmp_path: Path) -> None:
    async with Client(parameters(tmp_path, *LAMP)) as client:
        unreadable = await client.call_tool("act", {"actions": ["wriet("]})
        failed = await client.call_tool("act", {"actions": ['press("a")', 'click(element="e1")']})
        missing = await client.call_tool("read", {"element": "no such"})
        empty = await client.call_tool("run", {"request": " "})

    assert unreadable.is_error
    assert "cannot be read as an action" in said(unreadable)
    assert said(failed).startswith("failed: ")
    assert "the last 1 were not done" in said(failed)
    assert missing.is_error
    assert "there is no control 'no such'" in said(missing)
    assert empty.is_error
    assert "the request is empty" in said(empty)


NOISY = """import os
print("a banner"); os.write(1, b"x")
from contextlib import asynccontextmanager
from own_device import open_lamp
@asynccontextmanager
async def open_noisy(spec):
    print("opening", end="")
    async with open_lamp(spec) as lamp:
        observe = lamp.observe
        async def noisy(*args):
            print("looking 😀"); os.write(1, b"y")
            return await observe(*args)
        lamp.observe = noisy
        yield lamp
        print("closing"); os.write(1, b"z")
"""


def test_r138_what_others_print_is_not_among_the_messages(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY)
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    sent: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "look", "arguments": {}}},
    ]
    with subprocess.Popen(
        arguments("mcp", "--run-dir", str(tmp_path / "run"), "--device", "noisy:open_noisy"),
        env=environment(tmp_path, PYTHONPATH=f"{EXAMPLES}:{tmp_path}", LC_ALL="C"),
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = []
        for message in sent:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            process.stdin.flush()
            if "id" in message:
                lines.append(process.stdout.readline())
        out, err = process.communicate(timeout=20)

    answers = [json.loads(line) for line in [*lines, *out.splitlines()]]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert "Lamp" in str(answers[1]["result"])
    assert process.returncode == 0
    assert all(words in err for words in (b"a banner", b"opening", b"looking", b"closing", b"x", b"y", b"z"))


@pytest.mark.parametrize("asks", [True, False])
async def test_the_policy_asks_the_person_behind_the_client_or_refuses(asks: bool, tmp_path: Path) -> None:
    rule = "[{name = 'lamps', verdict = 'ask', role = ['switch']}]"
    server = parameters(tmp_path, *LAMP, "-c", f"policy.rules={rule}")
    async with Client(server, elicitation_callback=agreed if asks else None, mode="legacy") as client:
        switched = await client.call_tool("act", {"actions": ['click(element="e1")']})

    assert said(switched).startswith("done: " if asks else "failed: "), said(switched)
    assert any(isinstance(record.event, Judged) for record in read_records(tmp_path / "run"))


@contextmanager
def listening(home: Path, *words: str) -> Iterator[tuple[str, str]]:
    process = subprocess.Popen(
        arguments("mcp", "--http", "--run-dir", str(home / "run"), *LAMP, *words),
        env=environment(home, PYTHONPATH=EXAMPLES),
        cwd=home,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"(http://\S+/mcp); the token is in (\S+)", line)
        assert found, line + process.stderr.read()
        yield found[1], Path(found[2]).read_text().strip()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
    assert process.returncode == 130


@asynccontextmanager
async def client_of(url: str, token: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=20) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def test_over_http_only_who_has_the_token_is_served(tmp_path: Path) -> None:
    with listening(tmp_path) as (url, token):
        async with client_of(url, token) as client:
            assert '"Lamp"' in said(await client.call_tool("look", {}))
        async with httpx2.AsyncClient() as http:
            bare = await http.post(url, json={})
            wrong = await http.post(url, json={}, headers={"Authorization": "Bearer " + "x" * 32})
            rebound = await http.post(
                url, json={}, headers={"Authorization": f"Bearer {token}", "Host": "evil.example"}
            )

    assert (bare.status_code, wrong.status_code, rebound.status_code) == (401, 401, 421)
    assert bare.headers["www-authenticate"] == "Bearer"


def test_a_port_that_is_taken_is_said_before_anything_is_opened(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = deskhand("mcp", "--http", "--port", port, *LAMP, home=tmp_path, PYTHONPATH=EXAMPLES)

    assert done.returncode == 2
    assert f"port {port} is in use" in done.stderr
    assert list(tmp_path.glob("**/events.jsonl")) == []
