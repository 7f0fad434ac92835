"""What users met with models in other systems, area by area; each name says the report."""

from __future__ import annotations

import json
import logging
from functools import partial
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deskhand
from benchmarks.model_rows import dialects, elements, parts, tokens
from deskhand.cli.spending import spending
from deskhand.core.action import At, Click
from deskhand.core.errors import UnreadableReply
from deskhand.core.event import ActionStarted, ModelAsked, ModelReplied, Record, Scope
from deskhand.core.family import SPACES
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.message import Reply, Usage
from deskhand.core.ports import Dialect
from deskhand.core.status import RunOutcome
from deskhand.dialects.ground import GroundReply
from deskhand.dialects.native import NativeReply
from deskhand.models.factory import Makers
from deskhand.models.options import ModelSettings
from deskhand.settings import load
from deskhand.testing import ScriptedModel
from deskhand.testing.server import ScriptedServer
from tests import command
from tests.paper import app, context, events, one_subtask, session

HD = Frame(Size(1920, 1080), Size(1920, 1080))
SHAPES = ("({})", "[{}]", "[[{}]]", "<point>{}</point>", "<bbox>{}</bbox>", "<|box_start|>({})<|box_end|>")


@given(
    shape=st.sampled_from(SHAPES),
    parting=st.sampled_from([",", ", ", " ", " , "]),
    corner=st.tuples(st.integers(0, 950), st.integers(0, 500)),
    extent=st.integers(0, 20),
    quote=st.sampled_from(["'", '"', "“”"]),
)
def test_r005_any_mix_of_brackets_tags_numbers_and_commas_is_the_same_point(
    shape: str, parting: str, corner: tuple[int, int], extent: int, quote: str
) -> None:
    left, top = corner
    corners = [left, top, left + 2 * extent, top + 2 * extent]
    numbers = corners if extent else corners[:2]
    place = shape.format(parting.join(map(str, numbers)))
    quoted = f"{quote[0]}{place}{quote[-1]}"
    space = SPACES["pixels"]

    (action,) = NativeReply(space).read(f"Thought: t\nAction: click(start_box={quoted})", HD).actions

    point = Point(left + extent, top + extent)
    assert action == Click(target=At(point=point))
    assert GroundReply(space).point(place, HD) == Click(target=At(point=point))


def test_r012_prose_instead_of_a_finish_is_asked_about_and_never_taken_for_one() -> None:
    model = one_subtask("The file has been saved.", app("FINISH", result="saved"))
    made = context(model)

    result = anyio.run(session(made).run)

    asked = [request for request in model.requests if request.role == "app"]
    assert "is the task finished? then with status FINISH" in asked[1].turns[0].text
    assert "The file has been saved." in asked[1].turns[0].text
    assert result.outcome is RunOutcome.FINISHED
    assert [step for round_ in made.view.rounds for step in round_.steps if step.error] == []

    endless = context(ScriptedModel(*["All is done."] * 40))
    ended = anyio.run(session(endless).run)

    assert ended.outcome in (RunOutcome.STUCK, RunOutcome.FAILED, RunOutcome.ERROR)
    assert "All is done." in str(ended.answer)
    assert events(endless, ActionStarted) == []


def test_r022_a_model_of_no_known_family_is_said_to_be_guessed_at(caplog: pytest.LogCaptureFixture) -> None:
    def warned(model: str, **options: str) -> str:
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            Makers({"default": ModelSettings(model=model, **options)}, {}).models()  # type: ignore[arg-type]  # texts all
        return caplog.text

    said = warned("vllm:brand-new-vl")
    assert "vllm:brand-new-vl is of no known family" in said
    assert "models.planner.coordinates" in said
    assert warned("vllm:brand-new-vl", coordinates="0-1000") == ""
    assert warned("vllm:qwen3-vl-8b") == ""


def test_r022_a_trial_infers_the_space_that_a_model_counts_in(tmp_path: Path) -> None:
    lines = ["ready", "red", '{"fruit": "apple", "number": 7}', "(719, 312)"]
    with ScriptedServer(*lines) as server:
        url = ("-c", f"models.default.base_url={server.url}")
        tried = command.deskhand("models", "test", "vllm:brand-new-vl", *url, home=tmp_path)

    assert "the rectangle lies at 400..520, 120..180" in tried.stdout
    assert "counted in 0-1000 it would be right: set coordinates=0-1000" in tried.stdout


@pytest.mark.parametrize("call", ["click(1800, 100)", "click(-5, 10)", "click(1367, 767)"])
def test_r026_what_lies_outside_the_picture_is_refused_in_its_own_numbers(call: str) -> None:
    shown = Frame(Size(1366, 768), Size(1366, 768))

    with pytest.raises(UnreadableReply, match=r"lies outside 0\.\.1366 x 0\.\.768"):
        NativeReply(SPACES["pixels"]).read(f"<action>{call}</action>", shown)


