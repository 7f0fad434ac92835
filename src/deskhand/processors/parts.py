"""The typed parts of a model request, read off the journal's view: what an agent is told each step."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.decision import AppDecision, Decision, HostDecision
from deskhand.core.message import (
    AnswersPart,
    BlackboardEntry,
    BlackboardPart,
    BudgetPart,
    HistoryPart,
    NotesPart,
    Part,
    PastStep,
    PicturePart,
    PlanPart,
    ReportsPart,
    RequestPart,
    SubtaskPart,
    ToolsPart,
    ToolSpec,
)
from deskhand.core.observation import Window
from deskhand.core.status import AgentStatus, HostAgentStatus
from deskhand.journal.view import StepView, View
from deskhand.perception.since import news
from deskhand.processors.context import Context

HISTORY = 30
"""How many past steps an agent is told at most."""
EARLIER = 10
"""How many earlier requests of the session it is told at most, the latest."""
LONGEST_EARLIER = 2000
"""Characters of each of them, and of its answer."""


def memory_parts(context: Context, agent: str, since: int = 0) -> tuple[Part, ...]:
    """Give what an agent remembers: its steps since session step `since`, its plan, notes, answers, the blackboard."""
    view = context.view
    round_ = view.round
    taken = len(round_.steps) if round_ is not None else 0
    answers = tuple((q, a) for q, a, step in round_.answers if step >= since) if round_ is not None else ()
    parts: list[Part] = [
        BlackboardPart(entries=(*earlier(view), *view.blackboard.values())),
        HistoryPart(steps=_history(view, view.steps_of(agent, since)[-HISTORY:])),
        PlanPart(steps=view.plans.get(agent, ())),
        AnswersPart(answers=answers),
        NotesPart(notes=tuple(view.notes.get(agent, ()))),
        BudgetPart(step=max(taken, 1), steps=context.limits.steps_of_round(view)),
    ]
    return tuple(parts)


def _history(view: View, steps: Sequence[StepView]) -> tuple[PastStep, ...]:
    """Tell of an agent's steps, and after the last of them what the screen shows now that it did not then."""
    told: list[PastStep] = []
    for step in steps:
        if told and step.status == AgentStatus.CONFIRM and step.acts:
            told[-1] = _with_leave(told[-1], step)
        else:
            told.append(past(step, _first(view)))
    now = view.step.observation if view.step is not None else None
    before = next((step.decided_on for step in reversed(steps) if step.decided_on is not None), None)
    if steps and steps[-1].acts and before is not None and now is not None:
        known = [text for act in steps[-1].acts for text in (act.result.text if act.result else "", str(act.action))]
        changed = news(before, now, known)
        told[-1] = told[-1].model_copy(update={"since": changed})
    return tuple(told)


def _with_leave(decided: PastStep, done: StepView) -> PastStep:
    """Tell what was decided in one step and done in the next, once the user had agreed, as one."""
    acts = past(done)
    return decided.model_copy(update={"actions": acts.actions, "results": acts.results, "leave": True})


def earlier(view: View) -> tuple[BlackboardEntry, ...]:
    """Give what was asked for before in this session and what was answered, so that a request can follow up on it."""
    entries: list[BlackboardEntry] = []
    for round_ in [each for each in view.rounds if each.outcome is not None][-EARLIER:]:
        came = f"{round_.outcome}: {round_.answer}" if round_.answer else str(round_.outcome)
        step = round_.steps[-1].number if round_.steps else 0
        said = {f"request_{round_.number}": ("user", round_.request), f"answer_{round_.number}": (round_.agent, came)}
        entries += [
            BlackboardEntry(key=key, value=value[:LONGEST_EARLIER], writer=writer, step=step)
            for key, (writer, value) in said.items()
            if key not in view.blackboard
        ]
    return tuple(entries)


def request_part(view: View) -> RequestPart:
    return RequestPart(text=view.round.request if view.round is not None else "")


def reports_part(view: View) -> ReportsPart:
    return ReportsPart(reports=view.round.reports if view.round is not None else ())


def subtask_part(view: View) -> SubtaskPart:
    """Give the subtask that is being worked on."""
    subtask = view.round.subtask if view.round is not None else None
    if subtask is None:
        return SubtaskPart(text="", application="")
    return SubtaskPart(
        text=subtask.text, application=subtask.application, window=subtask.window, message=subtask.message
    )


def earlier_pictures(view: View, agent: str, most: int) -> tuple[PicturePart, ...]:
    """Give the pictures that an agent's last steps on its subtask were decided on, oldest first."""
    since = view.round.subtask.first_step if view.round is not None and view.round.subtask is not None else 0
    before = [step for step in view.steps_of(agent, since) if step.decision is not None] if most else []
    seen = [(step.number, step.decided_on.screen) for step in before[-most:] if step.decided_on is not None]
    return tuple(PicturePart(image=image, of=f"step {number - _first(view) + 1}") for number, image in seen)


def _first(view: View) -> int:
    """Give the number of the first step of the open round; agents are told of steps as they count in it."""
    return view.round.steps[0].number if view.round is not None and view.round.steps else 1


def tools_part(context: Context, application: str, windows: tuple[Window, ...]) -> ToolsPart:
    """Give the tools that can be called in an application, or in whatever window is active."""
    names = {application, *(window.app for window in windows if window.active)}
    known = {name.casefold() for name in names if name}
    return ToolsPart(tools=tuple(t.about for t in context.dispatcher.tools.values() if _offered(t.about, known)))


def _offered(tool: ToolSpec, applications: set[str]) -> bool:
    return not tool.applications or any(name.casefold() in applications for name in tool.applications)


def past(step: StepView, first: int = 1) -> PastStep:
    """Give a step as an agent is told of it, counted from the session's step `first`."""
    actions = tuple(act.action for act in step.acts)
    decided = step.decision.actions[: len(actions)] if isinstance(step.decision, AppDecision) else ()
    return PastStep(
        step=step.number - first + 1,
        thought=_thought(step.decision),
        actions=actions,
        said=decided if len(decided) == len(actions) and decided != actions else (),
        results=tuple(act.result for act in step.acts if act.result is not None),
        correction=step.corrections[-1] if step.corrections else "",
        reply=step.reply,
    )


def _thought(decision: Decision | None) -> str:
    """Give what was thought, and what a host gave out on it: its actions do not say that."""
    match decision:
        case None:
            return ""
        case HostDecision(status=HostAgentStatus.ASSIGN):
            return f"{decision.thought} ASSIGN to {decision.application}: {decision.subtask}".strip()
        case _:
            return decision.thought
