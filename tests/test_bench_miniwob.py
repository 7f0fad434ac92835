"""MiniWoB++: pages that judge what was done in them, in a browser of our own."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import anyio
import pytest

from deskhand.bench.attempt import Attempt
from deskhand.bench.miniwob import MiniWob
from deskhand.bench.suites import SUITES
from deskhand.core.action import At, Click, OnElement
from deskhand.core.errors import SettingsError
from deskhand.core.observation import Element
from deskhand.core.ports import Device
from deskhand.settings import Settings
from tests.command import deskhand
from tests.running import commands, until

BROWSER = Settings(device="browser:size=500x320")


def test_what_was_killed_goes_on_and_every_page_is_judged(tmp_path: Path) -> None:
    words = ("bench", "miniwob", "--tasks", "click-test,click-test-transfer,enter-text", "--out", "out", "--json")
    with commands(tmp_path) as begin:
        killed = begin(*words)
        until(lambda: len(list(tmp_path.glob("out/*/attempt.json"))) > 0, 40)
        killed.ends(signal.SIGKILL)
        over = {each: each.read_bytes() for each in tmp_path.glob("out/*/attempt.json")}

    ended = deskhand(*words, home=tmp_path)

    *attempts, summary = map(json.loads, ended.stdout.splitlines())
    judged = [Attempt.model_validate(each) for each in attempts]
    assert ended.returncode == 0, ended.stderr
    assert sorted((a.task, a.success, a.reward) for a in judged) == [
        ("click-test", True, 1.0),
        ("click-test-transfer", True, 1.0),
        ("enter-text", True, 1.0),
    ]
    assert {each: each.read_bytes() for each in over} == over
    assert sum(a.before for a in judged) == len(over)
    assert (summary["mean"], summary["of"], summary["parts"]["browsergym"]["tasks"]) == (1.0, 3, 3)
    assert all(Path(a.run_dir or "", "index.html").is_file() for a in judged)
    assert not any(b"base64" in log.read_bytes() for log in tmp_path.rglob("events.jsonl"))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_a_page_is_the_same_for_a_seed_and_knows_nothing_of_the_one_before(tmp_path: Path) -> None:
    suite = MiniWob(BROWSER)
    async with suite.kept() as kept:
        async with kept.posed("click-button", 1, tmp_path) as posed:
            asked, first = posed.request, await controls(posed.device)
            wrong = next(each for each in first if each.role == "button" and f'"{each.name}"' not in asked)
            await posed.device.perform(Click(target=OnElement(id=wrong.id)))
            judged = await posed.check()
            assert (judged.success, judged.ended, judged.reward) == (False, True, -1)
            again = await controls(posed.device)  # the end of the task is seen, its reward is not
            assert "START" in {each.name for each in again}
            start = next(each for each in again if each.name == "START")
            await posed.device.perform(Click(target=OnElement(id=start.id)))
            assert await posed.check() == judged
        async with kept.posed("click-button", 1, tmp_path) as posed:
            assert posed.request == asked
            assert [(e.role, e.name, e.box) for e in await controls(posed.device)] == [
                (e.role, e.name, e.box) for e in first
            ]
            untouched = await posed.check()
            assert (untouched.success, untouched.ended, untouched.reward) == (False, False, 0)


@pytest.mark.anyio
async def test_a_page_on_a_desktop_is_judged_past_what_the_agent_sees(tmp_path: Path) -> None:
    suite = MiniWob(Settings(device="linux:virtual,size=640x480"))
    async with suite.kept() as kept, kept.posed("click-test", 0, tmp_path) as posed:
        assert (await posed.check()).ended is False
        with anyio.fail_after(20):
            while not (found := [e for e in await controls(posed.device) if e.name == "Click Me!"]):  # noqa: ASYNC110
                await anyio.sleep(0.05)
        seen = (await posed.device.observe()).observation
        assert "Last reward" not in str(seen)

        await posed.device.perform(Click(target=At(point=found[0].box.center)))

        judged = await posed.check()
        assert (judged.success, judged.reward, judged.ended) == (True, 1, True)


async def controls(device: Device) -> list[Element]:
    return list((await device.observe()).observation.elements)


def test_all_tasks_are_there_and_five_of_them_nobody_else_reports_on() -> None:
    tasks = set(MiniWob(BROWSER).tasks)

    assert len(tasks) == 130
    assert len(tasks - SUITES["miniwob"].parts["browsergym"]) == 125


@pytest.mark.parametrize(
    "device", ["linux", "linux:display=:1", "shell", "browser:cdp=http://127.0.0.1:1", "browser:x"]
)
def test_a_device_that_holds_something_of_the_users_is_refused(device: str) -> None:
    with pytest.raises(SettingsError):
        MiniWob(Settings(device=device))
