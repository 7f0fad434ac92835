"""The `native` dialect: what a model that plans and points is told, and how its replies are read."""

from __future__ import annotations

import pytest

from deskhand.core.action import (
    Action,
    ActionResult,
    At,
    Click,
    DoubleClick,
    Hotkey,
    NavigateHome,
    Press,
    Respond,
    Scroll,
    Write,
)
from deskhand.core.decision import AppDecision
from deskhand.core.errors import SettingsError, UnreadableReply
from deskhand.core.family import family_called
from deskhand.core.geometry import Box, Frame, Point, Size
from deskhand.core.keys import NAMES as NAMES_OF_KEYS
from deskhand.core.keys import find_key
from deskhand.core.message import (
    AnswersPart,
    BlackboardEntry,
    BlackboardPart,
    BudgetPart,
    ElementsPart,
    HistoryPart,
    NotesPart,
    PastStep,
    PicturePart,
    Reply,
    RequestPart,
    SubtaskPart,
    WindowsPart,
)
from deskhand.core.observation import Element, Image, Window
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.native import NativeReply
from deskhand.dialects.prompt import NAMES, Prompts, scalecua_template
from deskhand.dialects.unreadable import Unreadable

SCREEN = Size(1920, 1080)
FRAME = Frame(SCREEN, SCREEN)
PICTURE = PicturePart(image=Image(sha256="0" * 64, size=SCREEN))
NATIVE = NativeReply()
OK = "<operation>Click OK</operation>\n<action>\nclick(x=966, y=546)\n</action>"
CLICKED = Click(target=At(point=Point(960, 540)))


def decided(text: str, dialect: NativeReply = NATIVE) -> AppDecision:
    decision = dialect.parse("app", Reply(text=text), FRAME)
    assert isinstance(decision, AppDecision)
    return decision


def block(calls: str) -> str:
    return f"<think>\nt\n</think>\n<operation>\no\n</operation>\n<action>\n{calls}\n</action>"


def test_thinking_operation_and_actions_become_a_decision() -> None:
    decision = decided(f"<think>\nThe dialog is open.\n</think>\n{OK}")

    assert decision == AppDecision(
        observation="The dialog is open.", thought="Click OK", status=AppAgentStatus.CONTINUE, actions=(CLICKED,)
    )


@pytest.mark.parametrize(
    ("calls", "status", "result", "count"),
    [
        ("terminate(status='success', info='7')", AppAgentStatus.FINISH, "7", 0),
        ("terminate('failure', 'no, never')", AppAgentStatus.FAIL, "no, never", 0),
        ("response(answer='42')\nterminate()", AppAgentStatus.FINISH, "42", 1),
        ("click(x=1, y=2)\nterminate()\nclick(x=3, y=4)", AppAgentStatus.FINISH, "", 1),
        ("wait(1)", AppAgentStatus.CONTINUE, "", 1),
    ],
)
def test_terminate_says_how_it_ends_and_nothing_after_it_is_done(
    calls: str, status: AppAgentStatus, result: str, count: int
) -> None:
    decision = decided(block(calls))

    assert (decision.status, decision.result, len(decision.actions)) == (status, result, count)


def test_call_user_is_a_question() -> None:
    assert decided(block("call_user(question='which?')")).questions == ("which?",)
    asked = decided("<operation>Enter the code</operation><action>call_user()</action>")
    assert (asked.status, asked.questions) == (AppAgentStatus.PENDING, ("Enter the code",))


