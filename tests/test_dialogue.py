"""Several requests in one session: each knows what was before it."""

from __future__ import annotations

import anyio

from deskhand.core.event import SessionEnded
from deskhand.core.message import BlackboardPart, HistoryPart, ModelRequest
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.journal.memory import MemoryJournal
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.paper import app, assign, context, events, host, session, write


def board(request: ModelRequest) -> dict[str, str]:
    return {e.key: e.value for p in request.parts if isinstance(p, BlackboardPart) for e in p.entries}


def test_a_follow_up_knows_the_requests_and_answers_before_it() -> None:
    model = ScriptedModel(
        host=[assign(), host("FINISH", "it says hello"), host("FAIL", "no such menu"), host("FINISH", "saved")],
        app=[app("CONTINUE", write("hello")), app("FINISH", result="hello")],
    )
    user = ScriptedUser(requests=["write hello", "print it", "then save it"])
    made = context(model, mode=RunningMode.NORMAL, user=user)

    result = anyio.run(session(made).run)

    assert (result.outcome, result.rounds, result.answer) == (RunOutcome.FINISHED, 3, "saved")
    assert board(model.requests[0]) == {}
    assert board(model.requests[-1]) == {
        "request_1": "write hello",
        "answer_1": "finished: it says hello",
        "request_2": "print it",
        "answer_2": "failed: no such menu",
        "result_1": "hello",
    }
    told = model.requests[-1].turns[0].text
    assert "then save it" in told
    assert "it says hello" in told
    assert not any(p.steps for p in model.requests[-1].parts if isinstance(p, HistoryPart))


def test_what_was_said_before_a_crash_is_known_after_it() -> None:
    desk = PaperDesk()
    first = context(
        ScriptedModel(host=[host("FINISH", "one")]),
        desk=desk,
        mode=RunningMode.NORMAL,
        user=ScriptedUser(requests=["a"]),
    )
    anyio.run(session(first).run)
    model = ScriptedModel(host=[host("FINISH", "two")])
    records = [r for r in first.journal.records() if not isinstance(r.event, SessionEnded)]
    again = context(
        model, desk=desk, mode=RunningMode.NORMAL, user=ScriptedUser(requests=["b"]), journal=MemoryJournal(records)
    )

    result = anyio.run(lambda: session(again).resume(fresh=False))

    assert (result.rounds, result.answer) == (2, "two")
    assert board(model.requests[0]) == {"request_1": "a", "answer_1": "finished: one"}


def test_a_first_request_can_be_given_and_others_asked_for() -> None:
    made = context(
        ScriptedModel(host=[host("FINISH", "one"), host("FINISH", "two")]),
        mode=RunningMode.NORMAL,
        user=ScriptedUser(requests=["b"]),
    )
    running = session(made)
    running.started = running.started.model_copy(update={"request": "a"})

    anyio.run(running.run)

    assert [r.request for r in made.view.rounds] == ["a", "b"]


def test_a_round_that_ended_in_trouble_is_the_last() -> None:
    made = context(
        ScriptedModel(host=[host("ERROR", "broken"), host("FINISH")]),
        mode=RunningMode.NORMAL,
        user=ScriptedUser(requests=["a", "b"]),
    )

    result = anyio.run(session(made).run)

    assert (result.outcome, result.rounds) == (RunOutcome.ERROR, 1)
    assert [e.outcome for e in events(made, SessionEnded)] == [RunOutcome.ERROR]
