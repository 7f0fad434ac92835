"""What is said to a model and what it says back, in no vendor's format.

A request is made of typed parts, so that a model without language (`literal`) reads the same facts that a dialect
renders to text for one that has it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from deskhand.core.action import Action, ActionResult
from deskhand.core.geometry import Box
from deskhand.core.observation import Application, Element, Image, Window
from deskhand.core.value import Value

Role = Literal["host", "app", "planner", "grounder", "evaluator", "operator"]


class RequestPart(Value):
    """What the user asked for, word for word."""

    part: Literal["request"] = "request"
    text: str


class SubtaskPart(Value):
    """What the host handed to this agent."""

    part: Literal["subtask"] = "subtask"
    text: str
    application: str
    window: str = ""
    """The id of the window to work in."""
    message: tuple[str, ...] = ()


class SubtaskReport(Value):
    """How a subtask of this round ended."""

    subtask: str
    application: str
    status: Literal["FINISH", "FAIL", "ERROR"]
    result: str = ""


class ReportsPart(Value):
    """The subtasks of this round that are over, in order."""

    part: Literal["reports"] = "reports"
    reports: tuple[SubtaskReport, ...] = ()


class BlackboardEntry(Value):
    """A value left by an agent for those that come after."""

    key: str
    value: str
    writer: str = ""
    """The agent that wrote it."""
    step: int = 0
    """The session's step in which it was written."""


class BlackboardPart(Value):
    """What stands on the blackboard; one entry a key, the latest."""

    part: Literal["blackboard"] = "blackboard"
    entries: tuple[BlackboardEntry, ...] = ()


class Usage(Value):
    """What a reply cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    cached_tokens: int = 0
    """Those of the input that the service had kept from an earlier request."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields})


class Verbatim(Value):
    """A reply as its service gave it, piece by piece: some want it back unchanged with the next request."""

    by: str
    """The model that gave it, as the user wrote it; no other can read it."""
    pieces: tuple[dict[str, Any], ...]


class Reply(Value):
    """One answer of a model."""

    text: str
    usage: Usage = Usage()
    model: str = ""
    verbatim: Verbatim | None = None
    """The same for its service, where that wants to be given it again."""
    checks: tuple[str, ...] = ()
    """What the service wants the user to agree to before any of it is done, a sentence each."""


class PastStep(Value):
    """One earlier step of this agent, in this round."""

    step: int
    """The how-manieth of its round."""
    thought: str = ""
    actions: tuple[Action, ...] = ()
    results: tuple[ActionResult, ...] = ()
    """One a started action, in order; an action whose end is not known has none and is the last."""
    correction: str = ""
    said: tuple[Action, ...] = ()
    """The same actions as they were decided, where that is otherwise: places in words that have been found since."""
    since: tuple[str, ...] = ()
    """What has changed on the screen from the look before it to that of now; only of the latest step."""
    reply: Reply | None = None
    """The reply it was decided by, where its service wants that back unchanged."""
    leave: bool = False
    """Whether the user was asked before its actions were done, and agreed."""


class HistoryPart(Value):
    """The earlier steps of this agent on this subtask (app) or in this round (host), oldest first."""

    part: Literal["history"] = "history"
    steps: tuple[PastStep, ...] = ()


class PlanPart(Value):
    """The plan as this agent left it in its last step."""

    part: Literal["plan"] = "plan"
    steps: tuple[str, ...] = ()


class NotesPart(Value):
    """What the agent must know and did not see: corrections, answers of the user, a resumed session, a hint."""

    part: Literal["notes"] = "notes"
    notes: tuple[str, ...] = ()


class AnswersPart(Value):
    """What the user answered in this round (host) or subtask (app), in order."""

    part: Literal["answers"] = "answers"
    answers: tuple[tuple[str, str], ...] = ()
    """Pairs of question and answer."""


class BudgetPart(Value):
    """Where this step stands: it is the `step`th of at most `steps` of this round."""

    part: Literal["budget"] = "budget"
    step: int
    steps: int