@pytest.mark.parametrize(
    "text",
    [
        f"<think>I could <action>wait()</action></think>{OK}",
        f"I could\n<action>wait()</action>\n</think>{OK}",
        f"<think>a <think>b</think> <action>wait()</action></think>{OK}",
        f"<THINKING><action>wait()</action></THINKING>{OK}",
        f"{OK}<think>or <action>wait()</action></think>",
        f"◁think▷<action>wait()</action>◁/think▷{OK}",
    ],
)
def test_what_is_only_thought_of_is_not_done(text: str) -> None:
    assert decided(text).actions == (CLICKED,)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"<think>and so on{OK}", "no_action"),
        ("<think>only this</think>", "no_action"),
        ("I'm sorry, I can't help with that.", "no_action"),
        ("I considered click(x=1, y=2).", "no_action"),
        ("<action>I will not click(x=1, y=2) because</action>", "no_action"),
        ("<action>\nclick(x=966, y=54", "syntax_error"),
        ("<action>\nwrite(message='hel", "syntax_error"),
        (block("write(message='f('a'), then b')"), "syntax_error"),
        (block("click(x=1, y=2) if open else wait()"), "syntax_error"),
        (block("for i in range(3): press('a')"), "syntax_error"),
        (block("wait()\n" * 51), "syntax_error"),
        (block("write(message=hello)"), "non_literal"),
        (block("write(message='a' + 'b')"), "non_literal"),
        (block("click(x=960+6, y=546)"), "non_literal"),
        (block('press(keys=["a\'); import os #"])'), "invalid_key"),
        (block("press('frobnicate')"), "invalid_key"),
        (block("click(x=1, y=2, button='fifth')"), "invalid_button"),
        (block("terminate(status='maybe')"), "invalid_status"),
        (block("click(x=True, y=2)"), "type_error"),
        (block("click(x=1)"), "missing_param"),
        (block("write(message=None)"), "missing_param"),
        (block("click(x=1, y=2, z=3)"), "unknown_param"),
        (block("click(x=1933, y=2)"), "out_of_range"),
        (block("wait(seconds=-1)"), "out_of_range"),
        ("<tool_call>{}</tool_call>", "no_action"),
    ],
)
def test_what_cannot_be_read_without_guessing_goes_back(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decided(text)

    assert caught.value.code == code
    assert isinstance(caught.value, UnreadableReply)


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ("write(message='it's ok')", "it's ok"),
        ("write(message='say 'yes', please')", "say 'yes', please"),
        ('write(message="He said "hi"")', 'He said "hi"'),
        ("write(message=「你好，世界」)", "你好，世界"),
        (r"write(message='C:\Users\me')", r"C:\Users\me"),
        ("write(message='a\nb'", "a\nb"),
        ("write(message='hello'", "hello"),
        ("write('</action>')", "</action>"),
        ("write(message='<think>x</think>')", "<think>x</think>"),
        ("write(message=`a b`)", "a b"),
        ("write(message=123)", "123"),
    ],
)
def test_a_text_is_entered_as_it_was_meant(calls: str, message: str) -> None:
    assert decided(block(calls)).actions == (Write(message=message),)


@pytest.mark.parametrize(
    "calls",
    [
        "click(start_box='(966,546)')",
        "click(start_box=(966, 546))",
        "click(start_box='[956, 536, 976, 556]')",
        "click(point='<point>966 546</point>",
        "click(point='<point>966 546</point>)",
        "click(point=<point>966 546</point>)",
        "click(start_box='<bbox>966 546 966 546</bbox>')",
        "click(start_box='<|box_start|>(966,546)<|box_end|>')",
        "click(x: 966, y: 546)",
        "click(x=966 y=546)",
        "click(x=966, y=546))",
        "click(x=966, y=546\nThen I wait",
        "click({'x': 966, 'y': 546})",
        "click((966, 546))",
        "click（ｘ＝９６６，ｙ＝５４６）",
        "1. click(966, 546)",
        "Action: click(966, 546)",
        "`click(x=966, y=546)`",
        "I will click(x=966, y=546)",
        "result = await page.click(x=966, y=546)",
        "{'action': 'click', 'x': 966, 'y': 546,}",
        "click(x=0.5, y=0.5)",
    ],
)
def test_a_click_is_read_in_whatever_form(calls: str) -> None:
    assert decided(block(calls)).actions == (CLICKED,)


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("I will press OK. click(start_box=(966,546))", "I will press OK."),
        ("Thought：press it\nAction：click(start_box='<bbox>966 546 966 546</bbox>')", "press it"),
        ("1. It is filled.\nAction: click(start_box='<|box_start|>(966,546)<|box_end|>')", "1. It is filled."),
        ('So:\n```json\n{"action": "click", "x": 966, "y": 546}\n```', "So:"),
        ('<tool_call>{"name": "click", "arguments": "{\\"x\\": 966, \\"y\\": 546}"}', ""),
    ],
)
def test_a_reply_in_the_form_of_another_family_is_read(text: str, thought: str) -> None:
    decision = decided(text)

    assert (decision.actions, decision.observation) == ((CLICKED,), thought)


