"""The examples of how the system is extended: each is as short as promised, passes the checks, and works in a run."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from deskhand.agents.factory import AgentRegistry
from deskhand.core.event import StepEnded
from deskhand.core.ports import Device, Dialect, Model
from deskhand.testing import PaperDesk, ScriptedModel, check_device, check_dialect, check_model
from deskhand.testing.desk import PaperWindow
from deskhand.tools.function import FunctionTool
from deskhand.wiring import open_device
from tests.command import deskhand
from tests.paper import app, assign, context, host, session

EXAMPLES = Path(__file__).parent.parent / "examples"
pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.syspath_prepend(str(EXAMPLES))


def desk_with(*buttons: str) -> PaperDesk:
    return PaperDesk(windows=[PaperWindow("w1", "editor", buttons=buttons)])


def example(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_has_at_most_forty_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 40


async def test_a_device_of_ones_own_passes_the_checks() -> None:
    await check_device(lambda: open_device("own_device:open_lamp"))


def test_a_device_of_ones_own_is_used_like_any_other(tmp_path: Path) -> None:
    looked = deskhand("look", "--json", "--device", "own_device:open_lamp", home=tmp_path, PYTHONPATH=str(EXAMPLES))
    acted = deskhand(
        "act", "--device", "own_device:open_lamp", 'click(element="e1")', home=tmp_path, PYTHONPATH=str(EXAMPLES)
    )

    assert json.loads(looked.stdout)["elements"][0]["name"] == "Lamp", looked.stderr
    assert "the lamp is on" in acted.stdout, acted.stderr


async def test_a_model_of_ones_own_carries_out_a_request() -> None:
    model: Model = example("own_model").Butler()
    desk = desk_with("No", "Yes")

    result = await session(context(model, desk=desk)).run()

    assert (result.outcome, result.answer) == ("finished", "agreed 1 times")
    assert desk.windows[0].presses == 1


async def test_a_model_of_ones_own_passes_the_checks() -> None:
    reply = await check_model(ScriptedModel("yes"))

    assert reply.text == "yes"


def test_a_dialect_of_ones_own_passes_the_checks() -> None:
    dialect: Dialect = example("own_dialect").TwoWords()

    check_dialect(dialect, "planner", replies=("press Save", "done"))


async def test_a_tool_of_ones_own_is_called_and_answers() -> None:
    call = app("CONTINUE", ("call_tool", {"tool": "stock", "arguments": {"article": "tea"}}))
    model = ScriptedModel(host=[assign(), host()], app=[call, app("FINISH")])
    made = context(model, tools={"stock": FunctionTool(example("own_tool").stock)})

    await session(made).run()

    told, then = (r for r in model.requests if r.role == "app")
    assert "Say how much of an article is in stock." in told.turns[-1].text + told.system
    assert "12 boxes of tea" in then.turns[-1].text


async def test_an_agent_of_ones_own_answers_without_screen_and_model() -> None:
    name = AgentRegistry.load("own_agent:Counter")
    try:
        model = ScriptedModel(host=[assign(name, "how many words are these"), host(result="there")])
        made = context(model, agents=(name,))
        result = await session(made).run()
    finally:
        AgentRegistry.forget(name)

    assert result.outcome == "finished"
    assert [r.role for r in model.requests] == ["host", "host"]
    assert made.view.blackboard["result_1"].value == "5 words"


async def test_a_strategy_of_ones_own_decides_what_a_model_is_shown() -> None:
    name = AgentRegistry.load("own_strategy:CalmAgent")
    try:
        desk: Device = desk_with("Buy now", "Save")
        model = ScriptedModel(host=[assign(), host()], app=[app("FINISH")])
        calm = ScriptedModel(host=[assign(name, "read it"), host()], app=[app("FINISH")])
        await session(context(model, desk=desk)).run()
        await session(context(calm, desk=desk, agents=(name,))).run()
    finally:
        AgentRegistry.forget(name)

    usual, less = (next(r for r in m.requests if r.role == "app").turns[-1].text for m in (model, calm))
    assert "Buy now" in usual
    assert "Buy now" not in less
    assert "Save" in less


async def test_a_middleware_of_ones_own_is_told_of_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    name = AgentRegistry.load("own_middleware:TimedAgent")
    try:
        made = context(ScriptedModel(host=[assign(name, "read it"), host()], app=[app("FINISH")]), agents=(name,))
        await session(made).run()
    finally:
        AgentRegistry.forget(name)

    said = capsys.readouterr().err
    assert said.count("TimedAgent begins a step") == 1
    assert "llm_interaction: " in said
    assert any(isinstance(record.event, StepEnded) for record in made.journal.records())
