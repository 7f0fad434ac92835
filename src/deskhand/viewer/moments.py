"""What happened, one moment a list item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

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
from deskhand.core.observation import Element, Observation
from deskhand.core.status import RunOutcome
from deskhand.dialects.actions import spell
from deskhand.viewer.markup import folded, tag, text
from deskhand.viewer.story import Act

ELEMENTS = 300
"""How many elements of one look are listed."""

COLOURS = {
    "done": "good",
    "unverified": "doubt",
    "failed": "bad",
    "FINISH": "good",
    "FAIL": "bad",
    "ERROR": "bad",
    RunOutcome.FINISHED: "good",
    RunOutcome.NEEDS_USER: "doubt",
    RunOutcome.INTERRUPTED: "doubt",
    RunOutcome.LIMIT: "doubt",
    RunOutcome.FAILED: "bad",
    RunOutcome.STUCK: "bad",
    RunOutcome.ERROR: "bad",
    "yes": "good",
    "unsure": "doubt",
    "no": "bad",
}


def show(moment: Record | Act) -> str:
    """Give the list items of one moment; none when it is shown elsewhere."""
    if isinstance(moment, Act):
        return _act(moment)
    match moment.event:
        case Observed():
            return _observed(moment.event)
        case ModelAsked() | ModelReplied() | Decided():
            return _thought(moment.event)
        case Judged() | Corrected() | Noted() | ModelRemarked():
            return _objection(moment.event)
        case SubtaskAssigned() | SubtaskStarted() | SubtaskEnded() | BlackboardSet():
            return _subtask(moment.event)
        case UserAsked() | UserAnswered() | SessionResumed() | SessionPaused() | SessionUnpaused() | Snapshot():
            return _remark(moment.event)
        case Evaluated():
            return _evaluation(moment.event)
        case (
            SessionStarted()
            | SessionEnded()
            | RoundStarted()
            | RoundEnded()
            | StepStarted()
            | StepEnded()
            | StateChanged()
            | ActionStarted()
            | ActionFinished()
        ):
            return ""  # these frame what is shown here
        case _:
            assert_never(moment.event)


def item(title: str, content: str, colour: str = "", seconds: float | None = None) -> str:
    took = tag("span", text(duration(seconds)), " ", class_="soft took") if seconds is not None else ""
    return tag("li", took, tag("b", text(title)), " ", content, class_=colour)


def duration(seconds: float) -> str:
    """Write a time span as one would say it."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def _said(raw: str) -> str:
    return tag("span", text(raw), class_="said")


def _act(act: Act) -> str:
    on = tag("span", text(f" on {act.started.on}"), class_="soft") if act.started.on else ""
    spelled = tag("code", text(spell(act.started.action))) + on
    if act.finished is None:
        return item("Action", spelled + tag("p", text("Not known to have ended.")), "doubt")
    result = act.finished.result
    told = " ".join(filter(None, (result.text, f"Value: {result.value}" if result.value else "")))
    content = spelled + (tag("p", _said(told)) if told else "")
    if result.receiver:
        content += tag("p", text(f"Received by {result.receiver}"), class_="soft")
    if result.waited:
        content += tag("p", text(f"Waited {result.waited}"), class_="soft")
    return item(result.outcome.capitalize(), content, COLOURS[result.outcome], act.finished.seconds)


