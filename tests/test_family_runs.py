"""Whole runs on real applications by models that answer in the form of their family, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.action import Click
from deskhand.core.event import ActionStarted
from deskhand.core.geometry import Point, Size
from deskhand.core.observation import Observation
from deskhand.core.status import RunOutcome
from deskhand.session.session import BaseSession, SessionResult
from deskhand.settings import load
from deskhand.testing.received import Received
from deskhand.testing.server import ScriptedServer

Said = Callable[[str, Sequence[tuple[int, int]]], str]
"""Writes a reply: what it does, and where."""
GRIDS = {Size(1280, 800): Size(1288, 812), Size(1366, 768): Size(1372, 756)}
"""What the usual models make of pictures of these sizes before they look at them; section 2.5 has the figures."""
THOUSANDTHS = Size(1000, 1000)
SUM = "6*7="


def run(
    model: str, size: str, mind: Callable[[Observation, Received], str], folder: Path, *options: str
) -> tuple[SessionResult, list[Received], BaseSession]:
    """Carry out a request with `mind` behind a real server; it is given what is on the screen, and what it was sent."""
    begun: list[BaseSession] = []

    def answer(received: Received) -> str:
        step = begun[0].context.view.step
        assert step is not None
        assert step.observation is not None
        return mind(step.observation, received)

    async def scene() -> SessionResult:
        given = [f"device=linux:virtual,size={size}", f"model=vllm:{model}", f"models.default.base_url={server.url}"]
        settings = load([*given, *options], {}, folder)
        async with deskhand.open_session("do it", settings=settings, run_dir=folder / "run") as session:
            begun.append(session)
            return await session.run()

    server: ScriptedServer = ScriptedServer(always=answer)
    with server:
        return anyio.run(scene), server.requests, begun[0]


def pointed(points: Sequence[Point], received: Received, grid: Size | None = None) -> list[tuple[int, int]]:
    """Give places as a model sees them in the last picture that it was sent."""
    picture = received.pictures[-1].size
    shown = grid or GRIDS[picture]
    return [(round(x * shown.width / picture.width), round(y * shown.height / picture.height)) for x, y in points]


def as_ui_tars(doing: str, places: Sequence[tuple[int, int]]) -> str:
    acts = [f"click(start_box='({x},{y})')" for x, y in places]
    acts = acts or ["open_app(app_name='galculator')" if doing == "open" else f"finished(content='{doing}')"]
    return "Thought: Go on.\nAction: " + "\n\n".join(acts)


def as_qwen(doing: str, places: Sequence[tuple[int, int]]) -> str:
    acts: list[dict[str, object]] = [{"action": "left_click", "coordinate": place} for place in places]
    if not acts and doing == "open":
        acts = [{"action": "open_app", "app_name": "galculator"}]
    acts = acts or [{"action": "answer", "text": doing}, {"action": "terminate", "status": "success"}]
    calls = [json.dumps({"name": "computer_use", "arguments": arguments}) for arguments in acts]
    return "Action: Go on.\n" + "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in calls)


@pytest.mark.parametrize(
    ("model", "size", "said", "grid"),
    [
        ("ByteDance-Seed/UI-TARS-1.5-7B", "1280x800", as_ui_tars, None),
        ("Qwen/Qwen3-VL-8B-Instruct", "1366x768", as_qwen, THOUSANDTHS),
    ],
    ids=["ui-tars-1.5", "qwen3-vl"],
)
def test_a_product_is_worked_out_by_clicks_in_the_space_of_the_family(
    model: str, size: str, said: Said, grid: Size | None, tmp_path: Path
) -> None:
    def mind(seen: Observation, received: Received) -> str:
        buttons = {e.name: e.box.center for e in seen.elements if e.role == "button"}
        if not buttons:
            return said("open", [])
        display = next(e.value for e in seen.elements if e.role == "textbox")
        return said(display, [] if display == "42" else pointed([buttons[key] for key in "C" + SUM], received, grid))

    form = "models.default.dialect=" + ("tool_call" if grid else "thought_action")
    result, requests, session = run(model, size, mind, tmp_path, form)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "42")
    acts = [record.event for record in session.context.journal.records() if isinstance(record.event, ActionStarted)]
    clicked = [act.on for act in acts if isinstance(act.action, Click)]
    assert clicked[-len(SUM) :] == [f"button {key!r}" for key in SUM]
    assert "Go on." in requests[-1].text


def test_keys_are_held_over_others_in_code_and_let_go(tmp_path: Path) -> None:
    steps = iter(
        (
            "open_app(app_name='mousepad')",
            "pyautogui.click(x={x}, y={y})\npyautogui.write(message='one two')\npyautogui.keyDown('shift')\n"
            "pyautogui.press(keys=['home'])\npyautogui.keyUp('shift')\npyautogui.write(message='three')",
        )
    )

    def mind(seen: Observation, received: Received) -> str:
        text = next((e for e in seen.elements if e.role == "textbox"), None)
        ((x, y),) = pointed([text.box.center], received) if text else [(0, 0)]
        code = next(steps, f"computer.terminate(status='success', answer={text.value if text else ''!r})")
        return f"## Thought:\nGo on.\n\n## Action:\nGo on.\n\n## Code:\n```python\n{code.format(x=x, y=y)}\n```"

    result, _, _ = run("xlangai/OpenCUA-32B", "1366x768", mind, tmp_path)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "three")
