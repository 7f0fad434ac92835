"""What is going on, line by line, while it goes on: a fold of the journal like any other."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from typing import TextIO

from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    BlackboardSet,
    Corrected,
    Decided,
    Evaluated,
    Event,
    Judged,
    ModelAsked,
    ModelRemarked,
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
PATIENCE = 10.0
"""Seconds that a model is waited for without a word."""


class Progress:
    """Prints the records that a person wants to see to `out`; pass its `show` as a listener."""

    def __init__(self, out: TextIO | None = None, *, patience: float = PATIENCE) -> None:
        self._out = out or sys.stderr
        self._patience = patience
        self._over = threading.Event()

    def show(self, record: Record) -> None:
        """Print a record; after a model's request, say every few seconds that it is waited for until the next."""
        self._over.set()
        if (line := _line(record.event, record)) is not None:
            self._print(line)
        if isinstance(record.event, ModelAsked | ModelRemarked):
            self._over = threading.Event()
            # A thread, since whatever a model of one's own does must not hold up the clock.
            threading.Thread(target=self._wait, args=(self._over,), daemon=True).start()

    def _wait(self, over: threading.Event) -> None:
        seconds = 0.0
        while not over.wait(self._patience):
            seconds += self._patience
            with suppress(OSError, ValueError):  # nobody reads it any more
                self._print(f"       waiting for the model, {seconds:g} s")

    def _print(self, line: str) -> None:
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
        case Evaluated():
            return f"evaluated: complete {event.complete}: {event.reason or event.trouble}"
        case Judged():
            return f"       {event.rule}: {'allowed' if event.allowed else 'refused'} by {event.by}"
        case Corrected() | Noted() | ModelRemarked():
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