def _observed(event: Observed) -> str:
    seen = event.observation
    window = next((w.title or w.app for w in seen.windows if w.id == seen.window), "")
    counts = ((len(seen.elements), "element"), (len(seen.windows), "window"), (len(seen.applications), "application"))
    content = text(f"{window}: " if window else "")
    content += text(", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts if count) or "nothing")
    if seen.truncated:
        content += tag("p", text(f"Not all: {seen.truncated}"), class_="doubt")
    if seen.elements:
        content += folded("Elements", tag("pre", text("\n".join(_lines(seen)))))
    return item("Looked", content, seconds=event.seconds)


def _lines(seen: Observation) -> Iterator[str]:
    yield from map(_line, seen.elements[:ELEMENTS])
    if len(seen.elements) > ELEMENTS:
        yield f"... and {len(seen.elements) - ELEMENTS} more"


def _line(element: Element) -> str:
    value = f" = {element.value!r}" if element.value else ""
    states = f" ({', '.join(element.states)})" if element.states else ""
    return f"{element.id} {element.role} {element.name!r}{value}{states}"


def _thought(event: ModelAsked | ModelReplied | Decided) -> str:
    match event:
        case ModelAsked():
            return ""  # the reply says as much
        case ModelReplied():
            usage = event.usage
            kept = f" ({usage.cached_tokens} of them kept)" if usage.cached_tokens else ""
            spent = f"{usage.input_tokens} tokens in{kept}, {usage.output_tokens} out; " if usage.input_tokens else ""
            reply = folded(f"{spent}the reply as it came", tag("pre", text(event.text)))
            return item("Model", text(event.role) + reply, seconds=event.seconds)
        case Decided():
            return item("Thought", "".join(_decision(event.decision)))


def _decision(decision: HostDecision | AppDecision) -> Iterator[str]:
    if decision.observation:
        yield tag("p", _said(decision.observation), class_="soft")
    yield tag("p", _said(decision.thought or decision.status))
    if decision.plan:
        yield folded(f"Plan: {len(decision.plan)} more", tag("pre", text("\n".join(decision.plan))))
    if decision.result:
        yield tag("p", text("Result: "), _said(decision.result))


def _remark(
    event: UserAsked | UserAnswered | SessionResumed | SessionPaused | SessionUnpaused | Snapshot,
) -> str:
    match event:
        case UserAsked():
            return item("Asked", _said(event.question), "doubt")
        case UserAnswered():
            return item("Answered", _said(event.answer))
        case SessionResumed():
            return item("Resumed", text("on a new desktop" if event.fresh else "on the same desktop"), "doubt")
        case SessionPaused():
            return item("Held", text("by its user"), "doubt")
        case SessionUnpaused():
            return item("Went on", "", seconds=event.seconds)
        case Snapshot():
            return item("Picture kept", text(event.why))


def _evaluation(event: Evaluated) -> str:
    scores = "".join(tag("p", _said(score.name), text(f": {score.evaluation}")) for score in event.sub_scores)
    content = text(f"complete: {event.complete} · ") + _said(event.reason or event.trouble) + scores
    return item("Evaluated", content, COLOURS[event.complete])


def _objection(event: Judged | Corrected | Noted | ModelRemarked) -> str:
    match event:
        case Judged():
            verdict = f"{'allowed' if event.allowed else 'refused'} by {event.by} ({event.rule})"
            content = tag("code", text(spell(event.action))) + tag("p", text(verdict))
            return item("Policy", content, "doubt" if event.allowed else "bad")
        case Corrected():
            return item("Corrected", _said(event.text), "bad")
        case Noted():
            return item("Noted", _said(event.text))
        case ModelRemarked():
            return item("Model", text(f"{event.role}: ") + _said(event.text), "doubt")


def _subtask(event: SubtaskAssigned | SubtaskStarted | SubtaskEnded | BlackboardSet) -> str:
    match event:
        case SubtaskAssigned():
            tips = "".join(tag("p", _said(tip), class_="soft") for tip in event.message)
            return item("Handed on", text(f"to {event.application}: ") + _said(event.subtask) + tips)
        case SubtaskStarted():
            return item("Taken up", text(f"in window {event.window}"))
        case SubtaskEnded():
            return item("Handed back", text(f"{event.status} ") + _said(event.result), COLOURS[event.status])
        case BlackboardSet():
            return item("Blackboard", tag("code", text(f"{event.key} = {event.value}")))
