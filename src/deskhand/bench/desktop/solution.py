"""A model that carries out each task's scripted solution: it shows that the task can be done, and its check passes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from deskhand.bench.desktop.task import Subtask, Task
from deskhand.bench.desktop.tasks import TASKS
from deskhand.core.action import Wait
from deskhand.core.errors import ModelError
from deskhand.core.message import HistoryPart, ModelRequest, PastStep, Reply, ReportsPart, RequestPart
from deskhand.core.ports import Pictures

PAUSE = {"function": "wait", "arguments": {"seconds": 0.5}}
"""What is done when a step finds its place not there yet, before it is tried again."""
TRIES = 6
P = TypeVar("P", RequestPart, ReportsPart, HistoryPart)


class _Solved(NamedTuple):
    """A task as it was posed."""

    task: Task
    words: Mapping[str, str]

    @property
    def subtasks(self) -> tuple[Subtask, ...]:
        return self.task.solution


class Solution:
    """Knows the tasks of the suite by their requests; to be named as a model, it takes nothing."""

    name = "solution"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Give the next step.

        Raises:
            ModelError: the request is that of no task.
        """
        solved = _solved(_part(request, RequestPart).text)
        done = len(_part(request, ReportsPart).reports)
        fields = _host(solved, request) if request.role == "host" else _app(solved.subtasks[done], solved, request)
        return Reply(text=json.dumps(fields, ensure_ascii=False), model=self.name)


def _solved(request: str, tasks: Iterable[Task] = TASKS) -> _Solved:
    for task in tasks:
        pattern = (
            re.escape(task.request).replace(r"\{home\}", r"(?P<home>\S+?)").replace(r"\{site\}", r"(?P<site>\S+?)")
        )
        if found := re.fullmatch(pattern, request):
            return _Solved(task, found.groupdict())
    raise ModelError(f"no task of the suite desktop asks for {request!r}")


def _part(request: ModelRequest, kind: type[P]) -> P:
    return next((part for part in request.parts if isinstance(part, kind)), None) or kind()  # type: ignore[call-arg]


def _host(solved: _Solved, request: ModelRequest) -> dict[str, object]:
    reports = _part(request, ReportsPart).reports
    if reports and reports[-1].status != "FINISH":
        return {"status": "FAIL", "result": reports[-1].result}
    if len(reports) == len(solved.subtasks):
        return {"status": "FINISH", "result": "done"}
    part = solved.subtasks[len(reports)]
    return {"status": "ASSIGN", "application": part.application, "current_subtask": f"part {len(reports) + 1}"}


def _app(part: Subtask, solved: _Solved, request: ModelRequest) -> dict[str, object]:
    steps = _part(request, HistoryPart).steps
    done = sum(map(_did, steps))
    if done == len(part.steps):
        return {"status": "FINISH", "result": "done"}
    if steps and not any(map(_did, steps[-2 * TRIES :])) and len(steps) >= 2 * TRIES:
        return {"status": "FAIL", "result": f"step {done + 1} does not work: {part.steps[done]}"}
    if steps and not _did(steps[-1]) and not _waited(steps[-1]):
        return {"status": "CONTINUE", "action": [PAUSE]}
    text = part.steps[done]
    for name, value in solved.words.items():
        text = text.replace(f"{{{name}}}", value)
    return {"status": "CONTINUE", "thought": text, "action": [text]}


def _waited(step: PastStep) -> bool:
    return any(isinstance(action, Wait) for action in step.actions)


def _did(step: PastStep) -> bool:
    """Tell whether a step of the script was carried out."""
    ended = len(step.results) == len(step.actions) > 0
    return ended and not _waited(step) and not step.correction and all(r.outcome != "failed" for r in step.results)
