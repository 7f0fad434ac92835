"""The host's side: reads the request, hands out one application's clauses after the other, and says what came of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from deskhand.core.message import (
    AnswersPart,
    ApplicationsPart,
    ModelRequest,
    PlanPart,
    ReportsPart,
    RequestPart,
    SubtaskReport,
    WindowsPart,
)
from deskhand.models.literal.applications import Desktop
from deskhand.models.literal.languages import message
from deskhand.models.literal.planning import Plan, Task, plan_request
from deskhand.models.literal.requested import part

Fields = Mapping[str, object]
"""A reply in the `json` dialect, before it is written."""
_PLANNED = re.compile(r"in (?P<application>\S+)(?: \((?P<name>[^\n]*?)\))?: (?P<clauses>.*)", re.DOTALL)
_NOT_UP = "cannot be brought up"


def decide(request: ModelRequest) -> Fields:
    """Decide the host's next step from the parts of a request."""
    reports = part(request, ReportsPart)
    done = reports.reports if reports else ()
    planned = part(request, PlanPart)
    tasks = _read_plan(planned.steps if planned else ()) if done else None
    if tasks is None:
        return _begin(request)
    last = done[-1]
    if last.status != "FINISH":
        return _after_failure(request, tasks, last)
    if tasks:
        return _assign(tasks)
    return _reply("FINISH", "every subtask has been reported as done", result=_summary(done))


def _begin(request: ModelRequest) -> Fields:
    asked = part(request, RequestPart)
    answers = part(request, AnswersPart)
    said = asked.text if asked else ""
    plan = plan_request(said, _desktop(request), answers.answers if answers else ())
    if plan.unread or not plan.lines:
        return _reply("FAIL", "not every clause of the request can be read", result=_unread(said, plan))
    if plan.missing:
        return _reply("FAIL", "an application is missing", result="; ".join(plan.missing))
    if plan.questions:
        return _reply("PENDING", "something is left open in the request", questions=plan.questions)
    return _assign(plan.tasks)


def _assign(tasks: Sequence[Task]) -> Fields:
    task, rest = tasks[0], tasks[1:]
    keys = re.findall(r"(?<!call it )\{\{(?!secret:)([^{}]+)\}\}", task.text)
    hints = [f"the value of {{{{{key}}}}} stands on the blackboard" for key in dict.fromkeys(keys)]
    return {
        "thought": f"next: {len(task.clauses)} clause{'s' if len(task.clauses) > 1 else ''} for {task.name}",
        "status": "ASSIGN",
        "application": task.application,
        "current_subtask": task.text,
        "message": hints,
        "plan": [f"in {t.application} ({t.name}): {t.text}" for t in rest],
    }


def _read_plan(steps: Sequence[str]) -> list[Task]:
    tasks = []
    for step in steps:
        found = _PLANNED.fullmatch(step)
        if found:
            tasks.append(Task(found["application"], found["name"] or "", "", (found["clauses"],)))
    return tasks


def _after_failure(request: ModelRequest, tasks: Sequence[Task], last: SubtaskReport) -> Fields:
    """Give up with the reason; but try another application of the kind when one cannot even be started."""
    asked = part(request, RequestPart)
    if _NOT_UP in last.result and asked:
        desktop = _desktop(request)
        plan = plan_request(asked.text, desktop)
        failed = next((t for t in plan.tasks if t.application == last.application and t.text == last.subtask), None)
        other = desktop.others_of_kind(failed.kind, last.application) if failed else None
        if failed and other:
            return _assign([failed._replace(application=other.id, name=other.name, kind=""), *tasks])
    windows = part(request, WindowsPart)
    title = next((w.title for w in windows.windows if w.id == last.application), "") if windows else ""
    where = f" (in {title or last.application}: {_one_line(last.subtask)})"
    return _reply("FAIL", "a subtask could not be done", result=(last.result or "it did not say why") + where)


def _summary(reports: Sequence[SubtaskReport]) -> str:
    """Say what came of it: what the last subtask yields, or what all of them report."""
    results = [r.result for r in reports if r.result]
    if len(results) == 1:
        return results[0]
    return "; ".join(results)


def _unread(request: str, plan: Plan) -> str:
    unread = ", ".join(f"“{text}”" for text in plan.unread) or message(request, "request")
    read = ", ".join(f"“{line.text}”" for line in plan.lines if line.understood)
    return message(request, "partly" if read else "unread", read=read, unread=unread)


def _desktop(request: ModelRequest) -> Desktop:
    applications, windows = part(request, ApplicationsPart), part(request, WindowsPart)
    return Desktop(
        applications.applications if applications else (),
        windows.windows if windows else (),
        applications.agents if applications else (),
    )


def _reply(status: str, thought: str, *, result: str = "", questions: Sequence[str] = ()) -> Fields:
    return {"thought": thought, "status": status, "plan": [], "questions": list(questions), "result": result}


def _one_line(text: str) -> str:
    line = " / ".join(text.splitlines())
    return line if len(line) <= 120 else line[:120] + "…"
