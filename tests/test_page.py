"""The page of a run, read as a browser would read it."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from itertools import count
from pathlib import Path

import PIL.Image
import PIL.ImageDraw
import pytest

from deskhand.core.action import Action, ActionResult, At, Click, DragTo, Hotkey, OnElement, OpenApp, Write
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.errors import JournalError
from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    BlackboardSet,
    Corrected,
    Decided,
    Event,
    Judged,
    ModelAsked,
    ModelReplied,
    Observed,
    RoundEnded,
    RoundStarted,
    Scope,
    SessionEnded,
    SessionStarted,
    Snapshot,
    StateChanged,
    StepEnded,
    StepStarted,
    SubtaskAssigned,
    SubtaskEnded,
    SubtaskStarted,
    UserAnswered,
    UserAsked,
)
from deskhand.core.geometry import Box, Point, Size
from deskhand.core.message import Usage
from deskhand.core.observation import ActiveWindow, Element, Image, Observation, WholeDesktop, Window
from deskhand.core.status import AppAgentStatus, HostAgentStatus, RunningMode, RunOutcome
from deskhand.journal.file import FileJournal
from deskhand.viewer.page import write_page

REQUEST = (
    "Compute 12.5 * 8 in the calculator and put the result into a new text file called naïve façade – 你好 – 😀.txt"
)
HOSTILE = '<script>alert(1)</script> & "quoted" <img src=x onerror=alert(2)> \x1b[31m'
VOID = {"meta"}
USED = Usage(input_tokens=900, output_tokens=40, usd=0.0123)


class Page(HTMLParser):
    """What a browser sees: elements with attributes, and text; complains of elements that are not closed."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(markup)
        self.close()
        assert not self._open

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self._open.append(name)

    def handle_endtag(self, name: str) -> None:
        assert self._open.pop() == name

    def handle_data(self, data: str) -> None:
        if self._open[-1:] != ["style"]:
            self.text += data + " "

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for element, attributes in self.elements if element == name]


class Run:
    """A run whose journal is written event by event, a quarter of a second apart."""

    def __init__(self, folder: Path) -> None:
        ticks = count()
        self.folder = folder
        self.journal = FileJournal(folder, clock=lambda: 1_790_000_000 + next(ticks) / 4)
        self.scope = Scope()

    def happened(self, *events: Event) -> None:
        for event in events:
            self.journal.append(event, self.scope)

    def step(self, agent: str, status: str, *events: Event) -> None:
        self.scope = Scope(agent=agent, round=max(1, self.scope.round), step=self.scope.step + 1)
        phases = {"DATA_COLLECTION": 0.081, "LLM_INTERACTION": 0.004, "ACTION_EXECUTION": 0.25}
        self.happened(StepStarted(status=status), *events, StepEnded(phases=phases))

    def picture(self, color: str, size: Size = Size(1920, 1080)) -> Image:  # noqa: B008  a tuple
        picture = PIL.Image.new("RGB", size, color)
        PIL.ImageDraw.Draw(picture).rectangle((600, 300, 1300, 760), "white", "gray", 3)
        out = io.BytesIO()
        picture.save(out, "PNG")
        return Image(sha256=self.journal.keep(out.getvalue()), size=size)

    def page(self) -> Page:
        self.journal.close()
        return Page(write_page(self.folder).read_text(encoding="utf-8"))


def started() -> SessionStarted:
    models = {"host": "literal", "app": "literal"}
    return SessionStarted(version="0.1.0", device="linux:virtual", models=models, mode=RunningMode.REQUEST)


def observed(image: Image, *elements: Element) -> Observed:
    window = Window(id="w1", title="galculator", app="galculator", box=Box(600, 300, 1300, 760), active=True)
    seen = Observation(screen=image, elements=elements, windows=(window,), window="w1" if elements else "")
    return Observed(subject=ActiveWindow() if elements else WholeDesktop(), observation=seen, seconds=0.043)


def acted(action: Action, result: ActionResult, on: str = "") -> tuple[Event, Event]:
    return ActionStarted(action=action, on=on), ActionFinished(result=result, seconds=0.12)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path / "run")


