"""Model calls of tasks on real applications, by a model that foresees all it can see the controls of."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import NamedTuple

import anyio

import deskhand
from deskhand.core.observation import Element, Observation
from deskhand.core.status import RunOutcome
from deskhand.session.session import BaseSession
from deskhand.settings import load
from deskhand.testing.server import ScriptedServer

Action = tuple[str, dict[str, object]]


class DesktopTask(NamedTuple):
    """What is done in one application once it is open; `{NAME}` as an element is the control of that name."""

    application: str
    actions: tuple[Action, ...]
    shows: str
    """What stands in a text box, or display, at the end."""


def press(name: str) -> Action:
    return "click", {"element": f"{{{name}}}"}


TASKS = (
    DesktopTask("galculator", tuple(map(press, "12+30=")), "42"),
    DesktopTask(
        "mousepad",
        (
            ("write", {"element": "{}", "message": "first line"}),
            ("press", {"keys": ["enter"]}),
            ("write", {"message": "second line"}),
            ("hotkey", {"keys": ["ctrl", "home"]}),
            ("write", {"message": "title: "}),
        ),
        "title: first line\nsecond line",
    ),
)


def calls(task: DesktopTask, *, speculation: bool) -> int:
    """Carry a task out on a desktop of its own; give how often the model was asked."""
    sessions: list[BaseSession] = []
    server = ScriptedServer(always=lambda _: _foreseen(task, sessions[0]))
    with server, tempfile.TemporaryDirectory() as folder:
        anyio.run(_run, task, sessions, [*_settings(server, speculation=speculation)], Path(folder))
        return len(server.requests)


def _settings(server: ScriptedServer, *, speculation: bool) -> tuple[str, ...]:
    model = (f"models.default.base_url={server.url}", "models.default.dialect=json", "model=vllm:gpt-foresees")
    return (*model, "agent=native", "device=linux:virtual,size=1280x800", f"speculation={str(speculation).lower()}")


async def _run(task: DesktopTask, sessions: list[BaseSession], options: list[str], folder: Path) -> None:
    settings = load(options, {}, folder)
    async with deskhand.open_session(task.application, settings=settings, run_dir=folder / "run") as session:
        sessions.append(session)
        result = await session.run()
    assert result.outcome is RunOutcome.FINISHED, f"{task.application}: {result.outcome} {result.answer}"
    assert task.shows in (result.answer or ""), f"{task.application} shows {result.answer!r}"


def _foreseen(task: DesktopTask, session: BaseSession) -> str:
    """Say all that is left to do in what is to be seen."""
    view = session.context.view
    step = view.step
    assert step is not None
    assert step.observation is not None
    seen = step.observation
    if not seen.windows:
        return _said("CONTINUE", [("open_app", {"app_name": task.application})])
    acts = [act for round_ in view.rounds for step in round_.steps for act in step.acts if act.came_through]
    left = task.actions[len([act for act in acts if act.action.kind != "open_app"]) :]
    if left:
        return _said("CONTINUE", [(name, _aimed(arguments, seen)) for name, arguments in left])
    return _said("FINISH", [], result="\n".join(e.value for e in seen.elements if e.value))


def _aimed(arguments: dict[str, object], seen: Observation) -> dict[str, object]:
    named = arguments.get("element")
    if not isinstance(named, str):
        return arguments
    return {**arguments, "element": _called(named.strip("{}"), seen).id}


def _called(name: str, seen: Observation) -> Element:
    if not name:
        return next(e for e in seen.elements if e.role in ("textbox", "document"))
    return next(e for e in seen.elements if e.name == name and e.role in ("button", "togglebutton"))


def _said(status: str, actions: list[Action], result: str = "") -> str:
    calls = [{"function": name, "arguments": arguments} for name, arguments in actions]
    return json.dumps({"thought": "go on", "status": status, "action": calls, "result": result})


if __name__ == "__main__":
    for task in TASKS:
        print(task.application, calls(task, speculation=True), calls(task, speculation=False))
