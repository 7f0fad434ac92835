"""Sessions with OpenAI's tool for a computer over real HTTP: batches, leave, what is given back, even on resuming."""

from __future__ import annotations

from itertools import pairwise

import anyio
import pytest

from deskhand.agents.predict import NativeAgent
from deskhand.core.action import KeyDown, KeyUp, Write
from deskhand.core.event import Corrected, ModelAsked, ModelRemarked, Observed, UserAsked
from deskhand.core.family import family_of
from deskhand.core.geometry import Size
from deskhand.core.message import Reply, Verbatim
from deskhand.core.observation import Image
from deskhand.core.status import RunOutcome
from deskhand.dialects.actions import spell
from deskhand.dialects.own_form import OwnReply
from deskhand.journal.memory import MemoryJournal
from deskhand.models.factory import opened
from deskhand.testing import PaperDesk, ScriptedUser
from deskhand.testing.server import Act, Received, Say, ScriptedServer
from tests.paper import assign, events, host
from tests.services import ALBUM, model_at, picture
from tests.vendor_tools import Slippery, operated

SPEC = "openai-computer:gpt-5.4"
OK = {"type": "click", "button": "left", "x": 13, "y": 25}
"""Where the button OK of a paper window is."""
NOWHERE = {"type": "click", "button": "left", "x": 60, "y": 47}


STEP = ["reasoning", "computer_call", "computer_call_output"]


def kinds(request: Received) -> list[str]:
    return [item.get("type") or item["role"] for item in request.body["input"]]


def test_every_call_is_answered_with_the_next_screen_and_every_thought_goes_back_unchanged() -> None:
    desk = PaperDesk()
    batch = Act(({"type": "type", "text": "a"}, OK), thought="Write, then press.")
    with ScriptedServer(assign(), batch, Act((OK,)), Say("It is written."), host("FINISH", "done")) as server:
        result, _ = operated(server, SPEC, desk)

    assert (result.outcome, desk.windows[0].text, desk.windows[0].presses) == (RunOutcome.FINISHED, "a", 2)
    _, first, second, third, _ = server.requests
    assert kinds(first) == ["user"]
    assert kinds(second) == ["user", *STEP, "user"]
    assert kinds(third) == ["user", *STEP, *STEP, "user"]
    assert second.body["input"][1]["encrypted_content"] == "sealed-1"
    assert len(third.pictures) == 3
    assert len({picture.data for picture in third.pictures}) == 3


def test_of_a_batch_that_cannot_be_read_to_its_end_nothing_is_done() -> None:
    desk = PaperDesk()
    half = Act(({"type": "type", "text": "a"}, {"type": "click", "button": "left", "x": 13}))
    with ScriptedServer(assign(), half, Act(({"type": "type", "text": "b"},)), Say("b"), host()) as server:
        _, made = operated(server, SPEC, desk)

    assert [action.message for action in desk.done if isinstance(action, Write)] == ["b"]
    assert "needs both x and y" in events(made, Corrected)[0].text


def test_what_was_pressed_is_let_go_when_a_batch_breaks_off() -> None:
    desk = Slippery()
    held = {"type": "drag", "path": [{"x": 1, "y": 1}, {"x": 9, "y": 9}], "keys": ["SHIFT", "CTRL"]}
    batch = Act((held, {"type": "type", "text": "never"}))
    with ScriptedServer(assign(), batch, Say("It did not work."), host()) as server:
        operated(server, SPEC, desk)

    assert [(a.kind, a.key) for a in desk.done if isinstance(a, KeyDown | KeyUp)] == [
        ("keyDown", "shift"),
        ("keyDown", "ctrl"),
        ("keyUp", "ctrl"),
        ("keyUp", "shift"),
    ]
    assert not any(isinstance(action, Write) for action in desk.done)
    assert "Of your actions:" in server.requests[2].text
    assert "not done" in server.requests[2].text


@pytest.mark.parametrize(("leave", "presses"), [(True, 1), (False, 0), (None, 0)])
def test_a_check_is_put_to_the_user_and_acknowledged_only_with_leave(leave: bool | None, presses: int) -> None:
    desk = PaperDesk()
    user = ScriptedUser(requests=["do it"], confirms=[] if leave is None else [leave])
    checked = Act((OK,), checks=("This looks like a bank.",))
    after = [Say("Pressed.")] if leave else []
    with ScriptedServer(assign(), checked, *after, host("FINISH" if leave else "FAIL", "over")) as server:
        _, made = operated(server, SPEC, desk, user=user)

    (asked,) = [event.question for event in events(made, UserAsked)]
    assert "asks you to look first (sensitive_domain: This looks like a bank.)" in asked
    assert desk.windows[0].presses == presses
    sent = [item for r in server.requests for item in r.body["input"] if item.get("type") == "computer_call_output"]
    acknowledged = [check["message"] for item in sent for check in item["acknowledged_safety_checks"]]
    assert acknowledged == (["This looks like a bank."] if leave else [])


