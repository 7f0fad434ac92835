"""Anthropic's own tools for the screen: how each call is answered, what is kept of it, how it ends.

Titles in brackets name the section of the sheet of facts about wire formats that an example is from.
"""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import Any

import anyio
import pytest
from PIL import Image as Pil

from deskhand.core.action import DragTo, FocusWindow, MoveTo, OpenApp
from deskhand.core.decision import AppDecision
from deskhand.core.errors import ModelRefused
from deskhand.core.event import Judged, Observed, StepEnded, UserAsked
from deskhand.core.geometry import Box, Size
from deskhand.core.message import ElementsPart, HistoryPart, PicturePart, WindowsPart
from deskhand.core.observation import Element, Image, Window
from deskhand.core.status import AppAgentStatus, RunningMode, RunOutcome
from deskhand.journal.memory import MemoryJournal
from deskhand.models.factory import opened
from deskhand.testing import PaperDesk, ScriptedUser
from deskhand.testing.received import Received
from deskhand.testing.server import Act, Fail, Line, Raw, Say, ScriptedServer
from tests.anthropic_calls import (
    FAILED,
    FRAME,
    FULL_HD,
    OK,
    OLD,
    SPEC,
    answers,
    at,
    dialect,
    sent,
    shown,
    step,
    told,
    use,
)
from tests.paper import assign, context, events, host, session
from tests.services import ALBUM, model_at, replied


def test_a_button_that_is_pressed_moved_and_let_go_drags() -> None:
    calls = [
        use("mouse_move", 0, coordinate=[1, 2]),
        use("left_mouse_down", 1),
        use("mouse_move", 2, coordinate=[9, 9]),
    ]
    drag = step(1, *calls, use("left_mouse_up", 3), results=(OK, FAILED))

    assert drag.actions == (MoveTo(target=at(1, 2)), DragTo(target=at(9, 9)))
    assert [failed for _, failed, _ in answers(told(drag)[2])] == [False, True, True, True]


def test_each_call_is_answered_in_order_and_what_follows_a_failure_was_not_run() -> None:
    """[2.2 Anthropic: several blocks a turn, stop at the first failure, mark the rest not run]"""
    calls = [use("left_click", 0, coordinate=[1, 2]), use("type", 1, text="a\n"), use("key", 2, text="ctrl+s")]
    looks = [use("zoom", 3, region=[0, 0, 9, 9]), use("cursor_position", 4)]
    failing = step(1, *calls, *looks, results=(OK, OK, FAILED))
    not_run = ("Not executed: an earlier computer action in this turn failed.", True, 0)

    message = told(failing)[2]

    assert [block["tool_use_id"] for block in message["content"][:5]] == [f"toolu_{n}" for n in range(5)]
    assert [block["toolset_name"] for block in message["content"][:5]] == ["computer"] * 5
    assert answers(message) == [
        ("done: seen", False, 0),
        ("done: seen; failed: there is nothing", True, 0),
        not_run,
        not_run,
        not_run,
    ]
    assert message["content"][5]["type"] == "image", "an error holds none"


def test_the_picture_is_in_the_last_answer_and_the_pointer_is_where_it_was_put() -> None:
    """[2.2 Anthropic: feed]"""
    moved = step(1, use("mouse_move", 0, coordinate=[30, 40]), use("cursor_position", 1), results=(OK,))
    looked = step(2, use("screenshot", 2))

    messages = told(moved, looked.model_copy(update={"since": ("a dialog came up",)}))

    assert answers(messages[2]) == [("done: seen", False, 0), ("X=30,Y=40", False, 1)]
    assert answers(messages[4]) == [("The screen is shown below.", False, 1)]
    assert [block["type"] for block in messages[4]["content"]] == ["tool_result", "text"]
    assert "a dialog came up" in messages[4]["content"][1]["text"]
    assert answers(told(step(1, use("cursor_position")))[2])[0][0].startswith("It is not known")


def striped(number: int) -> Image:
    """A picture of a large screen, with fine stripes at its upper left."""
    screen = Pil.new("RGB", FULL_HD, (number, 0, 0))
    for x in range(0, 40, 2):
        screen.paste((255, 255, 255), (x, 0, x + 1, 40))
    file = io.BytesIO()
    screen.save(file, "PNG")
    return Image(sha256=ALBUM.keep(file.getvalue()), size=FULL_HD)


