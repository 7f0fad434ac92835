"""What models are told they can do: on each platform, and with tools; where there are none, nothing of them."""

from __future__ import annotations

import json
from typing import Any, get_args

import anyio
import pytest

from deskhand.core.action import ActionResult, CallTool
from deskhand.core.errors import ToolFailed
from deskhand.core.family import SCALECUA
from deskhand.core.message import HistoryPart, Part, PastStep, PicturePart, RequestPart, ToolsPart, ToolSpec
from deskhand.core.ports import Dialect
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.prompt import Platform, Prompts
from deskhand.processors.limits import Limits
from deskhand.testing import ScriptedModel
from tests.paper import app, assign, context, one_subtask, session

WEATHER = ToolSpec(
    name="weather",
    description="Says how the\nweather is.",
    arguments={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
DIALECTS = (JsonReply(), MarksReply(), NativeReply(), PlanReply())


class Weather:
    """A tool with an answer, or without one for a place that is not there."""

    about = WEATHER

    def __init__(self, *applications: str) -> None:
        self.about = WEATHER.model_copy(update={"applications": applications})
        self.asked: list[dict[str, Any]] = []

    async def call(self, arguments: dict[str, Any]) -> str:
        self.asked.append(arguments)
        if arguments.get("city") != "Graz":
            raise ToolFailed("there is no such city; known is Graz")
        return "rain " * 300


def composed(dialect: Dialect, *parts: Part) -> str:
    request = dialect.compose("app", (RequestPart(text="do it"), *parts))
    return "\n".join([request.system, *(turn.text for turn in request.turns)])


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_a_tool_is_told_with_its_arguments_in_every_dialect(dialect: Dialect) -> None:
    told = composed(dialect, ToolsPart(tools=(WEATHER,)))

    assert "call_tool(tool: str" in told
    assert f"- weather: Says how the weather is. (arguments by the schema {json.dumps(WEATHER.arguments)})" in told


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_without_tools_calling_one_is_not_offered(dialect: Dialect) -> None:
    assert "call_tool" not in composed(dialect, ToolsPart())


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_the_latest_answer_of_a_tool_is_told_in_full_and_older_ones_are_cut(dialect: Dialect) -> None:
    def step(number: int) -> PastStep:
        answer = ActionResult(outcome="done", value=f"<{number}> " + "word " * 500 + f"end of {number}")
        return PastStep(step=number, thought="ask", actions=(CallTool(tool="weather"),), results=(answer,))

    told = composed(dialect, HistoryPart(steps=(step(1), step(2))))

    assert "end of 2" in told
    assert "end of 1" not in told


def test_a_flood_of_tools_and_words_stays_bounded() -> None:
    tools = tuple(WEATHER.model_copy(update={"name": f"t{n}", "description": "x" * 9999}) for n in range(500))

    told = composed(JsonReply(), ToolsPart(tools=tools))

    assert len(told) < 70_000
    assert "... 440 more" in told


def test_an_agent_calls_a_tool_and_reads_its_answer_or_why_not() -> None:
    call: tuple[str, dict[str, object]] = ("call_tool", {"tool": "weather", "arguments": {"city": "Graz"}})
    wrong: tuple[str, dict[str, object]] = ("call_tool", {"tool": "weather", "arguments": {"city": "Nowhere"}})
    model, tool = one_subtask(app("CONTINUE", wrong), app("CONTINUE", call), app("FINISH")), Weather()
    made = context(model, tools={"weather": tool})

    anyio.run(session(made).run)

    asked = [request for request in model.requests if request.role == "app"]
    assert "- weather: Says how" in asked[0].system
    assert "failed: there is no such city; known is Graz" in asked[1].turns[0].text
    assert "rain rain" in asked[2].turns[0].text
    assert tool.asked == [{"city": "Nowhere"}, {"city": "Graz"}]


@pytest.mark.parametrize(("applications", "offered"), [(("Editor",), True), (("calculator",), False)])
def test_a_tool_of_one_application_is_offered_there_only(applications: tuple[str, ...], offered: bool) -> None:
    model = one_subtask(app("FINISH"))

    anyio.run(session(context(model, tools={"weather": Weather(*applications)})).run)

    assert ("weather" in model.requests[1].system) is offered


@pytest.mark.parametrize("platform", get_args(Platform))
@pytest.mark.parametrize("name", ["json", "marks", "native", "plan"])
def test_a_model_is_told_of_the_platform_that_the_device_is(name: str, platform: Platform) -> None:
    dialect = make_dialect(name, Wanted(SCALECUA, platform=platform))

    told = composed(dialect)

    assert Prompts().filled(f"platform_{platform}") in told
    assert ("keyDown" in told) is (platform == "linux")


@pytest.mark.parametrize(
    ("name", "earlier", "shown"),
    [
        ("json", None, [1, 2, 2]),
        ("json", 0, [1, 1, 1]),
        ("marks", 2, [1, 2, 3]),
        ("plan", 1, [1, 2, 3]),
        ("plan", None, [1, 1, 1]),
        ("native", None, [1, 1, 1]),
    ],
)
def test_pictures_of_earlier_steps_go_along_as_far_as_is_set(name: str, earlier: int | None, shown: list[int]) -> None:
    said = {
        "json": '{"status": "CONTINUE", "action": {"function": "press", "arguments": {"keys": ["a"]}}}',
        "native": "<operation>go on</operation><action>press(keys='a')</action>",
        "plan": "# go on\npress(keys='a')",
    }
    line = said.get(name, said["json"])
    made = context(ScriptedModel(host=[assign()], app=[line] * 9), limits=Limits(round_steps=5))
    made.dialects = {"app": make_dialect(name, Wanted(SCALECUA, earlier=earlier))}

    anyio.run(session(made).run)

    model = made.models["planner"]
    assert isinstance(model, ScriptedModel)
    requests = [request for request in model.requests if request.role == "app"]
    assert [sum(len(turn.pictures) for turn in request.turns) for request in requests] == shown
    assert [request.turns[-1].pictures[-1:] for request in requests] == [
        (r.parts[-1].image,) if isinstance(r.parts[-1], PicturePart) else () for r in requests
    ]
