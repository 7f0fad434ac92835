"""A journal's records put in chapters: what came before, rounds, their steps, what came after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from deskhand.core.action import At, DragTo, OnElement, Target, target_of
from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    Noted,
    Observed,
    Record,
    RoundEnded,
    RoundStarted,
    SessionEnded,
    SessionResumed,
    StateChanged,
    StepEnded,
    StepStarted,
)
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Image, Observation


@dataclass
class Act:
    """An action and, unless the run was cut off, its end."""

    started: ActionStarted
    marks: tuple[Box | Point, ...]
    """Where on the last picture it was aimed."""
    finished: ActionFinished | None = None


@dataclass
class Shot:
    """A picture, the places on it that matter, and what was aimed at on it."""

    image: Image
    boxes: tuple[Box, ...] = ()
    """What was looked at; none for the whole screen."""
    marks: list[Box | Point] = field(default_factory=list)


@dataclass
class Step:
    """One step: its events in order, actions joined with their ends."""

    number: int
    agent: str
    status: str
    began: float
    ended: float
    moments: list[Record | Act] = field(default_factory=list)
    shots: list[Shot] = field(default_factory=list)
    phases: dict[str, float] = field(default_factory=dict)
    error: str = ""
    then: tuple[str, str] | None = None
    """Which agent goes on, in which state."""


@dataclass
class Round:
    """One request: its steps, and what happened outside of them."""

    number: int
    request: str
    began: float
    steps: list[Step] = field(default_factory=list)
    outside: list[Record] = field(default_factory=list)
    end: RoundEnded | None = None
    after: list[Record] = field(default_factory=list)
    """What was said of it when it was over."""


@dataclass
class Story:
    """A whole session."""

    rounds: list[Round] = field(default_factory=list)
    outside: list[Record] = field(default_factory=list)
    """What happened outside of any round."""

    @classmethod
    def of(cls, records: Iterable[Record]) -> Story:
        story = cls()
        seen: Observation | None = None
        for record in records:
            event = record.event
            if isinstance(event, RoundStarted):
                story.rounds.append(Round(len(story.rounds) + 1, event.request, record.time))
            elif story.rounds and story.rounds[-1].end and record.scope.round == len(story.rounds):
                story.rounds[-1].after.append(record)
            elif not story.rounds or story.rounds[-1].end:
                story.outside.append(record)
            elif isinstance(event, RoundEnded):
                story.rounds[-1].end = event
            else:
                _tell(story.rounds[-1], record, seen)
            if isinstance(event, Observed):
                seen = event.observation
        return story

    @property
    def steps(self) -> int:
        return sum(len(round.steps) for round in self.rounds)


def _tell(round: Round, record: Record, seen: Observation | None) -> None:
    """Add a record to the step it belongs to; `seen` is what was observed last."""
    event = record.event
    if isinstance(event, StepStarted):
        step = Step(record.scope.step, record.scope.agent, event.status, record.time, record.time)
        round.steps.append(step)
        return
    if not round.steps:
        round.outside.append(record)
        return
    step = round.steps[-1]
    if not isinstance(event, SessionResumed | SessionEnded | Noted):  # these come when a step is long over
        step.ended = record.time
    match event:
        case Observed():
            step.shots.append(_shot(event.observation))
            step.moments.append(record)
        case ActionStarted():
            marks = _aimed_at(event, seen)
            if step.shots:
                step.shots[-1].marks += marks
            step.moments.append(Act(event, marks))
        case ActionFinished() if (act := _open_act(step)) is not None:
            act.finished = event
        case StepEnded():
            step.phases, step.error = event.phases, event.error
        case StateChanged():
            step.then = (record.scope.agent, event.status)
        case _:
            step.moments.append(record)


def _shot(seen: Observation) -> Shot:
    windows = (w.box for w in seen.windows if seen.window in (w.id, w.dialog_of))
    return Shot(seen.screen, (*windows, *(element.box for element in seen.elements)) if seen.window else ())


def _open_act(step: Step) -> Act | None:
    return next((m for m in reversed(step.moments) if isinstance(m, Act) and m.finished is None), None)


def _aimed_at(event: ActionStarted, seen: Observation | None) -> tuple[Box | Point, ...]:
    start = event.action.start if isinstance(event.action, DragTo) else None
    places = (_place(target, seen) for target in (start, target_of(event.action)))
    return tuple(place for place in places if place is not None)


def _place(target: Target | None, seen: Observation | None) -> Box | Point | None:
    match target:
        case At(point=point):
            return point
        case OnElement(id=id) if seen is not None and (element := seen.element(id)) is not None:
            return element.box
        case _:  # no place, or one that is not on the picture
            return None
