"""The modes of a session in a browser, whose tabs are what agents work in."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

import deskhand
from deskhand.core.message import ElementsPart, ModelRequest, PicturePart, Reply
from deskhand.core.plan import Plan
from deskhand.core.ports import Pictures
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.settings import load
from deskhand.testing.server import Received, Say, ScriptedServer
from tests.browser.site import Site

pytestmark = [pytest.mark.device, pytest.mark.anyio]

PAGE = """<title>Guests</title><style>input, button {position: absolute; left: 50px; width: 200px; height: 40px}
input {top: 50px} button {top: 150px}</style><p id=out>nobody</p>
<form onsubmit="out.textContent='thanks '+n.value;return false"><input id=n aria-label=Name><button>Save</button>
</form>"""
ACTIONS = (("click", {"x": 100, "y": 70}), ("write", {"message": "Ann"}), ("click", {"x": 100, "y": 170}))


class Pointing:
    """An operator's model that points at pixels and reads nothing but pictures; `asked` are its requests."""

    name = "pointing"
    asked: list[ModelRequest] = []  # noqa: RUF012  made by name in the settings, looked at here

    def __init__(self) -> None:
        self.turns = count()

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        self.asked.append(request)
        steps = ACTIONS[(turn := next(self.turns)) : turn + 1]
        acts = [{"function": name, "arguments": arguments} for name, arguments in steps]
        said = {"status": "CONTINUE" if acts else "FINISH", "action": acts, "result": "" if acts else "Ann is in"}
        return Reply(text=json.dumps(said), model=self.name)


async def test_an_operator_works_in_a_tab_by_pictures_alone(site: Site, tmp_path: Path) -> None:
    operator = f"models.operator.model={__name__}:Pointing"
    settings = load([f"device=browser:url={site.page(PAGE)}", "running_mode=operator", operator], {}, tmp_path)

    async with deskhand.open_session("click Save", settings=settings, run_dir=tmp_path / "run") as session:
        result = await session.run()

    assert (result.outcome, session.started.mode) == (RunOutcome.FINISHED, RunningMode.OPERATOR)
    assert '\\"thanks Ann\\" is shown' in (tmp_path / "run" / "events.jsonl").read_text()
    kinds = {type(part) for part in Pointing.asked[-1].parts}
    assert PicturePart in kinds
    assert ElementsPart not in kinds


def native(number: int) -> str:
    calls = [f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})" for name, given in ACTIONS]
    call = [*calls, 'terminate(status="success", info="Ann is in")'][number]
    return f"<think>so</think>\n<operation>next</operation>\n<action>\n{call}\n</action>"


def planned(number: int) -> str:
    return ["# the field Name\nclick()", '# the field\nwrite(message="Ann")', "# Save\nclick()", "# in\nterminate()"][
        number
    ]


@pytest.mark.parametrize(("agent", "form"), [("native", native), ("workflow", planned)])
async def test_an_agent_that_points_works_in_a_tab_over_http(
    agent: str, form: Callable[[int], str], site: Site, tmp_path: Path
) -> None:
    points = iter(["(100, 70)", "(100, 170)"])
    turns = count()

    def reply(received: Received) -> Say:
        return Say(next(points) if "grounder" in str(received.body) else form(next(turns)))

    with ScriptedServer(always=reply) as server:
        at = [f"models.default.base_url={server.url}", "models.default.key=k", "model=openai:m"]
        spec = f"device=browser:size=1000x800,url={site.page(PAGE)}"
        settings = load([spec, f"agent={agent}", *at], {}, tmp_path)
        result = await deskhand.run("sign Ann in", settings=settings, run_dir=tmp_path / "run")

    assert (result.outcome, result.steps) == (RunOutcome.FINISHED, 4), result
    assert '\\"thanks Ann\\" is shown' in (tmp_path / "run" / "events.jsonl").read_text()


async def test_a_plan_is_followed_in_the_tab_with_that_title(site: Site, tmp_path: Path) -> None:
    settings = load([f"device=browser:url={site.page(PAGE)}", "yes=true"], {}, tmp_path)
    plan = Plan(task="a guest", steps=("type Ann into Name", "click Save"), object="guests")

    result = await deskhand.run(plan, settings=settings, run_dir=tmp_path / "run")

    assert (result.outcome, result.rounds) == (RunOutcome.FINISHED, 2)
    assert '\\"thanks Ann\\" is shown' in (tmp_path / "run" / "events.jsonl").read_text()
