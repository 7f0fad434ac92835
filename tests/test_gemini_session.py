"""Sessions with Gemini's tool over real HTTP: leave, what is given back, what breaks off."""

from __future__ import annotations

from typing import Any

import pytest

from deskhand.core.action import KeyDown, KeyUp, Write
from deskhand.core.event import Corrected, UserAsked
from deskhand.core.status import RunOutcome
from deskhand.testing import PaperDesk, ScriptedUser
from deskhand.testing.server import Act, Received, Say, ScriptedServer
from tests.paper import assign, events, host
from tests.vendor_tools import Slippery, operated

SPEC = "gemini-computer:gemini-3.5-flash"
OK = {"name": "click", "args": {"x": 204, "y": 521}}
"""Where the button OK of a paper window is, in thousandths."""


def typing(text: str) -> dict[str, Any]:
    return {"name": "type", "args": {"text": text}}


def answers(request: Received) -> list[dict[str, Any]]:
    parts = [part for content in request.body["contents"] for part in content["parts"]]
    return [part["functionResponse"] for part in parts if "functionResponse" in part]


def test_every_call_is_answered_and_every_signature_goes_back_unchanged() -> None:
    desk = PaperDesk()
    both = Act((typing("a"), OK), thought="Write, then press.")
    with ScriptedServer(assign(), both, Act((OK,)), Say("It is written."), host("FINISH", "done")) as server:
        result, _ = operated(server, SPEC, desk)

    assert (result.outcome, desk.windows[0].text, desk.windows[0].presses) == (RunOutcome.FINISHED, "a", 2)
    *_, last, _ = server.requests
    assert [(one["name"], len(one.get("parts", ()))) for one in answers(last)] == [
        ("type", 0),
        ("click", 1),
        ("click", 1),
    ]
    signed = [p.get("thoughtSignature") for c in last.body["contents"] for p in c["parts"] if "functionCall" in p]
    assert [signature is not None for signature in signed] == [True, False, True]
    assert len(last.pictures) == 3


@pytest.mark.parametrize(("leave", "presses"), [(True, 1), (False, 0), (None, 0)])
def test_a_decision_is_put_to_the_user_and_acknowledged_only_with_leave(leave: bool | None, presses: int) -> None:
    desk = PaperDesk()
    user = ScriptedUser(requests=["do it"], confirms=[] if leave is None else [leave])
    guarded = Act((OK,), checks=("It accepts terms.",))
    after = [Say("Pressed.")] if leave else []
    with ScriptedServer(assign(), guarded, *after, host("FINISH" if leave else "FAIL", "over")) as server:
        _, made = operated(server, SPEC, desk, user=user)

    assert "(It accepts terms.)" in events(made, UserAsked)[0].question
    assert desk.windows[0].presses == presses
    acknowledged = [one["response"].get("safety_acknowledgement") for one in answers(server.requests[2])]
    assert acknowledged == (["true"] if leave else [])


def test_of_several_calls_those_after_one_that_failed_are_answered_as_not_done() -> None:
    desk = Slippery()
    held = ({"name": "key_down", "args": {"key": "shift"}}, OK, {"name": "key_up", "args": {"key": "shift"}})
    with ScriptedServer(assign(), Act((*held, typing("never"))), Say("It did not work."), host()) as server:
        operated(server, SPEC, desk)

    told = [next(iter(one["response"].items())) for one in answers(server.requests[2])]
    assert [name for name, _ in told] == ["output", "error", "error", "error"]
    assert told[1][1] == "failed: it slipped away"
    assert told[3][1].startswith("not done")
    assert [action.kind for action in desk.done if isinstance(action, KeyDown | KeyUp)] == ["keyDown", "keyUp"]


def test_of_calls_that_cannot_all_be_read_nothing_is_done() -> None:
    desk = PaperDesk()
    half = Act((typing("a"), {"name": "click", "args": {"x": 5}}))
    with ScriptedServer(assign(), half, Act((typing("b"),)), Say("b"), host()) as server:
        _, made = operated(server, SPEC, desk)

    assert [action.message for action in desk.done if isinstance(action, Write)] == ["b"]
    assert "needs both x and y" in events(made, Corrected)[0].text
