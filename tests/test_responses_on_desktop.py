"""A whole run on a real application with OpenAI's tool: a host assigns, an operator points at what it is shown."""

from __future__ import annotations

from pathlib import Path

from deskhand.core.event import UserAsked
from deskhand.core.observation import Observation
from deskhand.core.status import RunOutcome
from deskhand.testing.server import Act, Answer, Say
from tests.vendor_tools import named, on_desktop

TASK = "type 0 into galculator"


def mind(seen: Observation, turn: int) -> Answer:
    def press(name: str) -> dict[str, object]:
        at = named(seen, "button", name)
        return {"type": "click", "button": "left", "x": at.x, "y": at.y, "keys": []}

    display = next((e.value for e in seen.elements if e.role == "textbox" or "42" in e.value), "")
    match turn:
        case 1:
            return Act((press("6"), press("*"), press("7")), thought="Six times seven.")
        case 2:
            return Act((press("="), {"type": "screenshot"}), checks=("It looks at a bank.",))
        case _:
            return Say(f"The display says {display or 'nothing'}.")


def test_an_operator_works_in_the_calculator_that_its_host_opened(tmp_path: Path) -> None:
    own = ["models.operator.model=openai-computer:gpt-5.4", "models.operator.base_url={url}", "models.operator.key=k"]
    result, server, session = on_desktop(mind, TASK, tmp_path, "running_mode=operator", "model=literal", *own)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "The display says 42.")
    (asked,) = [r.event.question for r in session.context.journal.records() if isinstance(r.event, UserAsked)]
    assert "It looks at a bank." in asked
    last = server.requests[-1]
    calls = [item for item in last.body["input"] if item.get("type") == "computer_call_output"]
    assert [len(call.get("acknowledged_safety_checks", ())) for call in calls] == [0, 1]
    assert [picture.size for picture in last.pictures] == [(1280, 800)] * 3
