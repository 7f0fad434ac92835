"""Everything that happens, as facts. The journal of these is the only truth; all else is derived.

Events are never changed after the fact: what takes time has a start and a finish.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from deskhand.core.action import Action, ActionResult
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.message import Reply, Role, Usage
from deskhand.core.observation import Image, Observation, Subject
from deskhand.core.plan import Plan
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.core.value import Value

SCHEMA = 1
"""The version of what is in this module; greater when a reader of the one before could misread a record."""


class SessionStarted(Value):
    """A session began. Everything that is needed to begin it again."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    kind: Literal["session.started"] = "session.started"
    schema_version: int = Field(default=SCHEMA, alias="schema", le=SCHEMA)
    """The version of the schema that this journal's records follow; written as `schema`."""
    version: str
    device: str
    models: dict[str, str]
    """The spec of the model of each role."""
    mode: RunningMode
    agent: Literal["host", "native", "workflow"] = "host"
    """Who takes requests up: a host with app agents below it, or one agent alone, with one model or two."""
    request: str = ""
    """The one request of the session; "" where the user is asked, or a plan is followed."""
    plan: Plan | None = None
    """The plan that is followed, where one is."""


class SessionResumed(Value):
    """A session was taken up again; `fresh` when its desktop was gone and a new one was started."""

    kind: Literal["session.resumed"] = "session.resumed"
    fresh: bool


class SessionPaused(Value):
    """The user holds the session: nothing is done to the device until it is let go on."""

    kind: Literal["session.paused"] = "session.paused"


class SessionUnpaused(Value):
    """The session goes on, with a look at what is there now."""

    kind: Literal["session.unpaused"] = "session.unpaused"
    seconds: float
    """How long it was held; limits do not count them."""


class SessionEnded(Value):
    """A session came to an end; one that was killed has none."""

    kind: Literal["session.ended"] = "session.ended"
    outcome: RunOutcome
    answer: str | None = None


class RoundStarted(Value):
    """A request is taken up."""

    kind: Literal["round.started"] = "round.started"
    request: str


class RoundEnded(Value):
    """A request is done with."""

    kind: Literal["round.ended"] = "round.ended"
    outcome: RunOutcome
    answer: str | None = None


class Score(Value):
    """One part of a request, and whether it was fulfilled."""

    name: str
    evaluation: Literal["yes", "no", "unsure"]


class Evaluated(Value):
    """An evaluator judged the round that ended last; its result stays as it is."""

    kind: Literal["evaluated"] = "evaluated"
    complete: Literal["yes", "no", "unsure"]
    sub_scores: tuple[Score, ...] = ()
    reason: str = ""
    trouble: str = ""
    """Why there is no judgement, where there is none; it is `unsure` then."""


class StepStarted(Value):
    """The state called `status` of the agent in the scope begins to handle a step."""

    kind: Literal["step.started"] = "step.started"
    status: str


class StepEnded(Value):
    """A processor came to the end of its phases; `phases` are seconds."""

    kind: Literal["step.ended"] = "step.ended"
    phases: dict[str, float] = Field(default_factory=dict)
    error: str = ""


class StateChanged(Value):
    """The agent in the scope goes on, in the state called `status`."""

    kind: Literal["state"] = "state"
    status: str


class Observed(Value):
    """The device was looked at."""

    kind: Literal["observed"] = "observed"
    subject: Subject
    observation: Observation
    seconds: float


class Snapshot(Value):
    """A picture kept at the end of a subtask or session."""

    kind: Literal["snapshot"] = "snapshot"
    image: Image
    why: str


class ModelAsked(Value):
    """A model was asked; `request` is the blob of the whole request, as JSON."""

    kind: Literal["model.asked"] = "model.asked"
    role: Role
    model: str
    request: str


class ModelRemarked(Value):
    """Something was to be said of a call while the model was waited for: another try, a wait, what it does not take."""

    kind: Literal["model.remarked"] = "model.remarked"
    role: Role
    text: str
    model: str = ""
    """Which one, where something was used up."""
    usage: Usage = Usage()
    """What was used up by replies of a call that gave none in the end."""


class ModelReplied(Value):
    """A model answered."""

    kind: Literal["model.replied"] = "model.replied"
    role: Role
    text: str
    usage: Usage
    seconds: float
    model: str = ""
    """Which one it was: the one that was asked, or another in its place."""


class Decided(Value):
    """A reply was read as a decision."""

    kind: Literal["decided"] = "decided"
    decision: HostDecision | AppDecision
    reply: Reply | None = None
    """The reply it was read from, where its service wants that back unchanged with the next request."""


class Corrected(Value):
    """Something the model must put right; goes into the next request of the agent in the scope."""

    kind: Literal["corrected"] = "corrected"
    text: str


class Noted(Value):
    """Something the agent in the scope must know; goes into its next request."""

    kind: Literal["noted"] = "noted"
    text: str


class Judged(Value):
    """The policy gate did not simply let an action pass."""

    kind: Literal["judged"] = "judged"
    action: Action
    verdict: Literal["ask", "deny"]
    rule: str
    allowed: bool
    by: str
    """Who decided: "user", "--yes", "policy", "nobody there"."""


class ActionStarted(Value):
    """An action is about to be performed: after a crash, it may or may not have been."""

    kind: Literal["action.started"] = "action.started"
    action: Action
    on: str = ""
    """The element it is aimed at, in words."""


class ActionFinished(Value):
    """An action came to an end."""

    kind: Literal["action.finished"] = "action.finished"
    result: ActionResult
    seconds: float


class UserAsked(Value):
    """A question was put to the user."""

    kind: Literal["user.asked"] = "user.asked"
    question: str


class UserAnswered(Value):
    """The user answered the last question."""

    kind: Literal["user.answered"] = "user.answered"
    answer: str


class SubtaskAssigned(Value):
    """The host decided who is to do what; the application is brought up next."""

    kind: Literal["subtask.assigned"] = "subtask.assigned"
    subtask: str
    application: str
    message: tuple[str, ...] = ()


class SubtaskStarted(Value):
    """The agent in the scope took up the subtask assigned last, in `window`."""

    kind: Literal["subtask.started"] = "subtask.started"
    window: str


class SubtaskEnded(Value):
    """The agent in the scope handed the subtask back."""

    kind: Literal["subtask.ended"] = "subtask.ended"
    status: Literal["FINISH", "FAIL", "ERROR"]
    result: str = ""


class BlackboardSet(Value):
    """A value was written on the blackboard; the earlier one stays in the journal."""

    kind: Literal["blackboard"] = "blackboard"
    key: str
    value: str


Event = Annotated[
    SessionStarted
    | SessionResumed
    | SessionPaused
    | SessionUnpaused
    | SessionEnded
    | RoundStarted
    | RoundEnded
    | Evaluated
    | StepStarted
    | StepEnded
    | StateChanged
    | Observed
    | Snapshot
    | ModelAsked
    | ModelRemarked
    | ModelReplied
    | Decided
    | Corrected
    | Noted
    | Judged
    | ActionStarted
    | ActionFinished
    | UserAsked
    | UserAnswered
    | SubtaskAssigned
    | SubtaskStarted
    | SubtaskEnded
    | BlackboardSet,
    Field(discriminator="kind"),
]


class Scope(Value):
    """Whose event it is: the agent, and the numbers of round and session step (from 1; 0 is outside)."""

    agent: str = ""
    round: int = 0
    step: int = 0


class Record(Value):
    """An event in its place: `seq` counts from 1 without gaps, `time` is in epoch seconds."""

    seq: int
    time: float
    scope: Scope
    event: Event
