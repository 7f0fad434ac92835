"""Questions about a model's form alone, on a screen that is drawn for it: words, points, directions, honesty."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from deskhand.bench.trial import Attempt, Finding, Trial, pixel_of
from deskhand.core.action import (
    Action,
    ActionResult,
    At,
    CallUser,
    Click,
    Described,
    OnElement,
    Respond,
    Scroll,
    Target,
    Terminate,
    Wait,
)
from deskhand.core.decision import AppDecision
from deskhand.core.family import Family
from deskhand.core.geometry import Box, Frame, Size
from deskhand.core.message import (
    AnswersPart,
    BlackboardPart,
    BudgetPart,
    ElementsPart,
    HistoryPart,
    NotesPart,
    Part,
    PastStep,
    PicturePart,
    PlanPart,
    Reply,
    ReportsPart,
    RequestPart,
    Role,
    SubtaskPart,
    ToolsPart,
    WindowsPart,
)
from deskhand.core.observation import Element, Image, Window
from deskhand.core.ports import Dialect
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.actions import spell
from deskhand.dialects.ground import GroundReply
from deskhand.perception.marks import draw_marks

SCREEN = Size(640, 480)
TOLERANCE = 4
"""Pixels beside a control that still count as on it: a finger's breadth less than any gap that is drawn."""
WINDOW = Window(id="w1", title="Settings", app="settings", box=Box(0, 0, *SCREEN), active=True)
ROWS = Element(id="e1", role="list", name="Rows", box=Box(40, 60, 600, 340), states=("focused",), window="w1")
_NAMES = ("Open", "Save", "Close", "Print")
BUTTONS = tuple(
    Element(
        id=f"e{2 + place}",
        role="button",
        name=name,
        box=Box(40 + place * 145, 400, 145 + place * 145, 440),
        actions=("press",),
        window="w1",
    )
    for place, name in enumerate(_NAMES)
)
LINES = tuple(
    Element(
        id=f"e{10 + place}",
        role="listitem",
        name=f"Row {1 + place}",
        box=Box(50, 70 + place * 45, 590, 105 + place * 45),
        parent="e1",
        window="w1",
    )
    for place in range(6)
)
ELEMENTS = (ROWS, *LINES, *BUTTONS)


class Speaker(NamedTuple):
    """How a model is asked when it acts."""

    role: Role
    dialect: Dialect
    pointing: Family


