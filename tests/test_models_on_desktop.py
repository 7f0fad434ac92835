"""Whole runs on real applications, with a model over real HTTP, in each dialect; replies are made from the screen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.family import SCALECUA
from deskhand.core.geometry import RATIO, Frame, Point
from deskhand.core.observation import Element, Observation
from deskhand.core.status import RunOutcome
from deskhand.perception.marks import number_of
from deskhand.session.session import BaseSession, SessionResult
from deskhand.settings import Settings, load
from deskhand.testing.received import Received
from deskhand.testing.server import ScriptedServer

TEXT = "naïve – 你好 – 😀"
Mind = Callable[[Observation, int], str]
"""A model: what it answers to what is on the screen, the `n`th time it is asked."""


def run(
    mind: Mind, folder: Path, *options: str, sessions: list[BaseSession] | None = None
) -> tuple[SessionResult, list[Received], BaseSession]:
    """Carry out a request with `mind` behind a real server; `sessions` takes the session as soon as there is one."""
    begun = [] if sessions is None else sessions

    server: ScriptedServer = ScriptedServer(always=lambda _: mind(seen_by(begun), len(server.requests)))

    async def scene(settings: Settings) -> SessionResult:
        async with deskhand.open_session(f"Write {TEXT}", settings=settings, run_dir=folder / "run") as session:
            begun.append(session)
            return await session.run()

    with server:
        given = ["device=linux:virtual,size=1280x800", f"models.default.base_url={server.url}", "models.default.key=k"]
        settings = load([*given, *options], {}, folder)
        return anyio.run(scene, settings), server.requests, begun[0]


def seen_by(sessions: list[BaseSession]) -> Observation:
    """What the agent in turn has just looked at."""
    step = sessions[0].context.view.step
    assert step is not None
    assert step.observation is not None
    return step.observation


def last_look(session: BaseSession) -> Observation:
    return [s.observation for s in session.context.view.rounds[0].steps if s.observation is not None][-1]


def field(seen: Observation) -> Element:
    return next(e for e in seen.elements if e.role == "textbox")


def button(seen: Observation, name: str) -> Element:
    return next(e for e in seen.elements if e.role in ("menu", "menuitem") and e.name == name)


def shown(point: Point, grid: Frame) -> str:
    x, y = grid.to_shown(point)
    return f"x={x:.4f}, y={y:.4f}"


def as_json(seen: Observation, turn: int) -> str:
    if not seen.elements and turn == 1:
        said: dict[str, object] = {"status": "ASSIGN", "application": "mousepad", "current_subtask": f"write {TEXT}"}
    elif not seen.elements:
        said = {"status": "FINISH", "result": "done"}
    elif field(seen).value != TEXT:
        action = {"function": "write", "arguments": {"element": field(seen).id, "message": TEXT}}
        said = {"thought": "it is empty", "status": "CONTINUE", "action": [action]}
    else:
        said = {"status": "FINISH", "result": field(seen).value}
    return f"Here you are:\n```json\n{json.dumps(said)}\n```"


def as_marks(seen: Observation, turn: int) -> str:
    if not seen.elements or field(seen).value == TEXT:
        return as_json(seen, turn)
    action = {"function": "write", "arguments": {"element": number_of(field(seen)), "message": TEXT}}
    return json.dumps({"status": "CONTINUE", "action": [action]})


def as_native(seen: Observation, turn: int) -> str:
    size = seen.screen.size
    at = shown(field(seen).box.center, Frame(size, SCALECUA.space.grid(size))) if seen.elements else ""
    steps = {
        1: ("open the editor", 'open_app(app_name="mousepad")'),
        2: ("click into the text", f"click({at})"),
        3: ("write the text", f'write(message="{TEXT}")'),
    }
    operation, action = steps.get(turn, ("end", 'response(answer="written")\nterminate(status="success")'))
    return (
        f"<think>Not this: click(x=1, y=1)</think>\n<operation>{operation}</operation>\n<action>\n{action}\n</action>"
    )


def as_plan(_: Observation, turn: int) -> str:
    steps = {
        1: "# Open the editor\nopen_app(app_name='mousepad')",
        2: "# Open the Edit menu\nclick(x=0, y=0)",
        3: "# Close the menu\npress(keys='esc')",
        4: f"# Write the text\nwrite(message='{TEXT}')",
    }
    return "```python\n" + steps.get(turn, "# Done\nterminate(status='success')") + "\n```"


@pytest.mark.parametrize(("dialect", "mind"), [("json", as_json), ("marks", as_marks)])
def test_a_host_and_an_app_agent_work_by_what_a_model_says(dialect: str, mind: Mind, tmp_path: Path) -> None:
    result, requests, session = run(mind, tmp_path, "model=openai:gpt-4o", f"models.default.dialect={dialect}")

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "done")
    assert session.context.view.blackboard["result_1"].value == TEXT
    assert requests[0].pictures == ()  # the desktop is empty then
    assert all(len(r.pictures) >= 1 for r in requests[1:])


def test_one_model_that_plans_and_points_works_alone(tmp_path: Path) -> None:
    result, requests, session = run(as_native, tmp_path, "model=openai:scalecua")

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "written")
    steps = session.context.view.rounds[0].steps
    assert field(last_look(session)).value == TEXT
    assert {s.agent for s in steps} == {"NativeAgent"}
    assert all(len(r.pictures) == 1 for r in requests)
    assert "Step 2: click into the text" in requests[2].text


def test_a_planner_without_eyes_for_places_and_the_built_in_grounder_work_together(tmp_path: Path) -> None:
    result, _, session = run(as_plan, tmp_path, "model=openai:gpt-4o", "agent=workflow")

    assert result.outcome is RunOutcome.FINISHED
    steps = session.context.view.rounds[0].steps
    clicked = next(a for s in steps for a in s.acts if a.action.kind == "click")
    assert clicked.on == "menu 'Edit'"
    assert field(last_look(session)).value == TEXT


def test_a_grounding_model_points_for_the_planner(tmp_path: Path) -> None:
    sessions: list[BaseSession] = []

    def pointing(_: Received) -> str:
        seen = seen_by(sessions)
        size = seen.screen.size
        return f"click({shown(button(seen, 'Edit').box.center, Frame(size, RATIO.grid(size)))})"

    with ScriptedServer(always=pointing) as grounder:
        own = ["models.grounder.model=openai:pointer", f"models.grounder.base_url={grounder.url}"]
        own += ["models.grounder.key=k", "models.grounder.coordinates=0-1", "model=openai:gpt-4o", "agent=workflow"]
        result, _, session = run(as_plan, tmp_path, *own, sessions=sessions)

    assert result.outcome is RunOutcome.FINISHED
    clicked = next(a for s in session.context.view.rounds[0].steps for a in s.acts if a.action.kind == "click")
    assert clicked.on == "menu 'Edit'"
    assert [len(r.pictures) for r in grounder.requests] == [1]
