"""A session that was cut off goes on to the same end."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import anyio
import pytest

from deskhand.core.action import Write
from deskhand.core.errors import SettingsError
from deskhand.core.event import ActionStarted, Noted, Record, SessionResumed, SubtaskEnded
from deskhand.core.message import (
    ElementsPart,
    HistoryPart,
    ModelRequest,
    NotesPart,
    Part,
    PlanPart,
    ReportsPart,
    SubtaskPart,
)
from deskhand.core.status import RunOutcome
from deskhand.journal.memory import MemoryJournal
from deskhand.processors.context import Listener
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.paper import app, assign, context, events, host, session


class Thinking:
    """A model that decides by what it is told, as models do: it can be asked at any point of a run."""

    name = "thinking"

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []
        self._speaker = ScriptedModel(*[self._decide] * 200)

    ask = property(lambda self: self._speaker.ask)

    def _decide(self, request: ModelRequest) -> dict[str, object]:
        self.requests.append(request)
        parts: dict[Any, Part] = {p.part: p for p in request.parts}
        if request.role == "host":
            reports = parts["reports"]
            assert isinstance(reports, ReportsPart)
            done = len(reports.reports)
            if done == 2:
                return host("FINISH", reports.reports[1].result)
            return assign(("editor", "calculator")[done], f"write {'ab'[done]}")
        return self._app(parts)

    def _app(self, parts: Mapping[Any, Part]) -> dict[str, object]:
        subtask, elements = parts["subtask"], parts["elements"]
        assert isinstance(subtask, SubtaskPart)
        assert isinstance(elements, ElementsPart)
        letter = subtask.text[-1]
        text = elements.elements[0].value
        if text == letter * 2:
            return app("FINISH", result=text)
        return app("CONTINUE", ("write", {"message": letter * (len(text) + 1), "replace": True}))


class Cut(BaseException):
    """The plug is pulled; no handler of ours may catch it."""


def cutter(after: int) -> Listener:
    def cut(record: Record) -> None:
        if record.seq == after:
            raise Cut

    return cut


def whole_run() -> tuple[list[Record], PaperDesk]:
    journal, desk = MemoryJournal(), PaperDesk()
    made = context(Thinking(), desk=desk, journal=journal)
    assert anyio.run(session(made).run).outcome is RunOutcome.FINISHED
    return list(journal.records()), desk


def cuts() -> range:
    # Before the first round there is nothing to go on with; after the last record all is done.
    return range(2, len(whole_run()[0]) - 1)


@pytest.mark.parametrize("cut", cuts())
def test_a_session_cut_off_after_any_record_resumes_to_the_same_end(cut: int) -> None:
    _, complete = whole_run()
    desk = PaperDesk()
    made = context(Thinking(), desk=desk)
    made.listeners.append(cutter(cut))
    with pytest.raises(Cut):
        anyio.run(session(made).run)
    # What a killed process leaves: the records up to the cut, and the desk as it is.
    journal = MemoryJournal(list(made.journal.records())[:cut])
    again = context(Thinking(), desk=desk, journal=journal)

    if again.view.round is None:
        assert again.view.rounds[-1].outcome is RunOutcome.FINISHED
        return
    result = anyio.run(lambda: session(again).resume(fresh=False))

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "bb")
    assert {(w.app, w.text) for w in desk.windows} == {(w.app, w.text) for w in complete.windows}
    assert len(events(again, SubtaskEnded)) == 2


@pytest.mark.parametrize("cut", cuts())
def test_with_the_desktop_gone_the_first_unfinished_subtask_is_begun_again(cut: int) -> None:
    made = context(Thinking(), desk=PaperDesk())
    made.listeners.append(cutter(cut))
    with pytest.raises(Cut):
        anyio.run(session(made).run)
    journal = MemoryJournal(list(made.journal.records())[:cut])
    desk = PaperDesk()
    again = context(Thinking(), desk=desk, journal=journal)
    if again.view.round is None:
        return
    left = again.view.round
    reported = left.status == "FINISH" and left.subtask is not None  # by its agent, but not yet handed back
    done = len(left.reports) + reported

    result = anyio.run(lambda: session(again).resume(fresh=True))

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "bb")
    assert {w.app for w in desk.windows} == set(("editor", "calculator")[done:])
    assert len(events(again, SubtaskEnded)) == 2


def test_an_action_whose_end_is_unknown_is_told_to_the_agent_and_not_blindly_repeated() -> None:
    desk = PaperDesk()
    made = context(Thinking(), desk=desk)
    made.listeners.append(lambda r: cutter(r.seq)(r) if _begins_writing(r) else None)
    with pytest.raises(Cut):
        anyio.run(session(made).run)
    model = Thinking()
    again = context(model, desk=desk, journal=MemoryJournal(list(made.journal.records())))

    anyio.run(lambda: session(again).resume(fresh=False))

    notes = [n for p in model.requests[0].parts if isinstance(p, NotesPart) for n in p.notes]
    assert any("interrupted during write" in n and "may or may not" in n for n in notes)
    history = next(p for p in model.requests[0].parts if isinstance(p, HistoryPart))
    assert len(history.steps[-1].actions) == 1
    assert history.steps[-1].results == ()


def test_agents_are_told_that_the_desktop_was_started_anew() -> None:
    made = context(Thinking(), desk=PaperDesk())
    made.listeners.append(lambda r: cutter(r.seq)(r) if _begins_writing(r) else None)
    with pytest.raises(Cut):
        anyio.run(session(made).run)
    model = Thinking()
    again = context(model, desk=PaperDesk(), journal=MemoryJournal(list(made.journal.records())))

    anyio.run(lambda: session(again).resume(fresh=True))

    assert events(again, SessionResumed) == [SessionResumed(fresh=True)]
    assert any("all windows are closed" in e.text for e in events(again, Noted))
    assert "all windows are closed" in model.requests[0].model_dump_json()


def test_the_plan_and_the_notes_of_an_agent_outlive_the_process() -> None:
    made = context(ScriptedModel(host=[assign()], app=[app("CONTINUE", plan=["then this"])]))
    anyio.run(session(made).run)  # ends in trouble: the script is over
    model = ScriptedModel(host=[host()], app=[app("FINISH")])
    again = context(model, journal=MemoryJournal(list(made.journal.records())), desk=PaperDesk())

    # The agent's error was archived, so the host goes on; with its step cut off, the agent would.
    cut = [r for r in made.journal.records() if r.event.kind != "session.ended"][:-8]
    again = context(model, journal=MemoryJournal(cut), desk=deepcopy(PaperDesk()))
    assert again.view.plans["AppAgent/editor"] == ("then this",)
    anyio.run(lambda: session(again).resume(fresh=False))

    plan = next(p for p in model.requests[0].parts if isinstance(p, PlanPart))
    assert plan.steps == ("then this",)


def test_an_open_question_is_asked_again() -> None:
    model = ScriptedModel(host=[host("PENDING", questions=["Which?"])])
    made = context(model)
    assert anyio.run(session(made).run).outcome is RunOutcome.NEEDS_USER

    user = ScriptedUser(answers=["this"])
    again = context(ScriptedModel(host()), journal=MemoryJournal(list(made.journal.records())), user=user)
    result = anyio.run(lambda: session(again).resume(fresh=False))

    assert result.outcome is RunOutcome.FINISHED
    assert user.asked == ["Which?"]


def test_a_run_that_ended_in_trouble_can_be_taken_up_when_the_trouble_is_over() -> None:
    made = context(ScriptedModel())
    assert anyio.run(session(made).run).outcome is RunOutcome.ERROR

    again = context(ScriptedModel(host("FINISH", "now")), journal=MemoryJournal(list(made.journal.records())))
    result = anyio.run(lambda: session(again).resume(fresh=False))

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "now")


def test_a_run_that_is_over_cannot_be_resumed() -> None:
    journal = MemoryJournal(whole_run()[0])

    with pytest.raises(SettingsError, match="nothing to resume"):
        anyio.run(lambda: session(context(Thinking(), journal=journal)).resume(fresh=False))


def _begins_writing(record: Record) -> bool:
    return isinstance(record.event, ActionStarted) and isinstance(record.event.action, Write)
