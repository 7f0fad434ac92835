"""The embedded model as host: clauses read, applications chosen, values handed on, and what cannot be read said so."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest

from deskhand.core.decision import HostDecision
from deskhand.core.errors import ModelRefused
from deskhand.core.geometry import Box, Frame, Size
from deskhand.core.message import (
    AnswersPart,
    ApplicationsPart,
    ModelRequest,
    Part,
    PlanPart,
    ReportsPart,
    RequestPart,
    SubtaskReport,
    WindowsPart,
)
from deskhand.core.observation import Application, Image, Window
from deskhand.core.status import HostAgentStatus
from deskhand.dialects.json_reply import JsonReply
from deskhand.models.literal import LiteralModel, explain

APPLICATIONS = (
    Application(
        id="org.xfce.mousepad",
        name="Mousepad",
        generic_name="Text Editor",
        categories=("Utility", "TextEditor"),
        default_for=("text/plain",),
    ),
    Application(id="featherpad", name="FeatherPad", categories=("TextEditor",)),
    Application(id="galculator", name="Galculator", generic_name="Calculator", categories=("Calculator",)),
    Application(id="thunar", name="Thunar File Manager", categories=("FileManager",), default_for=("inode/directory",)),
    Application(id="xfce4-terminal", name="Xfce Terminal", categories=("TerminalEmulator",)),
)
FORM = Window(id="0x1", title="Order Form", app="form", box=Box(0, 0, 9, 9), active=True)
PIXELS = Frame(Size(800, 600), Size(800, 600))


class NoPictures:
    def read(self, image: Image) -> bytes:
        raise AssertionError(f"{image} was asked for")


def decide(
    request: str,
    *more: Part,
    applications: Sequence[Application] = APPLICATIONS,
    windows: Sequence[Window] = (),
) -> HostDecision:
    known = (WindowsPart(windows=tuple(windows)), ApplicationsPart(applications=tuple(applications)))
    asked = ModelRequest(role="host", parts=(RequestPart(text=request), *known, *more))
    reply = anyio.run(LiteralModel().ask, asked, NoPictures())
    decision = JsonReply().parse("host", reply, PIXELS)
    assert isinstance(decision, HostDecision)
    return decision


def clauses(request: str, windows: Sequence[Window] = (FORM,)) -> list[tuple[str, str]]:
    return [(line.kind, line.text) for line in explain(request, APPLICATIONS, windows)]


@pytest.mark.parametrize(
    ("request_", "read"),
    [
        (
            "Press the Tab key twice and then type “abc, and then save”.",
            [("press", "Press the Tab key twice"), ("write", "type “abc, and then save”")],
        ),
        (
            "Could you please click 'Save', then press Enter?",
            [("click", "click “Save”"), ("press or_click", "press Enter")],
        ),
        ("click Find and Replace", [("click", "click Find and Replace")]),
        ("click Save and close the window", [("click", "click Save"), ("close", "close the window")]),
        (
            "type Anna into the Name field and 30 into the Age field",
            [("write", "type Anna into the Name field"), ("write", "type 30 into the Age field")],
        ),
        ("click “A”, “B” and “C”", [("click", "click “A”"), ("click", "click “B”"), ("click", "click “C”")]),
        (
            "1. Open the File menu\n2. Choose Print…\n3. Press Cancel",
            [("open_menu", "Open the File menu"), ("choose", "Choose Print…"), ("click", "Press Cancel")],
        ),
        (
            "When the dialog appears, press OK. If a warning is shown, click Continue.",
            [
                ("wait_for there", "wait for the dialog to appear"),
                ("click", "press OK"),
                ("click", "If a warning is shown, click Continue"),
            ],
        ),
        (
            "On the Advanced tab, tick Verbose",
            [("tab", "switch to the Advanced tab"), ("toggle on", "tick Verbose")],
        ),
        ("In the View menu, check Status Bar", [("toggle on", "check Status Bar in the View menu")]),
        ("From the File menu, choose Save As", [("menu", "choose Save As from the File menu")]),
        ("Save the file by pressing Ctrl+S", [("press or_click", "press Ctrl+S")]),
        (
            "use the keyboard to press Ctrl+A and then Delete",
            [("press or_click", "press Ctrl+A"), ("press or_click", "press Delete")],
        ),
        (
            "Fill in the form with Name: Anna, Age = 30",
            [("set", "set “Name” to “Anna”"), ("set", "set “Age” to “30”")],
        ),
        ("scroll down to Item 40 and click it", [("scroll_to", "scroll down to Item 40"), ("click", "click Item 40")]),
        ("click Next until Finish appears", [("click", "click Next until Finish appears")]),
        ("View > Zoom > In", [("menu", "View > Zoom > In")]),
        ("put a check mark next to “I agree”", [("toggle on", "put a check mark next to “I agree”")]),
        (
            "write “a” three times, undo the last change twice",
            [("write", "write “a” three times"), ("command undo", "undo the last change twice")],
        ),
        ("zoom in, apply, log in", [("command zoom_in", "zoom in"), ("do", "apply"), ("do", "log in")]),
    ],
)
def test_a_request_is_split_into_clauses_in_order(request_: str, read: list[tuple[str, str]]) -> None:
    assert clauses(request_) == read


PARAGRAPH = "naïve façade – 你好 – 😀: “it’s”, he said; and then? Save it.\n\tDone"


@pytest.mark.parametrize(
    "request_",
    [
        f'in the text editor, write "{PARAGRAPH}" and save it under /tmp/a.txt',
        f"write «{PARAGRAPH}» in the text editor, then save it as /tmp/a.txt",
        f"In the text editor, write the following:\n{PARAGRAPH}\n\nThen save it under “/tmp/a.txt”.",
    ],
)
def test_a_paragraph_stays_whole_whatever_stands_in_it(request_: str) -> None:
    decision = decide(request_)

    assert (decision.status, decision.application) == (HostAgentStatus.ASSIGN, "org.xfce.mousepad")
    assert PARAGRAPH in decision.subtask
    assert len(explain(request_, APPLICATIONS)) == 2


@pytest.mark.parametrize(
    ("request_", "application", "subtask"),
    [
        ("in the text editor, write “x”", "org.xfce.mousepad", "write “x”"),
        ("write “x” with FeatherPad", "featherpad", "write “x”"),
        ("open mousepad and type “x”", "org.xfce.mousepad", "type “x”"),
        ("what is 12% of 80?", "galculator", "what is 12% of 80"),
        ("what is 2 + 2? Use galculator.", "galculator", "what is 2 + 2"),
        ("run “ls”", "xfce4-terminal", "run “ls”"),
        ("create a text file called “/tmp/n.txt” with the content “abc”", "org.xfce.mousepad",
            "start a new text file\nwrite “abc”\nsave it under “/tmp/n.txt”"),
        ("append “x” to /tmp/a.txt", "org.xfce.mousepad", "open the file “/tmp/a.txt”\nappend “x”\nsave"),
        ("open the calculator", "galculator", "open “galculator”"),
    ],
)  # fmt: skip
def test_the_application_is_the_one_that_is_named_or_implied(request_: str, application: str, subtask: str) -> None:
    decision = decide(request_)

    assert (decision.status, decision.application) == (HostAgentStatus.ASSIGN, application)
    assert decision.subtask == subtask


def test_without_a_name_the_window_with_the_keyboard_is_meant() -> None:
    decision = decide("click OK", windows=(FORM.model_copy(update={"id": "0x2", "active": False}), FORM))

    assert (decision.application, decision.subtask) == ("0x1", "click OK")


def test_a_value_goes_from_one_application_to_the_next_by_the_blackboard() -> None:
    request = "compute 12.5 * 8 in the calculator and put the result it shows into a new text file"
    first = decide(request)
    report = SubtaskReport(subtask=first.subtask, application=first.application, status="FINISH", result="100")

    second = decide(request, ReportsPart(reports=(report,)), PlanPart(steps=first.plan))

    key = "{{sum}}"
    assert (first.application, first.subtask) == ("galculator", f"compute 12.5 * 8 (call it {key})")
    assert (second.application, second.subtask) == ("org.xfce.mousepad", f"start a new text file\nwrite {key}")
    assert key in second.message[0]
    assert second.plan == ()


def test_when_all_is_reported_the_answer_is_what_came_of_it() -> None:
    done = SubtaskReport(subtask="compute 2+2", application="galculator", status="FINISH", result="4")

    decision = decide("compute 2+2", ReportsPart(reports=(done,)), PlanPart())

    assert (decision.status, decision.result) == (HostAgentStatus.FINISH, "4")


def test_a_failed_subtask_fails_the_request_with_its_reason() -> None:
    failed = SubtaskReport(subtask="click OK", application="0x1", status="FAIL", result="OK is greyed out")

    decision = decide("click OK", ReportsPart(reports=(failed,)), PlanPart(), windows=(FORM,))

    assert decision.status is HostAgentStatus.FAIL
    assert decision.result == "OK is greyed out (in Order Form: click OK)"


def test_where_an_application_does_not_start_another_of_its_kind_is_tried() -> None:
    request = "in the text editor, write “x”"
    first = decide(request)
    report = SubtaskReport(
        subtask=first.subtask, application=first.application, status="FAIL", result="mousepad cannot be brought up: no"
    )

    second = decide(request, ReportsPart(reports=(report,)), PlanPart(steps=first.plan))

    assert (second.status, second.application, second.subtask) == (HostAgentStatus.ASSIGN, "featherpad", "write “x”")


@pytest.mark.parametrize("request_", ["hello", "xasxasxas", "book me a flight", "😀", "make it bold"])
def test_what_cannot_be_read_ends_at_once_and_says_how_to_add_a_model(request_: str) -> None:
    decision = decide(request_, windows=(FORM,))

    assert decision.status is HostAgentStatus.FAIL
    assert request_ in decision.result
    assert "--model" in decision.result


def test_of_a_half_read_request_nothing_is_done_and_both_halves_are_named() -> None:
    decision = decide("write “x” in the text editor, then book me a flight")

    assert decision.status is HostAgentStatus.FAIL
    assert decision.result.startswith("It reads “write “x””, but not “book me a flight”: nothing was done.")


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ("open Mousebad", "no application called 'Mousebad' is installed; installed are, among others, Mousepad"),
        ("in the web browser, click OK", "no application called 'the web browser' is installed"),
        ("click OK", "no window is open and no application is named for 'click OK'"),
        ("what is the weather?", "no window is open"),
    ],
)
def test_an_application_that_is_not_there_is_said_to_be_missing(request_: str, says: str) -> None:
    decision = decide(request_)

    assert decision.status is HostAgentStatus.FAIL
    assert says in decision.result


def test_a_text_that_is_only_described_is_asked_for_and_the_answer_is_written() -> None:
    request = "write a poem about love in the text editor"
    asked = decide(request)

    answered = decide(request, AnswersPart(answers=((asked.questions[0], "Roses, and so on"),)))

    assert asked.status is HostAgentStatus.PENDING
    assert "'a poem about love'" in asked.questions[0]
    assert answered.subtask == "write “Roses, and so on”"


def test_explaining_says_what_is_understood_and_touches_nothing() -> None:
    lines = explain("compute 2+2, then fly away", APPLICATIONS)

    assert [str(line) for line in lines] == [
        "“compute 2+2” means compute: 2+2 in Galculator",
        "“fly away” is not understood",
    ]


def test_other_roles_are_refused() -> None:
    with pytest.raises(ModelRefused, match="--model"):
        anyio.run(LiteralModel().ask, ModelRequest(role="evaluator", parts=()), NoPictures())
