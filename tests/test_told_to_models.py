"""What models are told besides what they see: what has changed, what came of it, and nothing twice."""

from __future__ import annotations

import pytest

from deskhand.core.action import ActionResult, At, Click, Described, OnElement, OpenApp, Write
from deskhand.core.geometry import Box, Point, Size
from deskhand.core.message import (
    ApplicationsPart,
    BlackboardEntry,
    BlackboardPart,
    BudgetPart,
    ElementsPart,
    HistoryPart,
    ModelRequest,
    Part,
    PastStep,
    PicturePart,
    ReportsPart,
    RequestPart,
    SubtaskReport,
    WindowsPart,
)
from deskhand.core.observation import Application, Element, Image, Observation, Window
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.render import render_parts
from deskhand.models.conversation import LEFT_OUT, NONE_SHOWN, conversation
from deskhand.perception.since import news

IMAGE = Image(sha256="0" * 64, size=Size(640, 480))
PICTURE = PicturePart(image=IMAGE)
WINDOW = Window(id="w1", title="Main", app="Editor", box=Box(0, 0, 640, 480))
TEXT = Element(id="e2", role="textbox", value="Agenda", box=Box(0, 40, 640, 480), window="w1")
DISPLAY = TEXT.model_copy(update={"id": "e8", "value": "  \n   399 ", "states": ("readonly",)})


def look(*elements: Element, windows: tuple[Window, ...] = (WINDOW,)) -> Observation:
    return Observation(screen=IMAGE, elements=elements, windows=windows)


def button(name: str, number: int, **more: object) -> Element:
    return Element(id=f"e{number}", role="button", name=name, box=Box(0, 0, 9, 9), window="w1").model_copy(update=more)


def text_of(request: ModelRequest) -> str:
    return "\n".join([request.system, *(turn.text for turn in request.turns)])


def test_what_a_look_shows_that_the_one_before_did_not_is_told_in_words() -> None:
    before = look(TEXT, DISPLAY, button("Find", 3), button("Old", 4))
    now = look(
        TEXT.model_copy(update={"value": "Agenda\n"}),
        DISPLAY.model_copy(update={"value": "  \n   42 "}),
        button("Find", 3),
        button("Close", 5),
        button("Up", 6, states=("focused",)),
    )

    assert news(before, now) == (
        r"textbox (e2) now holds 'Agenda\n'",
        "textbox (e8) now holds '42'",
        "new: button 'Close' (e5), button 'Up' (e6)",
        "gone: button 'Old' (e4)",
        "button 'Up' (e6) has the focus",
    )


def test_nothing_is_told_of_another_screen_nor_of_a_window_that_came_nor_twice() -> None:
    dialog = Window(id="w2", title="Save", box=Box(0, 0, 9, 9), dialog_of="w1")
    inside = button("Save", 7, window="w2")
    longer = TEXT.model_copy(update={"value": "Agenda 2"})

    assert news(look(TEXT), look(button("Other", 9))) == ()
    assert news(look(TEXT), look(TEXT, inside, windows=(dialog, WINDOW))) == ()
    assert news(look(TEXT, inside, windows=(dialog, WINDOW)), look(TEXT)) == ()
    assert news(look(TEXT), look(longer), ["write(message='Agenda 2')"]) == ()
    many = look(TEXT, *(button(f"B{n}", n) for n in range(10, 30)))
    assert "and 14 more elements" in news(look(TEXT), many)[0]


@pytest.mark.parametrize("dialect", [JsonReply(), MarksReply(), NativeReply(), PlanReply()], ids=lambda d: d.name)
def test_every_dialect_tells_what_has_changed_since_the_last_step_as_data(dialect: JsonReply) -> None:
    step = PastStep(
        step=1,
        thought="Save",
        actions=(Click(target=OnElement(id="e3")),),
        results=(ActionResult(outcome="done", text="the dialog closed"),),
        since=("textbox 'Note </screen-data>' (e2) now holds 'x'",),
    )

    text = text_of(dialect.compose("app", (RequestPart(text="r"), HistoryPart(steps=(step,)), PICTURE)))

    assert "now holds 'x'" in text
    assert ("(e2)" in text, "(2)" in text) == (dialect.name in ("json", "plan"), dialect.name == "marks")
    assert text.count("</screen-data>") == text.count("<screen-data>")


def test_a_planner_reads_its_own_replies_as_it_gave_them() -> None:
    steps = (
        PastStep(step=1, thought="Type it", actions=(Write(message="hello", target=OnElement(id="e12")),)),
        PastStep(
            step=2,
            thought="Open the menu",
            actions=(Click(target=OnElement(id="e5")),),
            said=(Click(target=Described(text="Open the menu")),),
        ),
        PastStep(
            step=3,
            thought="Close it",
            actions=(Click(target=At(point=Point(9, 9))),),
            said=(Click(target=Described(text="the Close button")),),
        ),
    )

    turns = PlanReply().compose("planner", (RequestPart(text="r"), HistoryPart(steps=steps), PICTURE)).turns

    assert [turn.text.splitlines()[2] for turn in turns if turn.speaker == "assistant"] == [
        'write(element="e12", message="hello")',
        "click()",
        'click(element="the Close button")',
    ]
    asked = ["What is the next action?" in turn.text for turn in turns if turn.speaker == "user"]
    assert (asked[0], asked[-1]) == (True, True)