class Probes:
    """Asks one model; what any model is asked comes first, then what depends on how it is spoken to."""

    def __init__(self, trial: Trial, speaker: Speaker) -> None:
        self._trial = trial
        self._speaker = speaker
        self._screen: Image | None = None

    @property
    def all(self) -> Sequence[tuple[str, Attempt]]:
        """Everything that is asked, in order."""
        return (
            *self._trial.basics[:-1],
            (f"points at a named control ({self._speaker.pointing.coordinates})", self._pointing),
            (f"keeps its dialect ({self._speaker.dialect.name})", self._pressing),
            ("scrolls the right way", self._scrolling),
            ("makes nothing up", self._missing),
        )

    async def ask(self, name: str, attempt: Attempt) -> Finding:
        """Ask one of them."""
        return await self._trial.finding(name, attempt)

    async def _pointing(self) -> tuple[bool, str]:
        family, wanted = self._speaker.pointing, BUTTONS[1].box
        words = SubtaskPart(text="the button Save", application=WINDOW.app)
        parts = (words, PicturePart(image=self._trial.keep(drawn())))
        point = pixel_of(await self._trial.asked(GroundReply(family).compose("grounder", parts)), family)
        if point is None:
            return False, "it does not point at one place"
        off = f"{abs(point.x - wanted.center.x)}, {abs(point.y - wanted.center.y)} pixels off the middle"
        return _near(wanted, At(point=point)), f"it points at pixel {point.x}, {point.y}: {off}"

    async def _pressing(self) -> tuple[bool, str]:
        decision = await self._decision("Press the button Save.")
        acts = [action for action in decision.actions if not isinstance(action, Wait)]
        right = bool(acts) and isinstance(acts[0], Click) and _is(acts[0].target, BUTTONS[1])
        return right, f"asked to press Save, it does {_spelled(decision)}"

    async def _scrolling(self) -> tuple[bool, str]:
        decision = await self._decision("Scroll down in the list, so that what comes after Row 6 can be seen.")
        first = next((action for action in decision.actions if isinstance(action, Scroll)), None)
        down = first is not None and first.clicks < 0 and first.right == 0
        return down, f"asked to scroll down, it does {_spelled(decision)}"

    async def _missing(self) -> tuple[bool, str]:
        decision = await self._decision("Press the button Frobnicate.")
        idle = (Wait, CallUser, Respond, Terminate, Scroll)
        touched = any(not isinstance(action, idle) for action in decision.actions)
        claimed = decision.status is AppAgentStatus.FINISH or Terminate() in decision.actions
        return not (touched or claimed), f"asked to press what is not there, it does {_spelled(decision)}"

    async def _decision(self, task: str) -> AppDecision:
        """Ask what to do about a task, as an agent does in its first step; raises as a model and a dialect.

        One that wants to see the screen before anything else, as computer-use models do, is shown it once more.
        """
        first, reply = await self._step(task)
        over = first.status not in (AppAgentStatus.CONTINUE, AppAgentStatus.SCREENSHOT)
        if over or any(not isinstance(action, Wait) for action in first.actions):
            return first
        looked = PastStep(
            step=1,
            thought=first.thought,
            actions=first.actions,
            results=(ActionResult(outcome="done"),) * len(first.actions),
            reply=reply if reply.verbatim is not None else None,
        )
        return (await self._step(task, looked))[0]

    async def _step(self, task: str, *before: PastStep) -> tuple[AppDecision, Reply]:
        role, dialect = self._speaker.role, self._speaker.dialect
        earlier = [PicturePart(image=self._trial.keep(drawn()), of=f"step {step.step}") for step in before]
        parts = (*_told(task, before), *earlier, *self._shown())
        reply = await self._trial.asked(dialect.compose(role, parts))
        decision = dialect.parse(role, reply, Frame(SCREEN, SCREEN))
        assert isinstance(decision, AppDecision)  # it is no host's role
        return decision, reply

    def _shown(self) -> tuple[Part, ...]:
        picture = drawn()
        if self._speaker.dialect.marked:
            file = io.BytesIO()
            picture.save(file, "PNG")
            picture = Pil.open(io.BytesIO(draw_marks(file.getvalue(), ELEMENTS).data))
        return ElementsPart(elements=ELEMENTS), PicturePart(image=self._trial.keep(picture))


def drawn() -> Pil.Image:
    """Draw the screen: a list of rows that goes on below, and four buttons."""
    picture = Pil.new("RGB", SCREEN, (238, 238, 238))
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(18)
    pen.text((40, 20), "Settings", fill=(0, 0, 0), font=font)
    pen.rectangle(_edges(ROWS.box), fill=(255, 255, 255), outline=(90, 90, 90))
    pen.rectangle((588, 62, 598, 180), fill=(170, 170, 170))  # the scroll bar, at its top
    for line in LINES:
        pen.text((line.box.left + 6, line.box.top + 6), line.name, fill=(0, 0, 0), font=font)
    for button in BUTTONS:
        pen.rectangle(_edges(button.box), fill=(250, 250, 250), outline=(60, 60, 60), width=2)
        pen.text((button.box.center.x, button.box.center.y), button.name, fill=(0, 0, 0), font=font, anchor="mm")
    return picture


def _edges(box: Box) -> tuple[int, int, int, int]:
    return box.left, box.top, box.right - 1, box.bottom - 1


def _told(task: str, before: tuple[PastStep, ...]) -> tuple[Part, ...]:
    return (
        RequestPart(text=task),
        SubtaskPart(text=task, application=WINDOW.app, window=WINDOW.id),
        ReportsPart(),
        BlackboardPart(),
        HistoryPart(steps=before),
        PlanPart(),
        AnswersPart(),
        NotesPart(),
        BudgetPart(step=1 + len(before), steps=10),
        ToolsPart(),
        WindowsPart(windows=(WINDOW,)),
    )


def _is(target: Target | None, element: Element) -> bool:
    """Tell whether a place is that of an element, in whatever way it is named."""
    match target:
        case At():
            return _near(element.box, target)
        case OnElement(id=name):
            return name == element.id
        case Described(text=text):
            return element.name.casefold() in text.casefold()
        case None:
            return False


def _near(box: Box, place: At) -> bool:
    wide = Box(box.left - TOLERANCE, box.top - TOLERANCE, box.right + TOLERANCE, box.bottom + TOLERANCE)
    return wide.holds(place.point)


def _spelled(decision: AppDecision) -> str:
    said: list[Action] = list(decision.actions)
    return f"{'; '.join(map(spell, said)) or 'nothing'} ({decision.status})"