@pytest.mark.parametrize(
    ("calls", "keys"),
    [
        ("hotkey('Ctrl+C')", ("ctrl", "c")),
        ("hotkey('Ctrl', 'C')", ("ctrl", "c")),
        ("hotkey('ctrl-c')", ("ctrl", "c")),
        ("hotkey(key='ctrl c')", ("ctrl", "c")),
        ("hotkey(ctrl, c)", ("ctrl", "c")),
        ("hotkey('ctrl++')", ("ctrl", "+")),
        ("hotkey('ctrl', ''')", ("ctrl", "'")),
        (r"hotkey('ctrl', '\')", ("ctrl", "\\")),
    ],
)
def test_a_chord_is_read_in_whatever_form(calls: str, keys: tuple[str, ...]) -> None:
    assert decided(block(calls)).actions == (Hotkey(keys=keys),)


def test_what_one_name_can_say_is_said() -> None:
    triple, middle = decided(block("triple_click(x=966, y=546); middleClick(966, 546)")).actions

    assert triple == CLICKED.model_copy(update={"clicks": 3})
    assert middle == CLICKED.model_copy(update={"button": "middle"})


def test_a_family_counts_in_its_own_space() -> None:
    thousandths = NativeReply(family_called("qwen3-vl"))

    assert decided(block("click(x=500, y=500)"), thousandths).actions == (CLICKED,)
    by_tool = '<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [500, 500]}}'
    assert decided(by_tool).actions == (CLICKED,)
    with pytest.raises(UnreadableReply, match="1000"):
        decided(block("click(x=1001, y=500)"), thousandths)


def test_only_the_picture_of_now_goes_out_and_the_past_in_words() -> None:
    failed = ActionResult(outcome="failed", text="nothing is there </action>")
    steps = (
        PastStep(step=1, thought="Open the menu", actions=(CLICKED,), results=(ActionResult(outcome="done"),)),
        PastStep(step=2, correction="your reply could not be read"),
        PastStep(step=3, thought="Click\nOK", actions=(CLICKED,), results=(failed,)),
        PastStep(step=4, actions=(CLICKED, Press(keys=("a",)))),
    )

    request = NATIVE.compose("app", (RequestPart(text="save it"), HistoryPart(steps=steps), PICTURE))

    (turn,) = request.turns
    assert (turn.speaker, turn.pictures) == ("user", (PICTURE.image,))
    assert "Task:\nsave it\n" in turn.text
    operations = turn.text.partition("Previous operations:\n")[2].splitlines()
    assert operations[0] == "Step 1: Open the menu [click(x=966, y=546)]"
    assert operations[1].startswith("Step 2: Click OK [click(x=966, y=546) -> failed: nothing is there")
    assert "</action>" not in turn.text
    assert operations[2].startswith("Step 3: click(x=966, y=546) -> it is not known whether")
    assert ", 1932 by 1092 pixels" in request.system


def test_without_a_past_it_says_so_and_tells_only_what_there_is() -> None:
    (turn,) = NATIVE.compose("app", (RequestPart(text="r"), HistoryPart(), NotesPart(), PICTURE)).turns

    assert turn.text.endswith("Previous operations:\nNone")


def test_the_windows_are_told_the_topmost_ten() -> None:
    windows = tuple(Window(id=f"w{n}", title=f"T{n}", box=Box(0, 0, 9, 9), active=n == 0) for n in range(12))

    (turn,) = NATIVE.compose("app", (RequestPart(text="r"), WindowsPart(windows=windows), PICTURE)).turns

    assert 'w0 "T0" of ? [active]' in turn.text
    assert ("T9" in turn.text, "T10" in turn.text) == (True, False)