@pytest.mark.parametrize(
    ("first", "seen"), [(use("zoom", 0, region=[0, 0, 60, 30]), 1), (use("wait", 0, duration=1), 2)]
)
def test_a_zoom_shows_the_screens_own_pixels_of_before_or_after_what_was_done(first: dict[str, Any], seen: int) -> None:
    """[2.0 and 2.2 Anthropic: zoom in the space of the picture, cut from native pixels]"""
    zoomed = step(1, first, use("zoom", 1, region=[0, 0, 60, 30]), results=(OK,) * (seen - 1))
    before, after = striped(1), striped(2)
    parts = (HistoryPart(steps=(zoomed,)), PicturePart(image=before, of="step 1"), PicturePart(image=after))

    (received,) = sent(dialect().compose("planner", parts))

    (text, failed, pictures) = answers(received.body["messages"][2])[1]
    assert (failed, pictures) == (False, 2), text
    enlarged = Pil.open(io.BytesIO(received.pictures[-2].data)).convert("RGB")
    assert enlarged.width > 1456 // 2
    row: list[Any] = [enlarged.getpixel((x, 100)) for x in range(enlarged.width)]
    edges = sum((one[1] > 128) != (other[1] > 128) for one, other in pairwise(row))
    assert edges >= 38, "stripes of one pixel are told apart"
    assert row[-1] == (seen, 0, 0)


def test_pages_are_read_by_their_elements_which_can_be_aimed_at() -> None:
    save = Element(id="e7", role="button", name="Save all", box=Box(0, 0, 9, 9))
    elements = ElementsPart(elements=(save, Element(id="e8", role="link", name="Help", box=Box(0, 9, 9, 18))))
    calls = [("read_page", {}), ("find", {"query": "save button"}), ("get_page_text", {}), ("find", {"query": "xyz"})]
    reading = step(1, *(use(name, n, "browser", **given) for n, (name, given) in enumerate(calls)))

    whole, found, text, nothing = answers(told(reading, platform="web", more=(elements,))[2])

    assert "e7 button" in whole[0]
    assert "e8" in whole[0]
    assert ("e7" in found[0], "e8" in found[0]) == (True, False)
    assert '"Save all"\n"Help"' in text[0]
    assert nothing[0] == "nothing like that was found"
    assert answers(told(reading, platform="web")[2])[0] == ("nothing can be read here; go by the picture", True, 0)


def thought(number: int) -> dict[str, Any]:
    return {"type": "thinking", "thinking": f"hm {number}", "signature": f"sig{number}=="}


def test_calls_for_tabs_are_answered_by_the_tabs_there_are() -> None:
    windows = WindowsPart(windows=(Window(id="t1", title="Order", box=Box(0, 0, 9, 9), active=True),))
    switched = step(1, use("switch_tab", 0, "browser", tab_id="t1"), results=(OK,))
    closed = step(2, use("close_tab", 1, "browser", tab_id="t2"), use("list_tabs", 2, "browser"), results=(FAILED,))
    opened = step(3, use("new_tab", 3, "browser"), use("list_tabs", 4, "browser"), results=(OK,))

    messages = told(switched, closed, opened, platform="web", more=(windows,))

    states = [[block.get("content", [None])[0] for block in messages[at]["content"]] for at in (2, 4, 6)]
    tab = {"tab_id": "t1", "title": "Order", "url": "", "active": True}
    assert switched.actions == (FocusWindow(window="t1"),)
    assert opened.actions == (OpenApp(app_name="browser"),)
    assert states[0] == [{"type": "browser_state", "tabs": []}, None], "the picture is beside it"
    assert [state["type"] for state in states[1][:2]] == ["text", "text"]
    assert states[2][:2] == [{"type": "browser_state", "tabs": [tab]}] * 2


def test_thoughts_come_back_unchanged_and_not_to_another_model() -> None:
    """[2.2 Anthropic: thinking blocks replayed unchanged]"""
    sealed = {"type": "redacted_thinking", "data": "abc"}
    taken = step(1, thought(1), sealed, use("wait", duration=1), results=(OK,))

    assert told(taken)[1]["content"] == [thought(1), sealed, use("wait", duration=1)]
    other = told(taken, spec=OLD)
    assert [block["type"] for block in other[1]["content"]] == ["text"]
    assert "wait" in other[1]["content"][0]["text"]


