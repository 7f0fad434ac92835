"""Whole rounds with a model behind a service."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from time import monotonic
from typing import Any

import anyio
import pytest

from deskhand.cli.progress import Progress
from deskhand.core.event import ModelAsked, ModelRemarked, Record, RoundStarted, Scope
from deskhand.core.status import RunOutcome
from deskhand.journal.file import FileJournal
from deskhand.models.factory import opened
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk
from deskhand.testing.server import Cut, Fail, Line, Raw, Say, ScriptedServer
from deskhand.viewer.page import write_page
from tests.paper import app, assign, click, context, events, host, session
from tests.services import at_most, model_at, replied, without

ROUND: list[Line] = [assign(), app("CONTINUE", click("e101")), app("FINISH"), host("FINISH", "done")]


def run(server: ScriptedServer, desk: PaperDesk | None = None, spec: str = "vllm:m", **options: Any) -> SessionResult:
    model = model_at(server, spec, **options)

    async def scene() -> SessionResult:
        async with opened([model]):
            return await session(context(model, desk=desk or PaperDesk())).run()

    return anyio.run(scene)


@pytest.mark.parametrize("spec", ["openai:m", "anthropic:m"])
def test_a_request_is_carried_out_and_its_cost_is_known(spec: str) -> None:
    desk = PaperDesk()
    with ScriptedServer(*ROUND) as server:
        result = run(server, desk, spec, prices={"input": 10, "output": 50})

    assert (result.outcome, result.answer, result.model_calls) == (RunOutcome.FINISHED, "done", 4)
    assert desk.windows[0].presses == 1
    assert result.cost_usd == pytest.approx(4 * (100 * 10 + 10 * 50) / 1e6)
    assert {r.connection for r in server.requests} == {1}


@pytest.mark.parametrize("spec", ["openai:m", "anthropic:m"])
def test_tokens_that_the_service_had_kept_are_told(spec: str) -> None:
    with ScriptedServer(always=Say(text="hm", usage=(100, 10, 60))) as server:
        (reply,) = replied(server, spec=spec)

    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (100, 60)


def test_trouble_with_the_service_costs_no_steps() -> None:
    trouble: list[Line] = [Raw('{"choices": []}'), Cut(), Fail(429, "slow", {"retry-after-ms": "1"})]
    with ScriptedServer(ROUND[0], *trouble, *ROUND[1:]) as server:
        result = run(server)
    with ScriptedServer(*ROUND) as server:
        assert (result.outcome, result.steps) == (RunOutcome.FINISHED, run(server).steps)


def test_tries_and_waits_are_in_the_journal_and_shown_as_they_happen(tmp_path: Path) -> None:
    model_trouble: list[Line] = [Raw(""), Raw("<html>"), Say(""), Fail(429, "slow", {"retry-after-ms": "1"})]
    out = io.StringIO()
    journal = FileJournal(tmp_path)
    with ScriptedServer(ROUND[0], *model_trouble, *ROUND[1:]) as server:
        model = model_at(server, "vllm:m", attempts=9)
        made = context(model, journal=journal)
        made.listeners.append(Progress(out).show)

        async def scene() -> SessionResult:
            async with opened([model]):
                return await session(made).run()

        result = anyio.run(scene)
    journal.close()

    remarks = [e.text for e in events(made, ModelRemarked)]
    told = [text for text in remarks if "trying again" in text]
    assert (result.outcome, len(told)) == (RunOutcome.FINISHED, 4)
    assert [f"(try {n} of 9)" in text for n, text in zip(range(2, 6), told, strict=True)] == [True] * 4
    assert out.getvalue().count("! app: vllm:m at") == 4
    assert write_page(tmp_path).read_text().count("trying again") == 4


def test_a_model_that_takes_its_time_is_said_to_be_waited_for() -> None:
    out = io.StringIO()
    progress = Progress(out, patience=0.02)
    asked = ModelAsked(role="app", model="m", request="")

    progress.show(Record(seq=1, time=0, scope=Scope(), event=asked))
    deadline = monotonic() + 10
    while "0.06 s" not in out.getvalue() and monotonic() < deadline:
        threading.Event().wait(0.01)
    progress.show(Record(seq=2, time=0, scope=Scope(), event=RoundStarted(request="next")))

    lines = out.getvalue().splitlines()
    assert lines[:2] == ["       waiting for the model, 0.02 s", "       waiting for the model, 0.04 s"]
    assert lines[-1] == "request: next"


def test_a_service_that_is_down_ends_the_run_with_its_name() -> None:
    with ScriptedServer(ROUND[0], always=Fail(503, "down", {"retry-after-ms": "1"})) as server:
        result = run(server, attempts=2)

    assert result.outcome is RunOutcome.ERROR
    assert f"app: vllm:m at {server.url}/chat/completions gives no answer after 2 tries" in (result.answer or "")


def test_a_budget_of_tokens_is_a_limit() -> None:
    with ScriptedServer(always=Say('{"status": "CONTINUE"}', usage=(1000, 50, 0))) as server:
        result = run(server, budget_tokens=3000)

    assert (result.outcome, len(server.requests)) == (RunOutcome.LIMIT, 3)
    assert "budget_tokens" in (result.answer or "")


def test_a_server_without_pictures_and_schemas_still_carries_out_a_request() -> None:
    rules = [at_most(0, "content must be string"), without("response_format", "response_format is not supported")]
    desk = PaperDesk()
    with ScriptedServer(*ROUND, rules=rules) as server:
        result = run(server, desk)

    assert (result.outcome, desk.windows[0].presses) == (RunOutcome.FINISHED, 1)
    assert len(server.requests) == 4 + 2, "each refusal happens once"
