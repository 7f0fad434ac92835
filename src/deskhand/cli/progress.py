"""What is going on, line by line, while it goes on: a fold of the journal like any other."""

from __future__ import annotations

import sys
from typing import TextIO

from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    BlackboardSet,
    Corrected,
    Decided,
    Event,
    Judged,
    Noted,
    Record,
    RoundStarted,
    StepStarted,
    SubtaskAssigned,
    SubtaskEnded,
)
from deskhand.core.text import shown
from deskhand.dialects.actions import spell

WIDTH = 150


class Progress:
    """Prints the records that a person wants to see to `out`; pass its `show` as a listener."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr

    def show(self, record: Record) -> None:
        if (line := _line(record.event, record)) is not None:
            print(_short(line), file=self._out, flush=True)


def _line(event: Event, record: Record) -> str | None:
    match event:
        case RoundStarted():
            return f"request: {event.request}"
        case StepStarted():
            return f"{record.scope.step:4} {record.scope.agent}: {event.status}"
        case SubtaskAssigned() | SubtaskEnded() | BlackboardSet():
            return _handed(event)
        case Decided() if event.decision.thought:
            return f"       {event.decision.thought}"
        case ActionStarted():
            return f"       {spell(event.action)}{'  on ' + event.on if event.on else ''}"
        case ActionFinished():
            return f"         {event.result.outcome}{': ' + event.result.text if event.result.text else ''}"
        case Judged():
            return f"       {event.rule}: {'allowed' if event.allowed else 'refused'} by {event.by}"
        case Corrected() | Noted():
            return f"       ! {event.text}"
        case _:  # the rest is for the page
            return None


def _handed(event: SubtaskAssigned | SubtaskEnded | BlackboardSet) -> str:
    match event:
        case SubtaskAssigned():
            return f"       -> {event.application}: {event.subtask}"
        case SubtaskEnded():
            return f"       <- {event.status}{': ' + event.result if event.result else ''}"
        case BlackboardSet():
            return f"       blackboard: {event.key} = {event.value}"


def _short(line: str) -> str:
    line = shown(line.replace("\n", "⏎").replace("\t", "⇥"))
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
