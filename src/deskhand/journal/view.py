"""What a journal says so far: the one fold that agents, progress, page, limits and resume read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from deskhand.core.action import Action, ActionResult
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    BlackboardSet,
    Corrected,
    Decided,
    Evaluated,
    Judged,
    ModelAsked,
    ModelRemarked,
    ModelReplied,
    Noted,
    Observed,
    Record,
    RoundEnded,
    RoundStarted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionUnpaused,
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
from deskhand.core.message import BlackboardEntry, Reply, SubtaskReport
from deskhand.core.observation import Observation
from deskhand.core.status import RunOutcome


@dataclass
class ActView:
    """An action, and what came of it as far as is known."""

    action: Action
    on: str = ""
    result: ActionResult | None = None
    seconds: float = 0.0

    @property
    def came_through(self) -> bool:
        return self.result is not None and self.result.outcome != "failed"


@dataclass
class StepView:
    """One step, as far as it got. `number` counts in the session, from 1."""

    number: int
    agent: str
    status: str
    started: float
    ended: float = 0.0
    observation: Observation | None = None
    decided_on: Observation | None = None
    """What was seen when it was decided; `observation` may be a look taken between its actions."""
    decision: HostDecision | AppDecision | None = None
    reply: Reply | None = None
    """What it was decided by, where that is kept."""
    acts: list[ActView] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    corrections: list[str] = field(default_factory=list)
    phases: dict[str, float] = field(default_factory=dict)
    error: str = ""
    usd: float = 0.0


@dataclass
class SubtaskView:
    """A subtask, from its assignment to its end. `agent` and `window` are known once it was taken up."""

    text: str
    application: str
    message: tuple[str, ...] = ()
    agent: str = ""
    window: str = ""
    first_step: int = 0
    report: SubtaskReport | None = None


@dataclass
class RoundView:
    """One request, as far as it got; `agent` goes on in the state `status`."""

    number: int
    request: str
    started: float
    ended: float = 0.0
    agent: str = ""
    status: str = ""
    steps: list[StepView] = field(default_factory=list)
    subtasks: list[SubtaskView] = field(default_factory=list)
    answers: list[tuple[str, str, int]] = field(default_factory=list)
    """Question, answer, and the step in which it was given."""
    outcome: RunOutcome | None = None
    answer: str | None = None
    evaluation: Evaluated | None = None
    usd: float = 0.0

    @property
    def reports(self) -> tuple[SubtaskReport, ...]:
        return tuple(s.report for s in self.subtasks if s.report is not None)

    @property
    def subtask(self) -> SubtaskView | None:
        """The subtask that was assigned last, if it is not over."""
        last = self.subtasks[-1] if self.subtasks else None
        return last if last is not None and last.report is None else None


@dataclass
class View:
    """The session so far."""

    started: SessionStarted | None = None
    start_time: float = 0.0
    last_time: float = 0.0
    rounds: list[RoundView] = field(default_factory=list)
    blackboard: dict[str, BlackboardEntry] = field(default_factory=dict)
    plans: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The plan each agent left in its last step."""
    notes: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What each agent is to be told and was not yet."""
    reasons: dict[str, str] = field(default_factory=dict)
    """What each agent said last about why it ended or failed."""
    steps: int = 0
    model_calls: int = 0
    usd: float = 0.0
    tokens: int = 0
    """Read and written, as far as services tell."""
    question: str = ""
    """The question that waits for an answer."""
    outcome: RunOutcome | None = None
    answer: str | None = None

    @classmethod
    def of(cls, records: Iterable[Record]) -> View:
        view = cls()
        for record in records:
            view.apply(record)
        return view

    @property
    def round(self) -> RoundView | None:
        """The round that is not over; None between rounds."""
        last = self.rounds[-1] if self.rounds else None
        return last if last is not None and last.outcome is None else None

    @property
    def step(self) -> StepView | None:
        """The step that was begun last in the open round."""
        return self.round.steps[-1] if self.round is not None and self.round.steps else None

    @property
    def uncertain(self) -> Action | None:
        """The action that was begun and never ended: after a crash, look before doing it again."""
        acts = self.step.acts if self.step is not None else []
        return acts[-1].action if acts and acts[-1].result is None else None

    @property
    def calls_saved(self) -> int:
        """How many actions went through on one reply with another: with a reply each, as many more calls."""
        steps = (step for round_ in self.rounds for step in round_.steps)
        return sum(sum(act.came_through for act in step.acts[1:]) for step in steps)

    def steps_of(self, agent: str, since: int = 0) -> list[StepView]:
        """Give an agent's steps of the open round that came to something, from session step `since` on."""
        steps = self.round.steps if self.round is not None else []
        return [
            s
            for s in steps
            if s.agent == agent and s.number >= since and (s.decision is not None or s.corrections or s.acts)
        ]

    def decision_of(self, agent: str) -> HostDecision | AppDecision | None:
        steps = self.round.steps if self.round is not None else []
        return next((s.decision for s in reversed(steps) if s.agent == agent and s.decision is not None), None)

    def apply(self, record: Record) -> None:
        """Take one more record into account."""
        self.last_time = record.time
        match record.event:
            case StepStarted() | StepEnded() | StateChanged() | Corrected() | Noted():  # first: several a step
                self._apply_step(record, record.event)
            case SessionStarted() | SessionResumed() | SessionEnded() | RoundStarted() | RoundEnded() | Evaluated():
                self._apply_frame(record, record.event)
            case SessionPaused() | SessionUnpaused():
                pass  # where a run was held changes nothing of how far it is
            case Observed() | Snapshot() | ModelAsked() | ModelReplied() | ModelRemarked() | Decided():
                self._apply_thought(record, record.event)
            case Judged() | ActionStarted() | ActionFinished():
                self._apply_act(record.event)
            case UserAsked() | UserAnswered():
                self._apply_user(record.event)
            case SubtaskAssigned() | SubtaskStarted() | SubtaskEnded() | BlackboardSet():
                self._apply_subtask(record, record.event)
            case _:
                assert_never(record.event)

    def _apply_frame(
        self,
        record: Record,
        event: SessionStarted | SessionResumed | SessionEnded | RoundStarted | RoundEnded | Evaluated,
    ) -> None:
        match event:
            case SessionStarted():
                self.started, self.start_time = event, record.time
            case SessionResumed():
                self.outcome, self.answer = None, None
            case SessionEnded():
                self.outcome, self.answer = event.outcome, event.answer
            case RoundStarted():
                self.rounds.append(RoundView(len(self.rounds) + 1, event.request, record.time))
                self.plans.clear()
            case RoundEnded():
                last = self.rounds[-1]
                last.outcome, last.answer, last.ended = event.outcome, event.answer, record.time
            case Evaluated() if self.rounds:
                self.rounds[-1].evaluation = event

    def _apply_step(self, record: Record, event: StepStarted | StepEnded | StateChanged | Corrected | Noted) -> None:
        agent, last = record.scope.agent, self.rounds[-1] if self.rounds else None
        match event:
            case StepStarted():
                self.steps += 1
                if last is not None:
                    last.agent, last.status = agent, event.status
                    last.steps.append(StepView(self.steps, agent, event.status, record.time))
            case StepEnded() if (step := self.step) is not None:
                step.phases, step.error, step.ended = event.phases, event.error, record.time
                if event.error:
                    self.reasons[agent] = event.error
            case StateChanged() if last is not None:
                last.agent, last.status = agent, event.status
                if self.step is not None:
                    self.step.ended = record.time
            case Corrected():
                self.notes[agent].append(event.text)
                if self.step is not None:
                    self.step.corrections.append(event.text)
            case Noted():
                self.notes[agent].append(event.text)
                self.reasons[agent] = event.text

    def _apply_thought(
        self, record: Record, event: Observed | Snapshot | ModelAsked | ModelReplied | ModelRemarked | Decided
    ) -> None:
        agent, step = record.scope.agent, self.step
        match event:
            case Observed() if step is not None:
                step.observation = event.observation
            case ModelAsked():
                self.model_calls += 1
            case ModelReplied() | ModelRemarked():
                self.usd += event.usage.usd
                self.tokens += event.usage.input_tokens + event.usage.output_tokens
                if self.round is not None:
                    self.round.usd += event.usage.usd
                if step is not None:
                    step.usd += event.usage.usd
            case Decided():
                self.plans[agent] = event.decision.plan
                self.notes.pop(agent, None)
                if event.decision.result:
                    self.reasons[agent] = event.decision.result
                if step is not None:
                    step.decision, step.decided_on = event.decision, step.observation
                    step.reply = event.reply

    def _apply_act(self, event: Judged | ActionStarted | ActionFinished) -> None:
        if (step := self.step) is None:
            return
        match event:
            case Judged():
                step.judged.append(event)
            case ActionStarted():
                step.acts.append(ActView(event.action, event.on))
            case ActionFinished():
                step.acts[-1].result, step.acts[-1].seconds = event.result, event.seconds

    def _apply_user(self, event: UserAsked | UserAnswered) -> None:
        match event:
            case UserAsked():
                self.question = event.question
            case UserAnswered():
                if self.round is not None:
                    self.round.answers.append((self.question, event.answer, self.steps))
                self.question = ""

    def _apply_subtask(
        self, record: Record, event: SubtaskAssigned | SubtaskStarted | SubtaskEnded | BlackboardSet
    ) -> None:
        agent, subtasks = record.scope.agent, self.rounds[-1].subtasks if self.rounds else []
        match event:
            case SubtaskAssigned():
                subtasks.append(SubtaskView(event.subtask, event.application, event.message))
            case SubtaskStarted() if subtasks:
                subtasks[-1].agent, subtasks[-1].window = agent, event.window
                subtasks[-1].first_step = self.steps + 1
                self.plans.pop(agent, None)
            case SubtaskEnded() if subtasks:
                last = subtasks[-1]
                last.report = SubtaskReport(
                    subtask=last.text, application=last.application, status=event.status, result=event.result
                )
            case BlackboardSet():
                self.blackboard[event.key] = BlackboardEntry(
                    key=event.key, value=event.value, writer=agent, step=record.scope.step
                )