def test_old_pictures_go_in_chunks_so_that_the_beginning_can_be_kept() -> None:
    """[2.2 Anthropic: drop in chunks; breakpoints on the system and the last three user turns]"""
    steps = [step(n, use("wait", n, duration=1), results=(OK,)) for n in range(1, 46)]
    speaking = dialect()
    requests = [speaking.compose("planner", shown(*steps[max(0, n - 30) : n], size=Size(8, 6))) for n in range(1, 46)]
    with ScriptedServer(always="Done.") as server:
        replied(server, *requests, spec=SPEC, key="k")
    plain = [[_unmarked(m) for m in received.body["messages"]] for received in server.requests]
    counts = [sum(len(turn.pictures) for turn in request.turns) for request in requests]

    # All but what is told last stays the same, save where a chunk goes.
    kept = [later[: len(before) - 1] == before[:-1] for before, later in pairwise(plain)]
    assert [n + 2 for n, same in enumerate(kept) if not same] == [20, 30, 40]
    assert (min(counts[10:]), max(counts)) == (11, 20)
    assert "Done before:" in plain[-1][0]["content"][-1]["text"]
    last = server.requests[-1]
    marked = [n for n, message in enumerate(last.body["messages"]) if "cache_control" in json.dumps(message)]
    assert (marked, "cache_control" in last.body["system"][0]) == ([len(plain[-1]) - at for at in (5, 3, 1)], True)
    assert speaking.compose("planner", shown(steps[0])).turns[-1].speaker == "user"
    assert sum(len(t.pictures) for t in dialect(earlier=0).compose("planner", shown(*steps[:9])).turns) == 1


def _unmarked(message: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(message).replace(', "cache_control": {"type": "ephemeral"}', "")
    made: dict[str, Any] = json.loads(text)
    return made


@pytest.mark.parametrize(
    ("said", "status", "result"),
    [
        ("The file is saved.", AppAgentStatus.FINISH, "The file is saved."),
        ("The page asks me to buy it. Shall I go on?", AppAgentStatus.PENDING, ""),
    ],
)
def test_the_last_words_are_the_answer_or_a_question(said: str, status: AppAgentStatus, result: str) -> None:
    with ScriptedServer(said) as server:
        (given,) = replied(server, dialect().compose("planner", shown()), spec=SPEC, key="k")
    decision = dialect().parse("planner", given, FRAME)

    assert isinstance(decision, AppDecision)
    assert (decision.status, decision.result) == (status, result)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([Say("I will not.", "refusal")], "the model declined: 'I will not.'"),
        ([Say("", "length"), Say("", "length")], "the reply was cut off twice"),
        ([Raw(json.dumps({"content": [], "stop_reason": "model_context_window_exceeded"}))] * 2, "cut off twice"),
        ([Raw(json.dumps({"content": [], "stop_reason": "pause_turn"}))] * 2, "cut off twice"),
        ([Fail(400, "'claude-opus-5' does not support tool types: computer_20250124")], "does not support tool types"),
        ([Fail(400, "'x' does not support tool types: computer_toolset_20260801")] * 5, "does not support tool types"),
    ],
)
def test_whatever_else_ends_a_reply_is_said(answer: list[Line], message: str) -> None:
    with ScriptedServer(*answer) as server, pytest.raises(ModelRefused, match=message):
        replied(server, dialect().compose("planner", shown()), spec=SPEC, key="k")


def test_a_call_that_cannot_be_answered_is_taken_for_none() -> None:
    nameless = Raw(
        json.dumps({"content": [{"type": "tool_use", "name": "wait", "input": {}}], "stop_reason": "tool_use"})
    )
    with ScriptedServer(nameless, "Done.") as server:
        (given,) = replied(server, dialect().compose("planner", shown()), spec=SPEC, key="k")

    assert (given.text, given.verbatim) == ("Done.", None)


def test_a_version_that_is_refused_is_offered_no_more() -> None:
    def rule(received: Received) -> Fail | None:
        kind = received.body["tools"][0]["type"]
        known = kind == "computer_20250124"
        return None if known else Fail(400, f"tools.0: 'claude-opus-5' does not support tool types: {kind}")

    with ScriptedServer(always="Done.", rules=[rule]) as server:
        replied(server, *[dialect("web").compose("planner", shown())] * 2, spec=SPEC, key="k")
    tried = [received.body["tools"][0]["type"] for received in server.requests]

    assert tried == [
        "browser_toolset_20260801",
        "computer_toolset_20260801",
        "computer_20251124",
        "computer_20250124",
        "computer_20250124",
    ]