def test_a_check_that_is_agreed_to_beforehand_is_still_told_of() -> None:
    desk = PaperDesk()
    with ScriptedServer(assign(), Act((OK,), checks=("A bank.",)), Say("Pressed."), host()) as server:
        _, made = operated(server, SPEC, desk, allow_all=True)

    assert desk.windows[0].presses == 1
    (told,) = events(made, ModelRemarked)
    assert "A bank." in told.text


def test_a_question_is_a_call_that_is_answered_by_the_user() -> None:
    asking = Act(({"name": "call_user", "arguments": {"question": "Which colour?"}},))
    user = ScriptedUser(requests=["do it"], answers=["blue"])
    with ScriptedServer(assign(), asking, Act((OK,)), Say("Done."), host()) as server:
        operated(server, SPEC, PaperDesk(), user=user)

    assert user.asked == ["Which colour?"]
    assert kinds(server.requests[2]) == ["user", "reasoning", "function_call", "function_call_output", "user"]
    assert "blue" in server.requests[2].text


def test_a_resumed_session_gives_back_what_was_said_before() -> None:
    desk = PaperDesk()
    with ScriptedServer(assign(), Act((OK,)), Act((OK,)), Say("Pressed twice."), host()) as server:
        _, first = operated(server, SPEC, desk)
        records = list(first.journal.records())
        second = [number for number, record in enumerate(records) if isinstance(record.event, ModelAsked)][2]
        journal = MemoryJournal(records[:second])
        for record in records[:second]:
            if isinstance(record.event, Observed):
                journal.keep(first.journal.read(record.event.observation.screen))

    with ScriptedServer(Act((OK,)), Say("Pressed twice."), host("FINISH", "done")) as again:
        again.given |= server.given
        operated(again, SPEC, desk, journal=journal)

    assert kinds(again.requests[0])[:4] == ["user", *STEP]


def test_a_reply_is_kept_as_it_came_by_whoever_writes_it_down() -> None:
    reply = Reply(text="x", verbatim=Verbatim(by=SPEC, pieces=({"a": [1, {"b": None}]},)))

    assert Reply.model_validate_json(reply.model_dump_json()) == reply


def test_old_pictures_go_several_at_a_time_so_that_the_beginning_stays_as_it_was() -> None:
    steps = [Act((OK,)) for _ in range(11)]
    with ScriptedServer(assign(), *steps, Say("Pressed."), host()) as server:
        _, made = operated(server, SPEC, PaperDesk())

    asked = server.requests[1:-1]
    assert [len(request.pictures) for request in asked] == [1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4]
    same = [_alike(*(r.body["input"] for r in pair)) for pair in pairwise(asked)]
    assert [number for number, alike in enumerate(same, 2) if not alike] == [8, 12]
    kept = [made.journal.read(Image(sha256=e.request, size=Size(1, 1))) for e in events(made, ModelAsked)]
    assert kept[-2].count(b'"sealed-3"') == 1  # what is large is written down once a request


def _alike(before: list[object], now: list[object]) -> bool:
    """Tell whether a request begins with all of the one before, but for what was said last."""
    return now[: len(before) - 1] == before[:-1]


def test_who_does_the_actions_without_a_session_is_told_what_to_ask_first() -> None:
    screen = {"screenshot": ALBUM.read(picture(size=Size(64, 48)))}
    with ScriptedServer(Act((OK,)), Act((OK,), checks=("A bank.",)), Say("Done.")) as server:

        async def scene() -> list[str]:
            model = model_at(server, SPEC)
            agent = NativeAgent(model, OwnReply("tool_call", family_of(SPEC)))
            async with opened([model]):
                return ["; ".join(map(spell, (await agent.predict("Press OK", screen))[1])) for _ in range(3)]

        said = anyio.run(scene)

    assert said[0] == "click(x=13, y=25)"
    assert said[1].startswith("call_user(question=\"the model's service asks you to look first")
    assert said[1].endswith("click(x=13, y=25)")
    assert kinds(server.requests[1]) == ["user", *STEP]
    assert "computer_call" not in kinds(server.requests[2])[3:]