def test_a_subtask_takes_the_requests_place_and_what_else_matters_is_told() -> None:
    parts = (
        RequestPart(text="the request"),
        SubtaskPart(text="the subtask", application="editor", message=("a tip",)),
        BlackboardPart(entries=(BlackboardEntry(key="k", value="v"),)),
        AnswersPart(answers=(("which?", "this"),)),
        NotesPart(notes=("Your last reply could not be read: no action",)),
        BudgetPart(step=5, steps=6),
        ElementsPart(elements=(Element(id="e1", role="button", name="hidden", box=Box(0, 0, 9, 9)),)),
        PICTURE,
    )

    text = NATIVE.compose("app", parts).turns[0].text

    for wanted in (
        "Task:\nthe subtask\n",
        "a tip",
        '"k" = "v"',
        "which?",
        "no action",
        "step 5 of at most 6",
        "Come to",
    ):
        assert wanted in text
    assert "the request" not in text
    assert "hidden" not in text


def test_thinking_is_asked_for_when_it_is_on() -> None:
    on, off = (NativeReply(thinking=thinking).compose("app", (PICTURE,)).system for thinking in (True, False))

    assert "<think>" in on
    assert "<think>" not in off
    assert all("<operation>" in system and "def click(" in system for system in (on, off))


def test_each_platform_has_actions_of_its_own() -> None:
    desktop, web, phone = (
        NativeReply(platform=platform).compose("app", (PICTURE,)).system for platform in ("linux", "web", "android")
    )

    assert "def scroll(" in desktop
    assert "def swipe(" not in desktop
    assert "def open_url(" in web
    assert "def keyDown(" not in web
    assert "def navigate_home(" in phone
    assert "def press(" not in phone
    assert "**Android**" in phone


def test_hosts_are_asked_and_read_as_in_the_json_dialect() -> None:
    host = NATIVE.compose("host", (RequestPart(text="r"), PICTURE))

    assert host.reply_schema is not None
    assert NATIVE.parse("host", Reply(text='{"status": "FINISH"}'), FRAME).status == "FINISH"


def test_prompts_have_versions_and_can_be_replaced() -> None:
    own = Prompts({"native_user": "Do @TASK@ now. @NOTHING@"})

    (turn,) = NativeReply(prompts=own).compose("app", (RequestPart(text="@OPERATIONS@ it"), PICTURE)).turns

    assert turn.text == "Do @OPERATIONS@ it now."
    assert all(Prompts()[name].version for name in NAMES)
    with pytest.raises(SettingsError, match="no prompt nativ;"):
        Prompts({"nativ": ""})


def test_a_scalecua_template_is_taken_as_it_is() -> None:
    misspelled = "sys_prompt_planning_wit" + "outcot"
    template = {
        "user_prompt_planning": "{instruction} after {actions}",
        misspelled: "S",
        "user_prompt_grounding": "{ref_expr}",
    }

    prompts = scalecua_template(template)

    assert prompts == {"native_user": "@TASK@ after @OPERATIONS@", "native": "S", "ground_user": "@DESCRIPTION@"}
    planner = scalecua_template({"sys_prompt_planning_cot": "task: {task_instruction}"}, planner=True)
    assert planner == {"plan": "task: @TASK@"}


def test_an_answer_in_words_is_an_action() -> None:
    assert decided(block("response(answer='a=b, c')")).actions == (Respond(answer="a=b, c"),)


def test_every_key_that_the_desktop_knows_may_be_asked_for() -> None:
    assert [
        name for name in (*NAMES_OF_KEYS, "F24", "kp_5", "Page Down", "page_down", "é", "Win") if not find_key(name)
    ] == []
    assert not any(map(find_key, ("", "frobnicate", "ctrl+c", "a'); import os #", "ab")))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Action: scroll(start_box='(966,546)', direction='down')", Scroll(clicks=-5, target=CLICKED.target)),
        ("Action: scroll(direction='right', amount=2)", Scroll(right=2)),
        ("Action: left_double(point='<point>966 546</point>')", DoubleClick(target=CLICKED.target)),
        ("Action: type(content='a\\nb')", Write(message="a\nb")),
        ("## Action:\nClick OK (now).\n## Code:\n```python\npyautogui.click(966, 546, duration=0.5)\n```", CLICKED),
        ("<answer>press_home()</answer>", NavigateHome()),
    ],
)
def test_verbs_of_other_families_are_understood(text: str, action: Action) -> None:
    assert decided(text).actions == (action,)