def test_r109_each_models_calls_tokens_and_cost_are_told_by_role_and_unknown_is_not_none() -> None:
    told = [("host", "openai:m", Usage(input_tokens=1000, output_tokens=50, usd=0.01))] * 2
    told += [("app", "openai:m", Usage(input_tokens=1000, output_tokens=50)), ("planner", "vllm:m", Usage())]
    told += [("grounder", "vllm:g", Usage(input_tokens=5)), ("grounder", "vllm:g", Usage())]
    records = [
        Record(seq=number, time=0.0, scope=Scope(agent=f"{role}-agent"), event=event)
        for number, (role, model, usage) in enumerate(told, 1)
        for event in (
            ModelAsked(role=role, model=model, request="0"),  # type: ignore[arg-type]  # it is one
            ModelReplied(role=role, text="x", usage=usage, seconds=1.0, model=model),  # type: ignore[arg-type]
        )
    ]

    assert spending(records) == [
        "host, openai:m: 2 calls, 2000 tokens in, 100 out, $0.0200",
        "app, openai:m: 1 call, 1000 tokens in, 50 out",
        "planner, vllm:m: 1 call, tokens unknown, as the service does not tell",
        "grounder, vllm:g: 2 calls, at least 5 tokens in, 0 out",
        "of that host-agent: 2 calls, 2000 tokens in, 100 out, $0.0200",
        "of that app-agent: 1 call, 1000 tokens in, 50 out",
        "of that planner-agent: 1 call, tokens unknown, as the service does not tell",
        "of that grounder-agent: 2 calls, at least 5 tokens in, 0 out",
    ]


@pytest.mark.parametrize("dialect", dialects(), ids=lambda dialect: dialect.name)
def test_r111_requests_stay_as_large_as_they_are_over_sixty_steps(dialect: Dialect) -> None:
    shown = elements(60)

    sizes = [tokens(dialect.compose("app", parts(step, shown))) for step in range(60)]

    assert max(sizes[40:]) <= 1.2 * min(sizes[40:])
    assert max(sizes) <= 1.25 * sizes[4]


@pytest.mark.parametrize(
    "arguments",
    [{"x": 50, "y": 60}, json.dumps({"x": 50, "y": 60}), [50, 60]],
    ids=["object", "text", "list"],
)
def test_r008_a_tool_call_in_the_text_is_the_call_and_an_empty_one_is_none(arguments: object) -> None:
    dialect = NativeReply(SPACES["pixels"])
    said = json.dumps({"name": "click", "function": "click", "arguments": arguments})

    decision = dialect.parse("app", Reply(text=f"<tool_call>\n{said}\n</tool_call>"), HD)

    assert decision.actions == (Click(target=At(point=Point(50, 60))),)  # type: ignore[union-attr]  # an app's
    with pytest.raises(UnreadableReply, match="is not an action"):
        dialect.parse("app", Reply(text="<tool_call>{}</tool_call>"), HD)


@pytest.mark.parametrize(
    ("agent", "click", "pointed"),
    [("native", "click(x=12, y=25)", 0), ("workflow", "click(element='e101')", 0), ("workflow", "click()", 3)],
)
def test_r160_a_click_costs_one_call_and_one_of_the_grounder_where_no_element_is_named(
    agent: str, click: str, pointed: int
) -> None:
    wrapped = "# {0}\n{1}" if agent == "workflow" else "<operation>{0}</operation>\n<action>{1}</action>"
    calls = ("open_app(app_name='editor')", click, click, click, "terminate(status='success')")
    planning, pointing = (wrapped.format("Go on", call) for call in calls), ["click(12, 25)"] * 3
    records: list[Record] = []
    with ScriptedServer(*planning) as planner, ScriptedServer(*pointing) as grounder:
        own = [f"models.grounder.base_url={grounder.url}", "models.grounder.model=vllm:g", f"agent={agent}"]
        own += [f"models.default.base_url={planner.url}", "model=vllm:p", "device=tests.desks:paper"]
        ask = partial(deskhand.run, "press it", settings=load(own, {}, Path()), listeners=[records.append])
        result = anyio.run(ask)

    clicks = [r.event for r in records if isinstance(r.event, ActionStarted) and r.event.action.kind == "click"]
    assert (result.outcome, len(clicks)) == (RunOutcome.FINISHED, 3)
    assert (len(planner.requests), len(grounder.requests)) == (5, pointed)
    told = spending(records)
    assert told[0] == "planner, vllm:p: 5 calls, 500 tokens in, 50 out"
    assert told[1:] == ([f"grounder, vllm:g: {pointed} calls, 300 tokens in, 30 out"] if pointed else [])