@pytest.fixture
def demo(run: Run) -> Run:
    """A round of two applications with a question, a policy judgement, a correction and a failure."""
    desk, app = run.picture("teal"), run.picture("navy")
    run.happened(started())
    run.scope = Scope(round=1)
    run.happened(RoundStarted(request=REQUEST))
    host_first(run, desk)
    app_steps(run, app)
    run.step("host", "CONTINUE", Decided(decision=HostDecision(status=HostAgentStatus.FINISH, result="It is 100.")))
    run.happened(StateChanged(status="FINISH"), Snapshot(image=desk, why="end of the session"))
    run.scope = Scope()
    run.happened(RoundEnded(outcome=RunOutcome.FINISHED, answer="It is 100."))
    run.happened(SessionEnded(outcome=RunOutcome.FINISHED, answer="It is 100."))
    return run


def host_first(run: Run, desk: Image) -> None:
    decision = HostDecision(
        status=HostAgentStatus.ASSIGN,
        observation="An empty desktop.",
        thought="The calculator computes, the editor writes.",
        application="galculator",
        subtask="compute 12.5 * 8 and remember the result",
        message=("The display shows the result.",),
        plan=("write it into a new text file",),
    )
    run.step(
        "host",
        "CONTINUE",
        observed(desk),
        ModelAsked(role="host", model="literal", request="0" * 64),
        ModelReplied(role="host", text=decision.model_dump_json(), usage=Usage(), seconds=0.002),
        Decided(decision=decision),
        SubtaskAssigned(subtask=decision.subtask, application="galculator", message=decision.message),
        *acted(OpenApp(app_name="galculator"), ActionResult(outcome="done", text="Its window is up.", value="w1")),
        StateChanged(status="ASSIGN"),
    )


def app_steps(run: Run, app: Image) -> None:
    button = Element(id="e7", role="button", name="=", box=Box(1180, 640, 1240, 700), actions=("press",))
    display = Element(id="e1", role="textbox", name="Display", value="100", box=Box(620, 320, 1280, 380))
    run.scope = Scope(agent="app:galculator", round=1, step=1)
    run.happened(SubtaskStarted(window="w1"))
    thought = AppDecision(
        status=AppAgentStatus.CONTINUE,
        thought="Type the sum, then press =.",
        actions=(Write(message="12.5*8"), Click(target=OnElement(id="e7"))),
    )
    run.step(
        "app:galculator",
        "CONTINUE",
        observed(app, display, button),
        ModelReplied(role="app", text="{}", usage=USED, seconds=1.5, model="openai:m"),
        Decided(decision=thought),
        *acted(Write(message="12.5*8"), ActionResult(outcome="unverified", text="Nothing could be read back.")),
        *acted(Click(target=OnElement(id="e7")), ActionResult(outcome="done", receiver="galculator: ="), "button '='"),
        BlackboardSet(key="result", value="100"),
    )
    save = Hotkey(keys=("ctrl", "s"))
    run.step(
        "app:galculator",
        "CONFIRM",
        observed(app, display, button),
        Corrected(text="There is no element 'e99' on this screen."),
        Judged(action=save, verdict="ask", rule="replacing a file", allowed=True, by="user"),
        UserAsked(question="Which of the two files?"),
        UserAnswered(answer="The second."),
        *acted(save, ActionResult(outcome="failed", text="No dialog came up.")),
        *acted(DragTo(start=At(point=Point(700, 400)), target=At(point=Point(900, 500))), ActionResult(outcome="done")),
        SubtaskEnded(status="FINISH", result="100"),
    )


def test_the_page_tells_the_whole_run(demo: Run) -> None:
    page = demo.page()

    told = (
        REQUEST, "finished", "It is 100.", "linux:virtual", "literal", "$0.0123", "The calculator computes",
        'write(message="12.5*8")', "Nothing could be read back.", "Unverified", "Failed", "No dialog came up.",
        "button '='", "There is no element 'e99'", "allowed by user (replacing a file)", "Which of the two files?",
        "The second.", "result = 100", "to galculator", "FINISH", "e7 button '='", "120 ms",
        "900 tokens in", "1 call, 900 tokens in, 40 out, $0.0123",
    )  # fmt: skip
    assert [words for words in told if words not in page.text] == []
    assert [a["id"] for a in page.all("article")] == ["step-1", "step-2", "step-3", "step-4"]


def test_the_page_needs_nothing_from_outside(demo: Run) -> None:
    page = demo.page()

    assert not {"script", "link", "iframe", "img", "object"} & {name for name, _ in page.elements}
    assert all(uri.startswith(("data:image/", "#")) for _, a in page.elements if (uri := a.get("href")) is not None)
    assert not re.search(r"url\(|@import", (demo.folder / "index.html").read_text())


