"""A model that carries out each task's scripted solution: it shows that the task can be done, and its check passes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeVar

from deskhand.bench.desktop.task import Subtask, Task
from deskhand.bench.desktop.tasks import TASKS
from deskhand.core.action import Wait
from deskhand.core.errors import ModelError
from deskhand.core.message import HistoryPart, ModelRequest, PastStep, Reply, ReportsPart, RequestPart, WindowsPart
from deskhand.core.ports import Pictures

PAUSE = 0.5
"""Seconds until what a step did not find is looked for again."""
TRIES = 8
P = TypeVar("P", RequestPart, ReportsPart, HistoryPart, WindowsPart)


class Solution:
    """Knows the tasks of the suite by their requests; to be named as a model, it takes nothing."""

    name = "solution"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Give the next step.

        Raises:
            ModelError: the request is that of no task.
        """
        task, words = _asked_for(_part(request, RequestPart).text)
        if request.role == "host":
            fields = _host(task, request)
        else:
            fields = _app(task.solution[len(_part(request, ReportsPart).reports)], words, request)
        return Reply(text=json.dumps(fields, ensure_ascii=False), model=self.name)


def _asked_for(request: str) -> tuple[Task, Mapping[str, str]]:
    """Give the task and what stands in its request for this attempt's home and site."""
    for task in TASKS:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\S+?)", re.escape(task.request))
        if found := re.fullmatch(pattern, request):
            return task, found.groupdict()
    raise ModelError(f"no task of the suite desktop asks for {request!r}")


def _part(request: ModelRequest, kind: type[P]) -> P:
    return next(part for part in request.parts if isinstance(part, kind))


def _host(task: Task, request: ModelRequest) -> dict[str, object]:
    reports = _part(request, ReportsPart).reports
    if reports and reports[-1].status != "FINISH":
        return {"status": "FAIL", "result": reports[-1].result}
    if len(reports) == len(task.solution):
        return {"status": "FINISH", "result": "done"}
    wanted = task.solution[len(reports)].application
    window = next((each.id for each in _part(request, WindowsPart).windows if wanted in each.title), wanted)
    return {"status": "ASSIGN", "application": window, "current_subtask": f"part {len(reports) + 1}"}


def _app(subtask: Subtask, words: Mapping[str, str], request: ModelRequest) -> dict[str, object]:
    steps = _part(request, HistoryPart).steps
    done = sum(map(_did, steps))
    over = done == len(subtask.steps)
    titles = [each.title for each in _part(request, WindowsPart).windows]
    if over and (not subtask.brings or any(subtask.brings in title for title in titles)):
        return {"status": "FINISH", "result": "done"}
    wanted = f"a window {subtask.brings}" if over else subtask.steps[done]
    if len(steps) >= 2 * TRIES and not any(map(_did, steps[-2 * TRIES :])):
        return {"status": "FAIL", "result": f"nothing comes of {wanted}"}
    if over or (steps and not _did(steps[-1]) and not _paused(steps[-1])):
        return {"status": "CONTINUE", "action": [f"wait(seconds={PAUSE})"]}
    for name, value in words.items():
        wanted = wanted.replace(f"{{{name}}}", value)
    return {"status": "CONTINUE", "thought": wanted, "action": [wanted]}


def _paused(step: PastStep) -> bool:
    return any(isinstance(action, Wait) for action in step.actions)


def _did(step: PastStep) -> bool:
    """Tell whether a step of the script was carried out."""
    ended = len(step.results) == len(step.actions) > 0
    return ended and not _paused(step) and not step.correction and all(r.outcome != "failed" for r in step.results)
