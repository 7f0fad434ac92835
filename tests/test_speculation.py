"""Several actions of one reply: done as long as what each is aimed at is as it was seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from deskhand.cli.main import parser
from deskhand.cli.overrides import settings_of
from deskhand.core.action import Click, Write
from deskhand.core.geometry import Box
from deskhand.core.observation import ACTIVE_WINDOW, Element, Look, Subject
from deskhand.core.status import RunOutcome
from deskhand.journal.file import FileJournal
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel
from deskhand.viewer.page import write_page
from tests.paper import app, click, context, one_subtask, session, write

Change = Callable[[Element], Element | None]


@dataclass
class Restless(PaperDesk):
    """A desk on which a text that is written changes the button OK."""

    change: Change = field(default=lambda element: element)

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        look = await super().observe(subject)
        if not any(isinstance(action, Write) for action in self.done):
            return look
        seen = (self.change(e) if e.name == "OK" else e for e in look.observation.elements)
        elements = tuple(element for element in seen if element is not None)
        return Look(look.observation.model_copy(update={"elements": elements}), look.pictures)


def run(model: ScriptedModel, desk: PaperDesk, *, speculation: bool = True) -> SessionResult:
    made = context(model, desk=desk)
    made.speculation = speculation
    return anyio.run(session(made).run)


def with_(**changes: object) -> Change:
    return lambda element: element.model_copy(update=changes)


def both(status: str = "CONTINUE") -> dict[str, object]:
    return app(status, write("a"), click("e101"))


def test_several_actions_of_one_reply_are_done_one_after_the_other() -> None:
    desk = PaperDesk()
    model = one_subtask(both("FINISH"))

    result = run(model, desk)

    assert (result.outcome, result.model_calls) == (RunOutcome.FINISHED, 3)
    assert (desk.windows[0].text, desk.windows[0].presses) == ("a", 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda _: None, "button 'OK' is gone"),
        (with_(states=("disabled",)), "button 'OK' is disabled"),
        (with_(box=Box.at(40, 20, 18, 10)), "button 'OK' has moved"),
        (with_(name="Not now"), "button 'OK' is now button 'Not now'"),
        (with_(role="checkbox"), "button 'OK' is now checkbox 'OK'"),
    ],
    ids=["gone", "disabled", "moved", "renamed", "another"],
)
def test_what_has_changed_between_two_actions_stops_the_rest_and_is_told(change: Change, told: str) -> None:
    desk = Restless(change=change)
    model = one_subtask(both("FINISH"), app("FINISH"))

    result = run(model, desk)

    assert result.outcome is RunOutcome.FINISHED
    assert not any(isinstance(action, Click) for action in desk.done)
    assert f"1 of your actions was not done: {told}" in model.requests[2].model_dump_json()


def test_an_element_that_only_has_another_value_does_not_stop_the_rest() -> None:
    desk = Restless(change=with_(value="pressed soon"))

    assert run(one_subtask(both("FINISH")), desk).outcome is RunOutcome.FINISHED
    assert desk.windows[0].presses == 1


def test_without_speculation_only_the_first_action_of_a_reply_is_done() -> None:
    desk = PaperDesk()
    model = one_subtask(both("FINISH"), app("FINISH", click("e101")))

    result = run(model, desk, speculation=False)

    assert (result.outcome, result.model_calls) == (RunOutcome.FINISHED, 4)
    assert (desk.windows[0].text, desk.windows[0].presses) == ("a", 1)
    assert "after each action you look first" in model.requests[2].model_dump_json()


@pytest.mark.parametrize(("speculation", "saved"), [(True, 2), (False, 0)])
def test_saved_calls_are_counted_and_shown_on_the_page(speculation: bool, saved: int, tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    steps = [app("CONTINUE", write("a"), click("e101"), click("e101")), app("CONTINUE", click("e999")), app("FINISH")]
    made = context(one_subtask(*steps), journal=journal)
    made.speculation = speculation

    anyio.run(session(made).run)
    journal.close()

    assert made.view.calls_saved == saved
    assert ("Calls saved" in write_page(tmp_path).read_text()) is (saved > 0)


@pytest.mark.parametrize(
    ("words", "on"), [([], True), (["--no-speculation"], False), (["-c", "speculation=false"], False)]
)
def test_speculation_is_turned_off_by_an_option(words: list[str], on: bool) -> None:
    assert settings_of(parser().parse_args(["run", "x", *words])).speculation is on