def test_a_picture_is_there_once_and_shows_what_was_aimed_at(demo: Run) -> None:
    page = demo.page()

    names = [a["id"] for a in page.all("image")]
    assert len(names) == len(set(names)) == 2
    assert {a["href"] for a in page.all("use")} == {f"#{name}" for name in names}
    boxes = [tuple(a[key] for key in ("x", "y", "width", "height")) for a in page.all("rect")]
    assert boxes == [("1180", "640", "60", "60")]
    assert [(a["cx"], a["cy"]) for a in page.all("circle")] == [("700", "400"), ("900", "500")]


def test_a_picture_shows_the_window_that_was_looked_at_and_what_was_aimed_at(demo: Run) -> None:
    page = demo.page()

    views = [a["viewbox"] for a in page.all("svg")]
    assert views == ["0 0 1920 1080", "576 276 748 508", "576 276 748 508", "0 0 1920 1080"]


def test_nothing_that_a_screen_or_a_model_says_becomes_markup(run: Run) -> None:
    button = Element(id="e1", role=HOSTILE, name=HOSTILE, value=HOSTILE, box=Box(0, 0, 9, 9))
    run.happened(started())
    run.scope = Scope(round=1)
    run.happened(RoundStarted(request=HOSTILE))
    run.step(
        HOSTILE,
        HOSTILE,
        observed(run.picture("teal"), button),
        Decided(decision=AppDecision(status=AppAgentStatus.FAIL, thought=HOSTILE, plan=(HOSTILE,), result=HOSTILE)),
        *acted(Write(message=HOSTILE), ActionResult(outcome="done", text=HOSTILE, value=HOSTILE), HOSTILE),
        BlackboardSet(key=HOSTILE, value=HOSTILE),
        UserAsked(question=HOSTILE),
    )

    page = run.page()

    assert not {"script", "img"} & {name for name, _ in page.elements}
    assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on")]
    assert page.text.count("<script>alert(1)</script>") >= 12
    assert "\x1b" not in page.text


def test_a_run_that_was_cut_off_in_the_middle_of_an_action_has_a_page(run: Run) -> None:
    run.happened(started())
    run.scope = Scope(round=1)
    run.happened(RoundStarted(request="Click it"))
    run.scope = Scope(agent="app:x", round=1, step=1)
    run.happened(StepStarted(status="CONTINUE"), ActionStarted(action=Click(target=At(point=Point(1, 1)))))

    page = run.page()

    assert "Not ended" in page.text
    assert "Not known to have ended" in page.text


def test_a_picture_that_is_gone_leaves_its_place_empty(run: Run) -> None:
    image = run.picture("teal")
    (run.folder / "blobs" / image.sha256).unlink()
    run.happened(started())
    run.scope = Scope(round=1)
    run.happened(RoundStarted(request="Look"))
    run.step("app:x", "CONTINUE", observed(image))

    assert "This picture cannot be shown" in run.page().text


def test_large_pictures_are_made_smaller(run: Run) -> None:
    noise = PIL.Image.effect_noise(Size(1920, 1080), 80).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "PNG", compress_level=1)
    image = Image(sha256=run.journal.keep(out.getvalue()), size=Size(1920, 1080))
    run.happened(started())
    run.scope = Scope(round=1)
    run.happened(RoundStarted(request="Look"))
    run.step("app:x", "CONTINUE", observed(image))

    [picture] = run.page().all("image")

    assert picture["width"] == "1920"
    assert len(picture["href"] or "") < len(out.getvalue()) / 4


def test_several_requests_are_told_apart(run: Run) -> None:
    run.happened(started())
    for number, outcome in enumerate((RunOutcome.FAILED, RunOutcome.LIMIT), 1):
        run.scope = Scope(round=number, step=run.scope.step)
        run.happened(RoundStarted(request=f"Request number {number}"))
        run.step("host", "CONTINUE")
        run.happened(RoundEnded(outcome=outcome, answer=f"Answer {number}"))

    page = run.page()

    assert re.search(r"2 requests.*1\. Request number 1.*Failed.*Answer 1.*2\. Request number 2.*Limit", page.text)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is not a run of deskhand"):
        write_page(tmp_path)
    assert list(tmp_path.iterdir()) == []
