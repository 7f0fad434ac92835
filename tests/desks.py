"""A device on paper and a model that does as it is told, by the names that settings know: `tests.desks:NAME`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel

from deskhand.core.message import (
    AnswersPart,
    HistoryPart,
    ModelRequest,
    Reply,
    ReportsPart,
    RequestPart,
    SubtaskPart,
)
from deskhand.core.ports import Pictures
from deskhand.testing import PaperDesk
from tests.paper import app, assign, host, write

DEVICE, MODEL = "tests.desks:paper", "tests.desks:Obedient"


@asynccontextmanager
async def paper(spec: str) -> AsyncIterator[PaperDesk]:
    yield PaperDesk(name=spec)


class Obedient:
    """Writes what it is asked to; begun with `ask`, `confirm`, `fail`, `hang` or `break`, it does that."""

    name = "obedient"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        parts = {part.part: part for part in request.parts}
        asked, reports, answers = parts["request"], parts["reports"], parts["answers"]
        assert isinstance(asked, RequestPart)
        assert isinstance(reports, ReportsPart)
        assert isinstance(answers, AnswersPart)
        word = asked.text.partition(" ")[0]
        await anyio.lowlevel.checkpoint()  # where a run can be cancelled
        if word == "hang":
            await anyio.sleep_forever()
        if word == "break":
            raise KeyError("the model of somebody else")
        if request.role == "host":
            return _said(_host(word, asked.text, reports, answers))
        subtask, history = parts["subtask"], parts["history"]
        assert isinstance(subtask, SubtaskPart)
        assert isinstance(history, HistoryPart)
        if word == "fail" and subtask.text == asked.text:
            return _said(app("FAIL", result="told to"))
        if any(step.actions for step in history.steps):
            return _said(app("FINISH", result=f"wrote {subtask.text}"))
        return _said(app("CONFIRM" if word == "confirm" else "CONTINUE", write(subtask.text)))


def _host(word: str, text: str, reports: ReportsPart, answers: AnswersPart) -> dict[str, object]:
    if reports.reports:
        last = reports.reports[-1]
        return host("FINISH" if last.status == "FINISH" else "FAIL", last.result)
    if word == "ask" and not answers.answers:
        return host("PENDING", questions=["Which colour?"])
    return assign("editor", " ".join([text, *(answer for _, answer in answers.answers)]))


def _said(fields: dict[str, object]) -> Reply:
    return Reply(text=json.dumps(fields), model=Obedient.name)