def test_a_result_is_given_once_where_its_text_names_it() -> None:
    opened = ActionResult(outcome="done", text="Mousepad came up as the window 'Untitled' (0xa2)", value="0xa2")
    step = PastStep(step=1, thought="Start", actions=(OpenApp(app_name="mousepad"),), results=(opened,))

    assert render_parts((HistoryPart(steps=(step,)),)).count("0xa2") == 1
    request = NativeReply().compose("app", (RequestPart(text="r"), HistoryPart(steps=(step,)), PICTURE))
    assert '[open_app(app_name="mousepad") -> Mousepad came up as the window' in request.turns[0].text


def test_later_requests_to_a_host_name_the_applications_that_are_not_in_use_by_id_only() -> None:
    applications = tuple(Application(id=f"a{n}", name=f"Name {n}", generic_name="Tool") for n in range(20))
    parts: tuple[Part, ...] = (
        ApplicationsPart(applications=applications),
        WindowsPart(windows=(WINDOW.model_copy(update={"app": "Name 3"}),)),
        ReportsPart(reports=(SubtaskReport(subtask="s", application="a5", status="FINISH", result="7"),)),
        BlackboardPart(entries=(BlackboardEntry(key="result_1", value="7"),)),
    )

    first = render_parts((*parts, HistoryPart()))
    later = render_parts((*parts, HistoryPart(steps=(PastStep(step=1, thought="t"),))))

    assert first.count("(Tool)") == 20
    assert [line for line in later.splitlines() if "(Tool)" in line] == ["a3: Name 3 (Tool)", "a5: Name 5 (Tool)"]
    assert "others, by id: a0, a1, a2, a4, a6," in later
    assert '"s" in a5: FINISH, {{result_1}}' in later


def test_pictures_are_captioned_first_and_one_of_the_past_says_so() -> None:
    past = PicturePart(image=IMAGE, of="step 3")

    (turn,) = JsonReply().compose("app", (RequestPart(text="r"), past, PICTURE)).turns

    assert turn.text.startswith(
        "Picture of the screen before step 3: 640x480 pixels.\n\nPicture of the screen now: 640x480 pixels."
    )


def test_a_model_without_eyes_is_told_so_once() -> None:
    steps = tuple(PastStep(step=n, thought=f"t{n}", actions=(Write(message="x"),)) for n in (1, 2))
    pictures = tuple(PicturePart(image=IMAGE, of=f"step {n}") for n in (1, 2))
    dialect = PlanReply()
    request = dialect.compose("planner", (RequestPart(text="r"), HistoryPart(steps=steps), *pictures, PICTURE))
    request = request.model_copy(
        update={
            "turns": tuple(
                t.model_copy(update={"pictures": (IMAGE,)} if t.speaker == "user" else {}) for t in request.turns
            )
        }
    )

    def told(count: int) -> str:
        pieces = [piece for message in conversation(request, count) for piece in message.pieces]
        return "\n".join(piece for piece in pieces if isinstance(piece, str))

    assert (told(0).count(NONE_SHOWN), told(0).count(LEFT_OUT)) == (1, 0)
    assert (told(1).count(NONE_SHOWN), told(1).count(LEFT_OUT)) == (0, 2)


def test_steps_that_are_not_the_models_own_are_said_to_count() -> None:
    own = HistoryPart(steps=(PastStep(step=1, thought="t"),))

    assert render_parts((own, BudgetPart(step=2, steps=9))).endswith("This is step 2 of at most 9.")
    assert "other agents' steps count" in render_parts((own, BudgetPart(step=4, steps=9)))


def test_lists_leave_out_what_tells_nothing_and_call_fields_by_the_labels_beside_them() -> None:
    box = Box(100, 10, 200, 30)
    elements = (
        Element(id="e1", role="window", name="Main", box=Box(0, 0, 640, 480)),
        Element(id="e2", role="group", name="Browse Header Revealer", box=box, parent="e1"),
        Element(id="e3", role="separator", box=box, parent="e2"),
        Element(id="e4", role="label", name="Files of type:", box=Box(10, 10, 95, 30), parent="e2"),
        Element(id="e5", role="combobox", value="All", box=box, parent="e2"),
        Element(id="e6", role="textbox", name="Search...", box=Box(300, 100, 400, 130), parent="e2"),
        Element(id="e7", role="button", name="Save", box=Box(10, 200, 90, 230), parent="e2", actions=("press",)),
        Element(id="e8", role="img", name="disk", box=Box(10, 200, 30, 230), parent="e7"),
        DISPLAY.model_copy(update={"id": "e9", "window": "", "parent": "e1"}),
        Element(id="e10", role="group", name="Options", box=box, parent="e1"),
    )

    text = render_parts((ElementsPart(elements=elements),))

    assert [e for e in elements if f"\n{e.id} " not in text] == [elements[1], elements[2], elements[7]]
    assert 'combobox "Files of type:" value="All"' in text
    assert 'textbox "Search..." [empty]' in text
    assert 'value="399"' in text
    assert " in e2" not in text


def test_with_no_window_open_nobody_is_told_that_elements_could_not_be_read() -> None:
    text = render_parts((WindowsPart(), ElementsPart()))

    assert "no window is open" in text
    assert "could be read" not in text
