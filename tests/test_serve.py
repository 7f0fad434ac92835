"""Requests over HTTP: who may send them, what becomes of them, and what a restart knows."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from deskhand.core.errors import SettingsError
from deskhand.service.guard import token_in
from deskhand.service.http import LARGEST, application
from deskhand.service.queues import Queues
from deskhand.service.server import listening_on, serve
from deskhand.settings import Settings
from tests.command import deskhand
from tests.desks import DEVICE, MODEL
from tests.running import commands, until

TOKEN = "a-token-of-the-tests"
SETTINGS = Settings(device=DEVICE, model=MODEL)
OTHER = f"{DEVICE},2"


@dataclass
class Service:
    """A service that runs, as a client sees it."""

    port: int
    folder: Path

    async def says(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return await anyio.to_thread.run_sync(partial(self._says, method, path, body, headers))

    async def submits(self, request: str, **more: object) -> str:
        status, job = await self.says("POST", "/jobs", {"request": request, **more})
        assert status == 201, job
        return str(job["id"])

    async def becomes(self, job: str, state: str) -> dict[str, Any]:
        with anyio.fail_after(20):
            while True:
                status, said = await self.says("GET", f"/jobs/{job}")
                assert status == 200, said
                if said["state"] == state:
                    return dict(said)

    def _says(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            connection.request(method, path, data, {"Authorization": f"Bearer {TOKEN}", **named})
            answer = connection.getresponse()
            text = answer.read().decode()
            is_json = answer.headers["content-type"] == "application/json"
            return answer.status, json.loads(text) if is_json else text
        finally:
            connection.close()


@asynccontextmanager
async def service(folder: Path, *devices: str, settings: Settings = SETTINGS) -> AsyncIterator[Service]:
    queues = Queues(settings, folder, devices or (DEVICE,))
    sock = listening_on("127.0.0.1", 0)
    async with anyio.create_task_group() as group:
        group.start_soon(serve, application(queues, TOKEN), sock, queues.work)
        yield Service(sock.getsockname()[1], folder)
        group.cancel_scope.cancel()


def run(scene: Callable[[], Awaitable[None]]) -> None:
    anyio.run(scene)


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


def test_a_request_is_carried_out_and_says_what_came_of_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            job = await there.submits("write a")
            said = await there.becomes(job, "ended")
            assert (said["result"]["outcome"], said["result"]["answer"]) == ("finished", "wrote write a")
            assert (Path(said["run_dir"]) / "index.html").exists()
            _, listed = await there.says("GET", "/jobs")
            assert [each["id"] for each in listed["jobs"]] == [job]

    run(scene)


def test_its_records_arrive_as_a_stream_and_can_be_taken_up_in_the_middle(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            job = await there.submits("write a")
            _, text = await there.says("GET", f"/jobs/{job}/events")
            records = events(text)
            assert [r["seq"] for r in records] == list(range(1, len(records) + 1))
            assert (records[0]["event"]["mode"], records[-1]["event"]["kind"]) == ("service", "session.ended")
            assert text.startswith("id: 1\nevent: session.started\ndata: {")
            _, rest = await there.says("GET", f"/jobs/{job}/events", Last_Event_ID="3")
            assert events(rest) == records[3:]
            assert (await there.says("GET", f"/jobs/{job}/events?after=-1"))[0] == 400

    run(scene)


@pytest.mark.parametrize(
    ("request_", "wrong", "answer", "end"),
    [
        ("ask me", 7, "blue", ("finished", "wrote ask me blue")),
        ("confirm it", "maybe", "yes", ("finished", "wrote confirm it")),
        ("confirm it", "", "no", ("failed", None)),
    ],
)
def test_questions_and_confirmations_are_answered_over_http(
    request_: str, wrong: object, answer: str, end: tuple[str, str | None], tmp_path: Path
) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            job = await there.submits(request_)
            question = (await there.becomes(job, "waiting"))["question"]
            assert question["kind"] == ("answer" if request_ == "ask me" else "confirm")
            assert (await there.says("POST", f"/jobs/{job}/answer", {"answer": wrong}))[0] in (400, 409)
            assert (await there.says("POST", f"/jobs/{job}/answer", {"answer": answer}))[0] == 200
            said = (await there.becomes(job, "ended"))["result"]
            assert (said["outcome"], said["answer"] if end[1] else None) == end
            assert (await there.says("POST", f"/jobs/{job}/answer", {"answer": "late"}))[0] == 409

    run(scene)


def test_a_job_is_held_and_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            job = await there.submits("ask me")
            await there.becomes(job, "waiting")
            assert (await there.says("POST", f"/jobs/{job}/pause"))[0] == 202
            assert (await there.says("POST", f"/jobs/{job}/answer", {"answer": "b"}))[0] == 200
            await there.becomes(job, "paused")
            assert (await there.says("POST", f"/jobs/{job}/unpause"))[1]["state"] == "running"
            await there.becomes(job, "ended")
            assert (await there.says("POST", f"/jobs/{job}/pause"))[0] == 409

    run(scene)


def test_jobs_of_a_device_wait_for_each_other_and_those_of_another_do_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path, DEVICE, OTHER) as there:
            hangs = await there.submits("hang")
            await there.becomes(hangs, "running")
            waits = await there.submits("write a")
            other = await there.submits("write b", device=OTHER)
            await there.becomes(other, "ended")
            assert (await there.becomes(waits, "queued"))["result"] is None
            assert (await there.says("POST", f"/jobs/{hangs}/cancel"))[0] == 202
            await there.becomes(waits, "ended")
            assert (await there.becomes(hangs, "cancelled"))["result"]["outcome"] == "interrupted"
            assert (await there.says("POST", f"/jobs/{hangs}/resume"))[0] == 202
            await there.becomes(hangs, "running")

    run(scene)


def test_a_job_that_still_waits_can_be_cancelled_and_one_that_is_over_cannot(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            await there.becomes(await there.submits("hang"), "running")
            waits = await there.submits("write a")
            assert (await there.says("POST", f"/jobs/{waits}/cancel"))[0] == 202
            await there.becomes(waits, "cancelled")
            assert (await there.says("POST", f"/jobs/{waits}/cancel"))[0] == 409
            assert (await there.says("POST", f"/jobs/{waits}/resume"))[0] == 409
        async with service(tmp_path) as again:
            await again.becomes(waits, "cancelled")

    run(scene)


def test_a_job_that_breaks_does_not_stop_those_after_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path, DEVICE, "linux:display=:77777") as there:
            broken = await there.submits("break it")
            nowhere = await there.submits("write a", device="linux:display=:77777")
            good = await there.submits("write a")
            await there.becomes(good, "ended")
            assert (await there.becomes(broken, "ended"))["result"]["outcome"] == "error"
            said = (await there.becomes(nowhere, "ended"))["result"]
            assert (said["outcome"], ":77777" in said["answer"]) == ("error", True)

    run(scene)


def test_a_plan_can_be_submitted_and_a_restart_goes_on_with_it(tmp_path: Path) -> None:
    plan = {"task": "two", "steps": ["write a", "fail it", "write b"], "object": "editor"}

    async def scene() -> None:
        async with service(tmp_path) as there:
            status, job = await there.says("POST", "/jobs", {"plan": plan})
            assert status == 201
            await there.becomes(job["id"], "waiting")
        async with service(tmp_path) as again:
            assert (await again.becomes(job["id"], "interrupted"))["plan"] == plan
            assert (await again.says("POST", f"/jobs/{job['id']}/resume"))[0] == 202
            await again.becomes(job["id"], "waiting")
            assert (await again.says("POST", f"/jobs/{job['id']}/answer", {"answer": "skip"}))[0] == 200
            assert (await again.becomes(job["id"], "ended"))["result"]["rounds"] == 3
            assert (await again.says("POST", f"/jobs/{job['id']}/resume"))[0] == 409

    run(scene)


def test_a_restart_knows_what_was_done_and_does_what_was_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            done = await there.submits("write a")
            await there.becomes(done, "ended")
            cut = await there.submits("hang")
            await there.becomes(cut, "running")
            waiting = await there.submits("write b")
        async with service(tmp_path) as again:
            assert (await again.becomes(done, "ended"))["result"]["answer"] == "wrote write a"
            await again.becomes(waiting, "ended")
            await again.becomes(cut, "interrupted")
            _, text = await again.says("GET", f"/jobs/{cut}/events")
            assert events(text)[-1]["event"] == {"kind": "session.ended", "outcome": "interrupted", "answer": None}

    run(scene)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 401),
        ({"Authorization": "Bearer \xe9"}, 401),
        ({"Host": "evil.test"}, 421),
        ({"Host": "127.0.0.1.evil.test"}, 421),
        ({"Host": "localhost.evil.test:80"}, 421),
        ({"Host": "evil.test@127.0.0.1@evil.test"}, 421),
        ({"Host": "192.168.0.7"}, 421),
        ({"Host": "[::1"}, 421),
        ({"Origin": "http://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.test"}, 403),
        ({"Host": "localhost:8765"}, 200),
        ({"Host": "[::1]:8765"}, 200),
        ({"Origin": "http://127.0.0.1:8765"}, 200),
    ],
)
def test_r136_only_who_has_the_token_and_comes_from_here_is_let_in(
    headers: dict[str, str], status: int, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            for method, path in (("GET", "/jobs"), ("GET", "/none"), ("POST", "/jobs")):
                said, answer = await there.says(method, path, None, **headers)
                assert said == status if status != 200 else said < 500 and said not in (401, 403, 421), answer
            assert (await there.says("GET", f"/jobs?token={TOKEN}", None, Authorization=""))[0] == 401

    run(scene)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 400, "no JSON"),
        (b"{", 400, "no JSON"),
        (b"[" * 100_000, 400, "no JSON"),
        (b"\xff\xfe\x00", 400, "no JSON"),
        ([], 400, "object"),
        ({}, 400, "what is to be done"),
        ({"request": " "}, 400, "request"),
        ({"request": 7}, 400, "request"),
        ({"request": "a", "plan": {}}, 400, "what is to be done"),
        ({"request": "a", "colour": "red"}, 400, "colour"),
        ({"request": "a", "device": "linux"}, 400, "no device"),
        ({"request": "a", "device": ["linux"]}, 400, "device"),
        ({"plan": {"task": "t", "steps": []}}, 400, "from 1 to"),
        ({"plan": {"task": "t"}}, 400, "steps is missing"),
        ({"plan": "a"}, 400, "no plan"),
        (b"x" * (LARGEST + 1), 413, "larger"),
    ],
)
def test_what_is_no_job_is_refused_and_says_why(body: Any, status: int, said: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            answered, answer = await there.says("POST", "/jobs", body)
            assert answered == status, answer
            assert said in answer["error"]
            assert (await there.says("GET", "/jobs"))[1]["jobs"] == []

    run(scene)


@pytest.mark.parametrize(
    "path", ["/jobs/none", "/jobs/..%2f..%2fetc%2fpasswd", "/jobs/../../etc/passwd", "/jobs/token/events"]
)
def test_r136_what_is_not_there_is_not_found(path: str, tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            status, answer = await there.says("GET", path)
            assert status == 404
            assert set(answer) == {"error"}

    run(scene)


def test_a_client_that_never_reads_holds_up_nobody(tmp_path: Path) -> None:
    async def scene() -> None:
        async with service(tmp_path) as there:
            with socket.create_connection(("127.0.0.1", there.port)) as deaf:
                deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                job = await there.submits("write " + "a" * 100_000)
                for _ in range(3):
                    deaf.sendall(f"GET /jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n".encode())
                    deaf.sendall(f"Authorization: Bearer {TOKEN}\r\n\r\n".encode())
                await there.becomes(job, "ended")
                await there.becomes(await there.submits("write b"), "ended")

    run(scene)


@pytest.mark.parametrize("text", ["", "short", "with a space in it, so none", "a" * 20 + "é", "two\nlines-of-a-token"])
def test_a_file_that_holds_no_token_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(text)

    with pytest.raises(SettingsError, match="no token"):
        token_in(path)


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "token"

    made = token_in(path)

    assert made == token_in(path)
    assert len(made) >= 32
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "--token-file"),
        (["--device", "windows"], "no device"),
        (["--token-file", "/dev/null/token"], "token file"),
    ],
)
def test_r136_a_service_that_cannot_be_says_so(words: list[str], said: str, tmp_path: Path) -> None:
    done = deskhand("serve", "--port", "0", *words, home=tmp_path)

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert said in done.stderr


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [("example.test", 0, "an address"), ("127.0.0.1", 70000, "65535"), ("192.0.2.1", 0, "cannot be listened on")],
)
def test_what_cannot_be_listened_on_is_said(host: str, port: int, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        listening_on(host, port)


def test_r136_the_command_listens_here_alone_says_so_when_it_cannot_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    with commands(tmp_path) as begin, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = deskhand("serve", "--port", str(port), home=tmp_path)
        assert (done.returncode, f"port {port} is in use" in done.stderr) == (2, True)
        running = begin("serve", "--port", "0", "--device", DEVICE, "--model", MODEL, "--run-dir", "jobs")
        assert running.process.stdout is not None
        listening = running.process.stdout.readline()
        assert listening.startswith("listening on http://127.0.0.1:")
        until(lambda: (tmp_path / "jobs" / "token").exists())
        port = int(listening.rpartition(":")[2])
        table = Path("/proc/net/tcp").read_text().splitlines()
        ours = [line.split()[1] for line in table if line.split()[1].endswith(f":{port:04X}")]
        assert ours == [f"0100007F:{port:04X}"]
        second = deskhand("serve", "--port", "0", "--device", DEVICE, "--run-dir", "jobs", home=tmp_path)
        assert (second.returncode, "another deskhand serves" in second.stderr) == (2, True)
        token = (tmp_path / "jobs" / "token").read_text().strip()
        code, seconds, out, err = running.ends(2)  # type: ignore[arg-type]  # SIGINT
        assert (code, seconds < 2.5) == (130, True), err
        assert token not in out + err + listening
