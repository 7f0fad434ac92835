"""Families of models in their own forms: what each writes is read, what each is told is in its own words."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image as Pil

from benchmarks.families import SCREENS, broken_on_the_way, cases, misread, own_forms
from deskhand.agents.predict import NativeAgent
from deskhand.core.action import ActionResult, At, Click, Hotkey, OnElement, Press, Scroll, Terminate, Wait, Write
from deskhand.core.decision import AppDecision
from deskhand.core.errors import UnreadableReply
from deskhand.core.family import FAMILIES, Family, family_called, family_of
from deskhand.core.geometry import Frame, Point, Size, Space, smart_resize
from deskhand.core.keys import find_key
from deskhand.core.message import HistoryPart, NotesPart, Part, PastStep, PicturePart, Reply, RequestPart
from deskhand.core.observation import Image
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.dialects.own_form import OwnReply
from deskhand.dialects.prompt import Platform, Prompts
from deskhand.dialects.words import Form
from deskhand.models.factory import opened
from deskhand.models.options import ModelSettings
from deskhand.processors.arrangement import arrangement_for, dialect_for
from deskhand.testing.server import ScriptedServer
from tests.services import model_at, replied, sent, user

SCREEN = Size(1920, 1080)
FRAME = Frame(SCREEN, SCREEN)
MIDDLE = At(point=Point(960, 540))
CASES = cases()
FORMS = list(own_forms())
IN_WORDS = [(form, family) for form, family in FORMS if not family.own_tool]


def picture(of: str = "screen", number: int = 0) -> PicturePart:
    return PicturePart(image=Image(sha256=f"{number:064}", size=SCREEN), of=of)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['section']}: {case['id']}" for case in CASES])
def test_a_reply_means_what_it_says(case: dict[str, Any]) -> None:
    assert misread(case) == ""


@pytest.mark.parametrize("screen", SCREENS, ids=lambda size: f"{size.width}x{size.height}")
@pytest.mark.parametrize(("form", "family"), FORMS, ids=[f"{form}-{family.name}" for form, family in FORMS])
def test_an_action_that_is_told_is_read_as_the_same(form: Form, family: Family, screen: Size) -> None:
    assert list(broken_on_the_way(form, family, screen)) == []


@pytest.mark.parametrize(
    ("screen", "sizes"),
    [
        ((1920, 1080), [(1932, 1092), (1932, 1092), (1932, 1092), (1920, 1088), (1904, 1064)]),
        ((1280, 800), [(1288, 812), (1288, 812), (1288, 812), (1280, 800), (1260, 784)]),
        ((1366, 768), [(1372, 756), (1372, 756), (1372, 756), (1376, 768), (1344, 756)]),
        ((2560, 1440), [(2548, 1428), (1932, 1064), (2548, 1428), (2560, 1440), (2548, 1428)]),
        ((3840, 2160), [(3836, 2156), (1932, 1064), (2660, 1484), (3840, 2176), (3836, 2156)]),
    ],
    ids=str,
)
def test_pictures_are_resized_as_each_family_does(screen: tuple[int, int], sizes: list[tuple[int, int]]) -> None:
    """The figures are those of section 2.5: the usual, UI-TARS 1.0, Doubao, factor 32, GTA1."""
    size, (usual, *others) = Size(*screen), sizes

    for name in ("qwen2.5-vl", "opencua", "ui-tars-1.5", "fara", "holo1.5"):
        assert FAMILIES[name].space.grid(size) == usual
    assert others == [
        smart_resize(*screen, 28, max_pixels=2700 * 28**2),
        smart_resize(*screen, 28, max_pixels=5120 * 28**2),
        Space(factor=32, min_pixels=4 * 32**2, max_pixels=16 * 16 * 4 * 12800).grid(size),
        FAMILIES["gta1"].space.grid(size),
    ]


@pytest.mark.parametrize(
    ("family", "grid", "pictures"),
    [
        ("ui-tars", (1000, 1000), 5),
        ("ui-tars-1.5", (1932, 1092), 5),
        ("ui-tars-2", (1000, 1000), 5),
        ("qwen2.5-vl", (1932, 1092), 4),
        ("qwen3-vl", (1000, 1000), 4),
        ("qwen3.5", (999, 999), 20),
        ("opencua", (1932, 1092), 3),
        ("glm-v", (1000, 1000), 5),
        ("autoglm", (1000, 1000), 1),
        ("autoglm-phone", (1000, 1000), 1),
        ("kimi", (1, 1), 3),
        ("minimax", (1000, 1000), 1),
        ("mai-ui", (999, 999), 3),
        ("fara", (1932, 1092), 3),
        ("yutori", (1000, 1000), 1),
        ("holo1.5", (1932, 1092), 1),
        ("holo", (1000, 1000), 1),
        ("gta1", (1904, 1064), 1),
        ("internvl", (1000, 1000), 1),
        ("moondream", (1, 1), 1),
    ],
)
def test_each_counts_in_its_space_and_sees_its_last_pictures(family: str, grid: tuple[int, int], pictures: int) -> None:
    """What they count in, and how many pictures of the past the agents of others show them, is in section 2.3."""
    found = FAMILIES[family]

    assert (found.space.grid(SCREEN), found.pictures) == (grid, pictures)


@pytest.mark.parametrize(
    ("model", "family", "dialect", "agent"),
    [
        ("vllm:ByteDance-Seed/UI-TARS-1.5-7B", "ui-tars-1.5", "thought_action", "native"),
        ("openai:doubao-1-5-ui-tars-250428", "ui-tars", "thought_action", "native"),
        ("openai:doubao-seed-1.6-vision", "ui-tars-2", "tool_call", "native"),
        ("vllm:xlangai/OpenCUA-32B", "opencua", "pyautogui", "native"),
        ("vllm:Tongyi-MAI/MAI-UI-8B", "mai-ui", "tool_call", "native"),
        ("vllm:microsoft/Fara-7B", "fara", "tool_call", "native"),
        ("vllm:Qwen/Qwen3.5-VL-30B", "qwen3.5", "json", "host"),
        ("vllm:Qwen/Qwen3-VL-8B-Instruct", "qwen3-vl", "json", "host"),
        ("vllm:HelloKKMe/GTA1-7B", "gta1", "json", "host"),
        ("vllm:zai-org/AutoGLM-Phone-9B", "autoglm-phone", "pyautogui", "native"),
        ("vllm:Hcompany/Holo1.5-7B", "holo1.5", "json", "host"),
        ("vllm:Hcompany/Holo3-35B-A3B", "holo", "json", "host"),
    ],
)
def test_a_models_name_says_its_family_and_form(model: str, family: str, dialect: str, agent: str) -> None:
    found = family_of(model)

    assert (found.name, found.dialect) == (family, dialect)
    assert arrangement_for(ModelSettings(model=model)) == agent


@pytest.mark.parametrize("form", ["tool_call", "thought_action", "pyautogui"])
def test_a_form_can_be_set_for_any_model(form: str) -> None:
    options = ModelSettings(model="vllm:qwen3-vl", dialect=form)

    assert arrangement_for(options) == "native"
    assert dialect_for("planner", options, "native", "linux", Prompts()).name == form
    own = ModelSettings(model="vllm:opencua-7b")
    assert dialect_for("planner", own, "native", "linux", Prompts()).name == "pyautogui"


@pytest.mark.parametrize(("form", "family"), IN_WORDS, ids=[f"{form}-{family.name}" for form, family in IN_WORDS])
def test_each_is_told_the_task_its_words_and_how_to_answer(form: Form, family: Family) -> None:
    dialect = make_dialect(form, Wanted(family))
    parts = (RequestPart(text="save the file"), HistoryPart(), NotesPart(notes=("a note",)), picture())

    request = dialect.compose("app", parts)

    (turn,) = request.turns
    assert "save the file" in request.system
    assert "a note" in turn.text
    assert turn.pictures == (picture().image,)
    assert "@" not in request.system.replace("@example", "")
    example = request.system.partition("## Output Format")[2].partition("## Note")[0]
    decision = dialect.parse("app", Reply(text=example.partition("\n\n")[2] or example), FRAME)
    assert isinstance(decision, AppDecision)
    (click,) = decision.actions
    assert isinstance(click, Click)
    at = click.target.point if isinstance(click.target, At) else Point(960, 540)
    assert max(abs(at.x - 960), abs(at.y - 540)) <= 1
    assert isinstance(click.target, OnElement) == getattr(dialect, "marked", False)


def test_the_past_is_told_in_its_own_words_and_coordinates_with_its_last_pictures() -> None:
    clicked = Click(target=MIDDLE, modifiers=("ctrl",))
    done = ActionResult(outcome="done", text="it is open")
    steps = tuple(PastStep(step=n, thought=f"Click {n}", actions=(clicked,), results=(done,)) for n in range(1, 9))
    earlier = [picture(f"step {number}", number) for number in range(1, 9)]
    parts: list[Part] = [RequestPart(text="r"), HistoryPart(steps=steps), *earlier, picture()]

    turns = make_dialect("thought_action", Wanted(FAMILIES["ui-tars-1.5"])).compose("app", tuple(parts)).turns

    assert [turn.speaker for turn in turns] == ["user", "assistant"] * 8 + ["user"]
    assert turns[1].text == "Thought: Click 1\nAction: click(start_box='(966,546)', modifiers=['ctrl'])"
    assert "it is open" in turns[2].text
    assert sum(len(turn.pictures) for turn in turns) == 5
    assert turns[-1].pictures == (picture().image,)
    assert [turn.pictures for turn in turns[:8:2]] == [()] * 4


@pytest.mark.parametrize(
    ("family", "form", "said"),
    [
        ("ui-tars-1.5", "thought_action", "scroll(start_box='(966,546)', direction='down', amount=3)"),
        ("glm-v", "thought_action", "scroll(start_box='[500,500]', direction='down', step=3)"),
        ("qwen3-vl", "tool_call", '"action": "scroll", "pixels": -300, "coordinate": [500, 500]'),
        ("qwen3.5", "tool_call", "<parameter=pixels>-3</parameter>"),
        ("minimax", "tool_call", '"scroll_direction": "down", "scroll_amount": 3'),
        ("opencua", "pyautogui", "pyautogui.scroll(clicks=-3, x=966, y=546)"),
        ("kimi", "pyautogui", "pyautogui.scroll(clicks=-3, x=0.5003, y=0.5005)"),
    ],
)
def test_three_notches_down_are_said_in_the_unit_and_sign_of_each(family: str, form: str, said: str) -> None:
    step = PastStep(step=1, thought="t", actions=(Scroll(clicks=-3, target=MIDDLE),))
    parts = (RequestPart(text="r"), HistoryPart(steps=(step,)), picture())

    turns = make_dialect(form, Wanted(family_called(family))).compose("app", parts).turns

    assert said in turns[1].text


@pytest.mark.parametrize(
    ("family", "form", "waits", "ends", "gives_up"),
    [
        ("ui-tars-1.5", "thought_action", "wait()", "finished()", "terminate(status='failure')"),
        ("ui-tars-2", "tool_call", "<function=wait>\n</function>", "<function=finished>", ">failure</parameter>"),
        ("qwen3-vl", "tool_call", '"wait", "time": 5', '"terminate", "status": "success"', '"status": "failure"'),
        ("glm-v", "thought_action", "WAIT()", "DONE()", "FAIL()"),
        ("autoglm", "pyautogui", "Agent.wait()", "Agent.exit(success=True)", "Agent.exit(success=False)"),
        ("autoglm-phone", "pyautogui", "do(action='Wait', duration=5", "finish()", "terminate(status='failure')"),
        ("opencua", "pyautogui", "time.sleep(secs=5", "computer.terminate(status='success')", "status='failure'"),
        ("minimax", "tool_call", '"wait", "duration": 5', '"action": "done"', '"action": "fail"'),
        ("browser-use", "objects", '{"wait": {"seconds": 5', '{"done": {"success": true', '"success": false'),
        ("mobilerun", "tool_call", '<parameter name="duration">5', "complete", '<parameter name="success">false'),
    ],
)
def test_waiting_and_ending_are_said_in_the_words_of_each(
    family: str, form: str, waits: str, ends: str, gives_up: str
) -> None:
    for action, said in ((Wait(seconds=5), waits), (Terminate(), ends), (Terminate(status="failure"), gives_up)):
        step = PastStep(step=1, thought="t", actions=(action,))
        parts = (RequestPart(text="r"), HistoryPart(steps=(step,)), picture())
        assert said in make_dialect(form, Wanted(family_called(family))).compose("app", parts).turns[1].text


@pytest.mark.parametrize(
    ("family", "form", "said", "keys"),
    [
        ("ui-tars-1.5", "thought_action", "Action: hotkey(key='ctrl arrowleft')", ["ctrl", "left"]),
        ("glm-v", "thought_action", "Action: key(keys='ctrl+alt+t')", ["ctrl", "alt", "t"]),
        ("opencua", "pyautogui", "pyautogui.hotkey('winleft', 'pgdn')", ["super", "page_down"]),
        ("agent-s3", "pyautogui", "agent.hotkey(['command', 'backspace'])", ["super", "backspace"]),
        ("fara", "tool_call", '{"action": "key", "keys": ["Control", "ArrowUp"]}', ["ctrl", "up"]),
        ("qwen3.5", "tool_call", '{"action": "key", "keys": "[\\"ctrl\\", \\"pageup\\"]"}', ["ctrl", "page_up"]),
        ("claude", "tool_call", '{"action": "key", "text": "super+Page_Down"}', ["super", "page_down"]),
        ("minimax", "tool_call", '{"action": "key", "text": "ctrl+minus"}', ["ctrl", "minus"]),
        ("browser-use", "objects", '{"action": [{"send_keys": {"keys": "Control+Shift+T"}}]}', ["ctrl", "shift", "t"]),
    ],
)
def test_keys_go_by_the_names_that_each_gives_them(family: str, form: Form, said: str, keys: list[str]) -> None:
    (pressed,) = OwnReply(form, family_called(family)).read(said, FRAME).actions

    assert isinstance(pressed, Hotkey)
    assert [find_key(key) for key in pressed.keys] == [find_key(key) for key in keys]
    assert all(map(find_key, keys))


@pytest.mark.parametrize(("platform", "told"), [("linux", False), ("android", True)])
@pytest.mark.parametrize(("form", "family"), [("tool_call", "qwen3-vl"), ("thought_action", "ui-tars")])
def test_of_the_buttons_of_a_phone_models_are_told_on_phones(
    form: str, family: str, platform: Platform, told: bool
) -> None:
    dialect = make_dialect(form, Wanted(FAMILIES[family], platform=platform))

    system = dialect.compose("app", (RequestPart(text="r"), picture())).system

    assert any(word in system for word in ("press_home(", 'button="Home"')) is told


def test_a_batch_is_read_wholly_or_not_at_all() -> None:
    dialect = make_dialect("tool_call", Wanted(FAMILIES["qwen3-vl"]))
    good = '<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": 1}}</tool_call>'
    bad = '<tool_call>{"name": "computer_use", "arguments": {"action": "key", "keys": ["nokey"]}}</tool_call>'

    with pytest.raises(UnreadableReply, match="nokey"):
        dialect.parse("app", Reply(text=good + bad), FRAME)


def test_nothing_after_the_end_is_done_and_the_end_says_how() -> None:
    dialect = make_dialect("thought_action", Wanted(FAMILIES["ui-tars"]))
    text = "Thought: t\nAction: type(content='a\\n')\n\nfinished(content='42')\n\nclick(start_box='(1,1)')"

    decision = dialect.parse("app", Reply(text=text), FRAME)

    assert isinstance(decision, AppDecision)
    assert (decision.status, decision.result) == (AppAgentStatus.FINISH, "42")
    assert decision.actions == (Write(message="a"), Press(keys=("enter",)))


def test_how_many_earlier_pictures_go_along_can_be_set() -> None:
    wanted = Wanted(FAMILIES["ui-tars"])

    assert getattr(make_dialect("thought_action", wanted), "earlier", 0) == 4
    assert getattr(make_dialect("thought_action", wanted._replace(earlier=1)), "earlier", 0) == 1


def test_a_host_is_asked_as_in_json() -> None:
    dialect = make_dialect("pyautogui", Wanted(FAMILIES["opencua"]))

    assert dialect.compose("host", (RequestPart(text="r"),)).reply_schema is not None


@pytest.mark.parametrize(("spec", "field"), [("openai:minimax-m3", "stop"), ("anthropic:minimax-m3", "stop_sequences")])
def test_a_family_that_goes_on_to_make_things_up_is_stopped_where_its_call_ends(spec: str, field: str) -> None:
    parts = (RequestPart(text="r"), picture())
    asked = make_dialect("tool_call", Wanted(family_of(spec))).compose("app", parts).model_copy(update={"turns": ()})
    with ScriptedServer("ok") as server:
        replied(server, asked.model_copy(update={"turns": (user(),)}), spec=spec)

    assert sent(server, field) == [["</tool_call>"]]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("family", "form", "reply"),
    [
        ("ui-tars-1.5", "thought_action", "Thought: Press OK.\nAction: click(start_box='(644,406)')"),
        (
            "qwen3-vl",
            "tool_call",
            'Action: Press OK.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", '
            '"coordinate": [500, 500]}}\n</tool_call>',
        ),
        ("opencua", "pyautogui", "## Action:\nPress OK.\n## Code:\n```python\npyautogui.click(x=644, y=406)\n```"),
    ],
)
async def test_a_model_is_asked_and_answers_in_its_own_form_step_after_step(
    family: str, form: Form, reply: str
) -> None:
    file = io.BytesIO()
    Pil.new("RGB", (1280, 800)).save(file, "png")
    wrong = "I would rather not say."
    with ScriptedServer(reply, wrong, reply) as server:
        model = model_at(server, f"vllm:{family}")
        agent = NativeAgent(model, OwnReply(form, FAMILIES[family]))
        seen = {"screenshot": file.getvalue()}
        async with opened([model]):
            first = await agent.predict("Press OK twice", seen)
            second = await agent.predict("Press OK twice", seen)

    for info, actions in (first, second):
        assert (info.instruction, actions) == ("Press OK.", (Click(target=At(point=Point(640, 400))),))
    told_of_the_first = server.requests[1].body["messages"][2]
    assert told_of_the_first["role"] == "assistant"
    assert "Press OK." in told_of_the_first["content"]
    assert "holds no" in server.requests[2].text