def on_paper(*lines: Line, spec: str = SPEC, **given: Any) -> tuple[Any, list[Received], PaperDesk]:
    """Run an operator on a desk of paper, behind a real server that sees to the rules of the wire."""
    desk = PaperDesk()
    with ScriptedServer(*lines) as server:
        made = context(model_at(server, spec, key="k"), desk=desk, mode=RunningMode.OPERATOR, **given)
        made.dialects = {"operator": dialect(spec=spec), "host": dialect(spec=spec)}

        async def scene() -> None:
            async with opened(list(made.models.values())):
                one = session(made)
                await (one.resume(fresh=False) if "journal" in given else one.run())

        anyio.run(scene)
    return made, server.requests, desk


def calls(*given: tuple[str, dict[str, Any]], thought: str = "hm") -> Act:
    return Act(tuple({"name": name, "input": arguments} for name, arguments in given), thought=thought)


@pytest.mark.parametrize("spec", [SPEC, OLD])
def test_an_operator_works_asks_and_ends_with_it(spec: str) -> None:
    lines: list[Line] = [
        assign("editor", "write a"),
        calls(("type", {"text": "a"}), ("zoom", {"region": [0, 0, 20, 20]}), ("left_click", {"coordinate": [40, 25]})),
        calls(("call_user", {"question": "Which colour?"})),
        calls(("type", {"text": "!"})),
        calls(("terminate", {"status": "success", "info": "blue"})),
        host("FINISH", "done"),
    ]
    user = ScriptedUser(requests=["do it"], answers=["blue"], confirms=[False])

    made, requests, desk = on_paper(*lines, spec=spec, user=user)

    assert made.view.rounds[0].outcome is RunOutcome.FINISHED
    assert desk.windows[0].text == "a!"
    asked = [event.question for event in events(made, UserAsked)]
    assert asked == ["Which colour?"]
    assert [judged.allowed for judged in events(made, Judged)] == [False]
    assert desk.windows[0].presses == 0, "Delete was not allowed"
    results = [answers(received.body["messages"][-1]) for received in requests[2:5]]
    assert [(text.partition(":")[0], failed) for text, failed, _ in results[0]] == [
        ("done", False), ("The region, enlarged; places are still those of the whole screen.", False), ("failed", True)
    ]  # fmt: skip
    assert results[1] == [("The user answered: blue", False, 1)]
    assert "tools" not in requests[0].body


def test_what_cannot_be_read_is_said_and_the_reply_is_forgotten() -> None:
    lines: list[Line] = [
        assign("editor", "write a"),
        calls(("left_click", {"coordinate": [5000, 1]})),
        lambda received: "over" if "lies outside" in received.text else "not told",
        host("FINISH", "done"),
    ]

    made, requests, _ = on_paper(*lines, user=ScriptedUser(requests=["do it"]))

    assert made.view.rounds[0].reports[0].result == "over"
    assert [m["role"] for m in requests[2].body["messages"]] == ["user"]


def test_what_was_given_goes_back_after_a_resume_as_well() -> None:
    typed = calls(("type", {"text": "a"}), thought="sealed")
    lines: list[Line] = [assign("editor", "write a"), typed, "Written.", host("FINISH", "done")]
    made, requests, _ = on_paper(*lines, user=ScriptedUser(requests=["do it"]))
    records = list(made.journal.records())
    cut = next(n for n, r in enumerate(records) if isinstance(r.event, StepEnded) and "Operator" in r.scope.agent)

    journal = MemoryJournal(records[: cut + 1])
    for seen in events(made, Observed):
        journal.keep(made.journal.read(seen.observation.screen))
    _, again, _ = on_paper("Written.", host("FINISH", "done"), user=ScriptedUser(), journal=journal)

    assert again[0].body["messages"][1] == requests[2].body["messages"][1]
    assert again[0].body["messages"][1]["content"][0] == {
        "type": "thinking",
        "thinking": "sealed",
        "signature": "sealed-0",
    }
