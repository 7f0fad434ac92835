"""Calls of Anthropic's own tools for the screen, and what is sent to tell what came of them."""

from __future__ import annotations

from typing import Any

from deskhand.core.action import (
    ActionResult,
    At,
)
from deskhand.core.decision import AppDecision
from deskhand.core.family import family_of
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.message import (
    HistoryPart,
    ModelRequest,
    Part,
    PastStep,
    PicturePart,
    Reply,
    RequestPart,
    Verbatim,
)
from deskhand.core.ports import Dialect
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.dialects.prompt import Platform
from deskhand.testing.received import Received
from deskhand.testing.server import ScriptedServer
from tests.sdk import check_sent
from tests.services import picture, replied

SPEC = "anthropic-computer:claude-opus-5"
OLD = "anthropic-computer:claude-sonnet-4-5"
FULL_HD = Size(1920, 1080)
FRAME = Frame(Size(1280, 800), Size(1280, 800))
REQUEST = "anthropic.types.beta.message_create_params:MessageCreateParamsNonStreaming"


def dialect(platform: Platform = "linux", spec: str = SPEC, earlier: int | None = None) -> Dialect:
    return make_dialect("computer", Wanted(family_of(spec), platform=platform, earlier=earlier))


def use(name: str, number: int = 0, toolset: str = "computer", **given: Any) -> dict[str, Any]:
    """A call of a set of tools; without a set, of the one tool for computers."""
    made = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given, "toolset_name": toolset}
    return made if toolset else {**made, "name": "computer", "input": {"action": name, **given}, "toolset_name": None}


def reply(*pieces: dict[str, Any], by: str = SPEC) -> Reply:
    return Reply(text="-", verbatim=Verbatim(by=by, pieces=pieces))


def decided(*pieces: dict[str, Any], frame: Frame = FRAME) -> AppDecision:
    decision = dialect().parse("app", reply(*pieces), frame)
    assert isinstance(decision, AppDecision)
    return decision


def at(x: int, y: int) -> At:
    return At(point=Point(x, y))


def step(number: int, *pieces: dict[str, Any], results: tuple[ActionResult, ...] = (), **more: Any) -> PastStep:
    """A step as it is remembered, done as far as there are results."""
    given = reply(*pieces)
    decision = dialect().parse("app", given, FRAME)
    assert isinstance(decision, AppDecision)
    told = {"thought": decision.thought, "actions": decision.actions[: len(results)], "results": results, **more}
    return PastStep(step=number, reply=given, **told)


def shown(*steps: PastStep, size: Size = FRAME.device, more: tuple[Part, ...] = ()) -> tuple[Part, ...]:
    """What is told: the steps with the picture that each was decided on, and that of now."""
    before = [PicturePart(image=picture(s.step, size), of=f"step {s.step}") for s in steps]
    now = PicturePart(image=picture(255, size))
    return (RequestPart(text="Save the file"), HistoryPart(steps=steps), *more, *before, now)


def sent(*requests: ModelRequest, spec: str = SPEC, **options: Any) -> list[Received]:
    """Send requests over real HTTP; each must be what the SDK says can be sent."""
    with ScriptedServer(always="Done.") as server:
        replied(server, *requests, spec=spec, key="k", **options)
    for received in server.requests:
        betas = received.headers.get("anthropic-beta")
        check_sent({**received.body, **({"betas": betas.split(",")} if betas else {})}, REQUEST)
    return server.requests


def told(*steps: PastStep, spec: str = SPEC, platform: Platform = "linux", **more: Any) -> list[dict[str, Any]]:
    """Give the messages that tell of steps."""
    (received,) = sent(dialect(platform, spec).compose("planner", shown(*steps, **more)), spec=spec)
    return list(received.body["messages"])


def answers(message: dict[str, Any]) -> list[tuple[str, bool, int]]:
    """Give each answer's text, whether it is an error, and how many pictures are in it."""
    results = [block for block in message["content"] if block["type"] == "tool_result"]
    pictures = [sum(part["type"] == "image" for part in result["content"]) for result in results]
    return [(r["content"][0]["text"], r["is_error"], count) for r, count in zip(results, pictures, strict=True)]


OK = ActionResult(outcome="done", text="seen")
FAILED = ActionResult(outcome="failed", text="there is nothing")
