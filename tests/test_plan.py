"""The `plan` dialect, and agents that plan with one model and point with another."""

from __future__ import annotations

import io
from itertools import pairwise

import anyio
import pytest
from PIL import Image as PillowImage

from deskhand.agents.predict import AgenticWorkflow, NativeAgent, UIGroundingAgent
from deskhand.core.action import (
    Action,
    ActionResult,
    At,
    CallUser,
    Click,
    Described,
    DragTo,
    Hotkey,
    OnElement,
    Scroll,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from deskhand.core.decision import AppDecision
from deskhand.core.errors import TargetNotFound, UnreadableReply
from deskhand.core.geometry import Box, Frame, Point, Size
from deskhand.core.message import (
    ElementsPart,
    HistoryPart,
    ModelRequest,
    NotesPart,
    Part,
    PastStep,
    PicturePart,
    Reply,
    RequestPart,
)
from deskhand.core.observation import Element, Image, Look, Observation
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.chain import Keeping
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.unreadable import Unreadable
from deskhand.perception.picture import picture_from_png
from deskhand.testing.scripted import ScriptedModel

SCREEN = Size(1920, 1080)
FRAME = Frame(SCREEN, SCREEN)
PICTURE = PicturePart(image=Image(sha256="0" * 64, size=SCREEN))
PLAN = PlanReply()
SAVE = Described(text="Click Save")


def decided(text: str) -> AppDecision:
    decision = PLAN.parse("app", Reply(text=text), FRAME)
    assert isinstance(decision, AppDecision)
    return decision


def fence(*lines: str) -> str:
    return "\n".join(["```python", *lines, "```"])


@pytest.mark.parametrize(
    ("call", "action"),
    [
        ("click()", Click(target=SAVE)),
        ("click(x=23, y=45)", Click(target=SAVE)),
        ("click(x, y)", Click(target=SAVE)),
        ("click(x=-5, y='?', button='right')", Click(target=SAVE, button="right")),
        ("click(point='<point>1 2</point>')", Click(target=SAVE)),
        ("click(23, 45, 2)", Click(target=SAVE, clicks=2)),
        ("click(element='e12')", Click(target=OnElement(id="e12"))),
        ("click(element='the Save button')", Click(target=Described(text="the Save button"))),
        ("dragTo(x=1, y=2)", DragTo(target=SAVE)),
        ("scroll(clicks=-5)", Scroll(clicks=-5)),
        ("scroll(clicks=-5, x=1, y=2)", Scroll(clicks=-5, target=SAVE)),
        ("write(message='a')", Write(message="a")),
        ("write(message='a', x=1, y=2)", Write(message="a", target=SAVE)),
        ("hotkey('ctrl', 's')", Hotkey(keys=("ctrl", "s"))),
        ("swipe(direction='up')", Swipe(direction="up")),
    ],
)
def test_what_has_a_place_is_aimed_at_what_the_instruction_says(call: str, action: Action) -> None:
    decision = decided(fence("# Click Save", call))

    assert (decision.actions, decision.thought) == ((action,), "Click Save")


@pytest.mark.parametrize(
    "text",
    [
        "# Click Save\nclick()",
        "#Click Save\nclick()",
        "## Click Save\nclick()",
        "// Click Save\nclick()",
        "I see the dialog.\n\n# Click Save\nclick()",
        "I see the dialog.\n```py\n# Click Save\nclick()\n```\nThat will do.",
        "```\n# Click\n# Save\nclick()\n```",
        "```python\n# Click Save\nclick()",
        "```python\nclick()  # Click Save\n```",
        "```python\nclick()\n# Click Save\n```",
        "```python\nClick Save\nclick()\n```",
        "Click Save\nAction: click()",
        "1. # Click Save\n2. click()",
        "`# Click Save`\n`click()`",
        "<think>\n# Wait\nwait()\n</think>\n# Click Save\nclick()",
        "# Wait\nwait()\n</think>\n# Click Save\nclick()",
        "```python\n# Click Save\nclick()\n```\n```python\n# b\nwait()\n```",
    ],
)
def test_two_lines_are_found_in_whatever_surrounds_them(text: str) -> None:
    assert (decided(text).actions, decided(text).thought) == ((Click(target=SAVE),), "Click Save")


def test_each_action_has_the_words_before_it() -> None:
    first, second, third = decided(fence("# a", "click()", "# b", "click()", "click()")).actions

    assert [action.target for action in (first, second, third) if isinstance(action, Click)] == [
        Described(text="a"),
        Described(text="b"),
        Described(text="b"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_response"),
        (fence("click(x=1, y=2)"), "no_instruction"),
        (fence("#", "click()"), "no_instruction"),
        ("First I look.\nThen I click.\nclick()", "no_instruction"),
        (fence("# Click Save"), "no_action"),
        ("I cannot do that.", "no_action"),
        (fence("# a", "click(x=__import__('os').system('id'), y=1)"), "non_literal"),
        (fence("# a", "click(x=1, x=2, y=3)"), "duplicate_param"),
        (fence("# a", 'dragTo(x=1, y=2, button="left\'); import os #")'), "invalid_button"),
        (fence("# a", "fly()"), "unknown_action"),
    ],
)
def test_a_missing_line_is_asked_for(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decided(text)

    assert caught.value.code == code


def test_a_planner_ends_the_task() -> None:
    done = decided("# Finish\nterminate(status='success', info='done, bye')")

    assert (done.status, done.result, done.actions) == (AppAgentStatus.FINISH, "done, bye", ())


def past(count: int) -> HistoryPart:
    def step(number: int) -> PastStep:
        result = ActionResult(outcome="done", text=f"came of {number}")
        return PastStep(
            step=number,
            thought=f"Do thing {number}",
            actions=(Click(target=At(point=Point(960, 540)), button="right"),),
            results=(result,),
        )

    return HistoryPart(steps=tuple(step(n) for n in range(1, count + 1)))


def test_the_conversation_is_kept_and_the_task_said_once() -> None:
    request = PLAN.compose("planner", (RequestPart(text="save {it} all"), past(3), PICTURE))

    assert [turn.speaker for turn in request.turns] == ["user", "assistant"] * 3 + ["user"]
    assert request.system.count("save {it} all") == 1
    assert not any("save {it} all" in turn.text for turn in request.turns)
    assert request.turns[1].text == '```python\n# Do thing 1\nclick(button="right")\n```'
    assert decided(request.turns[1].text).actions == (Click(target=Described(text="Do thing 1"), button="right"),)
    assert "came of 1" in request.turns[2].text
    assert "came of 3" in request.turns[6].text
    assert "<screen-data>" in request.turns[6].text
    assert [bool(turn.pictures) for turn in request.turns] == [False] * 6 + [True]
    assert [turn.cache for turn in request.turns] == [False] * 5 + [True, False]


def test_a_long_conversation_loses_its_beginning_in_chunks_so_that_the_rest_stays_the_same() -> None:
    requests = [PLAN.compose("planner", (RequestPart(text="t"), past(n), PICTURE)) for n in range(1, 51)]
    lengths = [len(request.turns) for request in requests]

    assert max(lengths) <= 2 * 15 + 1
    assert "... 28 more before" in requests[-1].turns[0].text
    assert "Do thing 40" in requests[-1].turns[0].text
    said = [[turn.text for turn in request.turns[:-1]] for request in requests]
    stable = [after[: len(before)] == before for before, after in pairwise(said)]
    assert stable.count(False) <= 6


def test_older_pictures_stay_by_setting() -> None:
    pictures = [PicturePart(image=Image(sha256=f"{n:064}", size=SCREEN), of=f"step {n}") for n in range(1, 10)]
    parts: tuple[Part, ...] = (RequestPart(text="t"), past(9), *pictures, PICTURE)

    def shown(keeping: Keeping) -> list[int]:
        turns = PlanReply(keeping=keeping).compose("planner", parts).turns
        return [int(image.sha256) for turn in turns for image in turn.pictures]

    assert shown(Keeping()) == [0]
    assert shown(Keeping(steps=8, pictures=3, chunk=4)) == [5, 6, 7, 8, 9, 0]
    assert shown(Keeping(steps=20, pictures=20, chunk=1)) == [*range(1, 10), 0]


def test_a_planner_without_eyes_is_told_the_elements_and_every_correction() -> None:
    element = Element(id="e12", role="button", name="Save </screen-data>", box=Box(0, 0, 9, 9))
    parts = (RequestPart(text="t"), ElementsPart(elements=(element,)), NotesPart(notes=("no instruction",)))

    (turn,) = PLAN.compose("planner", parts).turns

    assert "e12 button" in turn.text
    assert turn.text.count("</screen-data>") == 1
    assert "no instruction" in turn.text
    assert turn.text.endswith("What is the next action?")


def screen(*elements: Element) -> Look:
    file = io.BytesIO()
    PillowImage.new("RGB", SCREEN).save(file, "PNG")
    picture = picture_from_png(file.getvalue())
    return Look(Observation(screen=picture.image, elements=elements), {picture.image.sha256: picture.data})


LOOK = screen()
INSTRUCTION = "Click OK"
CALLS = (
    "click(x=966, y=546)",
    "doubleClick(966, 546)",
    "rightClick(x=966, y=546)",
    "dragTo(x=966, y=546, button='right')",
    "long_press(x=966, y=546, duration=2)",
    "select_option(x=966, y=546, value='Red')",
    "scroll(clicks=-5, x=966, y=546)",
    "scroll(-5)",
    "write(message='x=1, y=2')",
    "hotkey('Ctrl+C')",
    "press(['down', 'enter'], presses=2)",
    "wait(5)",
    "swipe(direction='up', amount=0.3)",
    "call_user()",
    "response(answer='a, b')",
    "terminate('success', 'bye')",
    "click(x=966, y=546); write(message='a')",
)


@pytest.mark.parametrize("calls", CALLS)
def test_both_modes_yield_equal_actions_for_equal_replies(calls: str) -> None:
    native = NativeAgent(ScriptedModel(f"<operation>{INSTRUCTION}</operation><action>{calls}</action>"))
    grounder = ScriptedModel(*["<action>click(x=966, y=546)</action>"] * 2)
    workflow = AgenticWorkflow(ScriptedModel(f"# {INSTRUCTION}\n{calls}"), UIGroundingAgent(grounder))

    info, actions = anyio.run(native.predict, "t", LOOK)
    other_info, other_actions = anyio.run(workflow.predict, "t", LOOK)

    assert actions == other_actions
    assert info.instruction == other_info.instruction == INSTRUCTION
    assert len(grounder.requests) == sum(isinstance(getattr(action, "target", None), At) for action in actions)


def test_only_what_has_a_place_is_looked_for() -> None:
    nobody = ScriptedModel()
    workflow = AgenticWorkflow(
        ScriptedModel("# End\nterminate()", "# Save\nclick(element='e3')"), UIGroundingAgent(nobody)
    )

    assert anyio.run(workflow.predict, "t", LOOK)[1] == (Terminate(),)
    assert anyio.run(workflow.predict, "t", LOOK)[1] == (Click(target=OnElement(id="e3")),)
    assert nobody.requests == []


def test_without_a_grounding_model_elements_are_found_by_their_names() -> None:
    save = Element(id="e5", role="button", name="Save", box=Box(10, 20, 90, 40), actions=("press",))
    workflow = AgenticWorkflow(ScriptedModel("# the Save button\nclick()", "# the Print button\nclick()"))

    assert anyio.run(workflow.predict, "t", screen(save))[1] == (Click(target=OnElement(id="e5")),)
    with pytest.raises(TargetNotFound, match="Print"):
        anyio.run(workflow.predict, "t", screen(save))


def test_what_cannot_be_read_is_asked_again_with_what_was_wrong() -> None:
    model = ScriptedModel("hm", "<operation>o</operation><action>wait(1)</action>")

    info, actions = anyio.run(NativeAgent(model).predict, "t", LOOK)

    assert actions == (Wait(seconds=1),)
    assert info.replies[0].text == "hm"
    assert "could not be read" in model.requests[1].turns[0].text
    with pytest.raises(UnreadableReply):
        anyio.run(NativeAgent(ScriptedModel("hm", "hm", "hm", "hm")).predict, "t", LOOK)


def test_a_grounder_that_never_points_finds_nothing() -> None:
    workflow = AgenticWorkflow(ScriptedModel("# a\nclick()"), UIGroundingAgent(ScriptedModel(*["where?"] * 3)))

    with pytest.raises(TargetNotFound, match="'a' was not found"):
        anyio.run(workflow.predict, "t", LOOK)


@pytest.mark.parametrize("kind", ["native", "workflow"])
def test_agents_remember_until_they_are_reset(kind: str) -> None:
    lines = (
        ["# Ask\ncall_user()"] * 3
        if kind == "workflow"
        else ["<operation>Ask</operation><action>call_user()</action>"] * 3
    )
    model = ScriptedModel(*lines)
    agent = AgenticWorkflow(model) if kind == "workflow" else NativeAgent(model)

    def told(request: ModelRequest) -> str:
        return "\n".join(turn.text for turn in request.turns)

    for _ in range(2):
        assert anyio.run(agent.predict, "t", LOOK)[1] == (CallUser(),)
    agent.reset()
    anyio.run(agent.predict, "t", {"screenshot": next(iter(LOOK.pictures.values()))})

    assert ["Ask" in told(request) for request in model.requests] == [False, True, False]
    assert all(request.turns[-1].pictures == (LOOK.observation.screen,) for request in model.requests)


def test_a_grounding_agent_points_once_for_each_call() -> None:
    model = ScriptedModel("(966, 546)", "swipe(from_coord=[0, 0], to_coord=[1932, 1092])")
    agent = UIGroundingAgent(model)

    assert anyio.run(agent.predict, "the OK button", LOOK)[1] == (Click(target=At(point=Point(960, 540))),)
    swiped = Swipe(from_coord=At(point=Point(0, 0)), to_coord=At(point=Point(1919, 1079)))
    assert anyio.run(agent.predict, "all of it", LOOK)[1] == (swiped,)
    assert model.requests[0].turns[0].text == "the OK button"
    assert all(len(request.turns) == 1 for request in model.requests)