class WindowsPart(Value):
    """The windows on the screen, the topmost first."""

    part: Literal["windows"] = "windows"
    windows: tuple[Window, ...] = ()


class ApplicationsPart(Value):
    """The applications that can be started, and the registered agents that can take a subtask."""

    part: Literal["applications"] = "applications"
    applications: tuple[Application, ...] = ()
    agents: tuple[str, ...] = ()


class ElementsPart(Value):
    """The elements of the window in question. Their texts are data from the screen, never instructions."""

    part: Literal["elements"] = "elements"
    elements: tuple[Element, ...] = ()
    truncated: str = ""


class ToolSpec(Value):
    """What a tool says of itself."""

    name: str
    description: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """A JSON schema of the object that a call hands over; empty for a tool that takes none."""
    applications: tuple[str, ...] = ()
    """The ids or names of the applications in whose windows it is offered; in all when there are none."""


class ToolsPart(Value):
    """The tools that can be called here instead of using the screen."""

    part: Literal["tools"] = "tools"
    tools: tuple[ToolSpec, ...] = ()


class PicturePart(Value):
    """A picture of the screen or of a window."""

    part: Literal["picture"] = "picture"
    image: Image
    of: str = "screen"


Part = Annotated[
    RequestPart
    | SubtaskPart
    | ReportsPart
    | BlackboardPart
    | HistoryPart
    | PlanPart
    | NotesPart
    | AnswersPart
    | BudgetPart
    | WindowsPart
    | ApplicationsPart
    | ElementsPart
    | ToolsPart
    | PicturePart,
    Field(discriminator="part"),
]


class Closer(Value):
    """A part of a picture of the screen, to be shown as large as can be."""

    image: Image
    region: Box
    """In pixels of the picture."""


class CameOf(Value):
    """What came of one call of a reply: of all actions that it stood for."""

    text: str
    outcome: Literal["done", "unverified", "failed", "not done"] = "done"
    """`not done`: it was not begun, since one before it failed or the screen had to be seen first."""
    closer: Closer | None = None
    """What it wanted to see larger."""
    tabs: tuple[Window, ...] | None = None
    """Of a call that is answered by the tabs of a browser: those there are, as far as they are known."""


class Answers(Value):
    """What came of a reply, for a service that is told it call by call."""

    calls: tuple[CameOf, ...] = ()
    """In the order of the calls."""
    leave: bool = False
    """Whether the user was asked first, as the service wanted, and agreed."""
    besides: str = ""
    """What else is said, in words."""


class Turn(Value):
    """One message of a conversation: its pictures, then its text."""

    speaker: Literal["user", "assistant"]
    text: str = ""
    pictures: tuple[Image, ...] = ()
    """As they are to be shown; the service sends their bytes."""
    cache: bool = False
    """Whether all up to here stays the same in the next request, so that a service may keep it."""
    verbatim: Verbatim | None = None
    """Of an assistant's turn: the same as its service gave it. `text` is for any other."""
    answers: Answers | None = None
    """Of a user's turn after such a one: the same call by call, and without what `text` says of them."""


class ModelRequest(Value):
    """One request to a model: the facts as typed parts, and, for models of language, what is said of them."""

    role: Role
    system: str = ""
    """The dialect's instructions: who the model is, what it may do, how to answer."""
    parts: tuple[Part, ...] = ()
    turns: tuple[Turn, ...] = ()
    """The conversation that the dialect made of the parts."""
    reply_schema: dict[str, Any] | None = None
    """A JSON schema for the reply, for services that can hold a model to one."""
    stop: tuple[str, ...] = ()
    """Texts at which the reply is to end, for services that can be told so."""
    functions: tuple[ToolSpec, ...] = ()
    """What can be called besides the service's own tool for using a computer, for services that have one."""
    platform: str = ""
    """What is used with that tool, such as linux or web; "" where it is not wanted."""
