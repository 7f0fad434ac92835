"""Budgets of a model hold for the whole session, also when it is taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from deskhand.core.errors import LimitReached, ModelError
from deskhand.core.event import ModelAsked, ModelReplied, Record, Scope
from deskhand.core.message import ModelRequest, Role, Turn, Usage
from deskhand.journal.memory import MemoryJournal
from deskhand.journal.spent import spent
from deskhand.journal.view import View
from deskhand.models.factory import Makers, opened
from deskhand.models.fallback import FallbackModel
from deskhand.models.options import ModelSettings, Prices
from deskhand.processors.interaction import reply_of
from deskhand.testing.server import Fail, Line, Say, ScriptedServer
from tests.paper import context
from tests.services import model_at

ASK = ModelRequest(role="planner", turns=(Turn(speaker="user", text="what now?"),))


def records(*replies: tuple[Role, str, Usage]) -> list[Record]:
    events = [
        event
        for role, model, used in replies
        for event in (
            ModelAsked(role=role, model="vllm:first", request="0"),
            ModelReplied(role=role, text="wait()", usage=used, seconds=0.1, model=model),
        )
    ]
    return [Record(seq=number, time=0.0, scope=Scope(), event=event) for number, event in enumerate(events, 1)]


def asked(before: list[Record], **options: Any) -> None:
    """Ask the planner's model once, in a session in which so much has been."""
    with ScriptedServer(always="wait()") as server:
        given: Mapping[str, Any] = {"model": "vllm:first", "base_url": server.url, **options}
        models = Makers({"default": ModelSettings(**given)}, {}, spent=spent(before)).models()

        async def ask() -> None:
            async with opened(models.values()):
                await models["planner"].ask(ASK, MemoryJournal())

        anyio.run(ask)


def test_tokens_of_before_count_when_a_session_goes_on() -> None:
    used = records(("planner", "vllm:first", Usage(input_tokens=60)), ("host", "vllm:first", Usage(output_tokens=40)))

    asked(used, budget_tokens=101)
    with pytest.raises(LimitReached, match=r"100 tokens for vllm:first \(used: 100\)"):
        asked(used, budget_tokens=100)


def test_money_of_before_counts_when_a_session_goes_on() -> None:
    used = records(("planner", "vllm:first", Usage(input_tokens=60, usd=1.5)))

    with pytest.raises(LimitReached, match=r"spent: \$1\.50"):
        asked(used, budget_usd=1.5, prices={"input": 1})


def test_what_another_model_answered_counts_for_that_one() -> None:
    asked(records(("planner", "vllm:second", Usage(input_tokens=100))), budget_tokens=100)


def test_a_reply_of_an_older_journal_counts_for_the_model_that_was_asked() -> None:
    with pytest.raises(LimitReached):
        asked(records(("planner", "", Usage(input_tokens=100))), budget_tokens=100)


def failed(*lines: Line) -> list[Record]:
    """Put a request to a model that answers so, and give up when it asks for more; give the journal of that."""
    with ScriptedServer(*lines, always=Say("too late", after=60)) as server:
        model = model_at(server, "vllm:first", attempts=2, prices=Prices(input=1000))
        made = context(model)

        async def give_up(asking: anyio.CancelScope) -> None:
            while len(server.requests) <= len(lines):  # noqa: ASYNC110 -- it is in a thread of its own
                await anyio.sleep(0.01)
            asking.cancel()

        async def ask() -> None:
            async with opened([model]), anyio.create_task_group() as group:
                group.start_soon(give_up, group.cancel_scope)
                with pytest.raises(ModelError):
                    await reply_of(made, "planner", ASK)
                group.cancel_scope.cancel()

        anyio.run(ask)
    records = made.journal.records()
    assert (View.of(records).usd, View.of(records).tokens) == (made.view.usd, made.view.tokens)
    return list(records)


@pytest.mark.parametrize(
    "lines",
    [
        [Say("I must not", finish="refusal", usage=(90, 10, 0))],
        [Say("{", finish="length", usage=(45, 5, 0)), Say("{", finish="length", usage=(45, 5, 0))],
        [Say("", usage=(100, 0, 0)), Fail(503, "down")],
        [Say("", usage=(100, 0, 0)), Fail(401, "who are you?")],
        [Say("{", finish="length", usage=(100, 0, 0))],
    ],
    ids=["declined", "cut off twice", "nothing and then down", "nothing and then shut out", "cancelled meanwhile"],
)
def test_what_replies_cost_that_came_to_nothing_counts_when_a_session_goes_on(lines: list[Line]) -> None:
    before = failed(*lines)

    assert spent(before)["planner", "vllm:first"].usage.usd == pytest.approx(View.of(before).usd)
    assert View.of(before).usd >= 0.09
    asked(before, budget_tokens=101)
    with pytest.raises(LimitReached, match=r"100 tokens for vllm:first \(used: 100\)"):
        asked(before, budget_tokens=100)


def test_what_a_model_cost_that_another_stood_in_for_counts_for_the_first_of_them() -> None:
    with ScriptedServer(Say("no", finish="refusal", usage=(90, 10, 0)), Say("wait()", usage=(7, 0, 0))) as server:
        pair = FallbackModel(model_at(server, "vllm:first"), model_at(server, "vllm:second"))
        made = context(pair)

        async def ask() -> None:
            async with opened([pair]):
                await reply_of(made, "planner", ASK)

        anyio.run(ask)

    sums = spent(made.journal.records())
    assert {model: (used.calls, used.usage.input_tokens) for (_, model), used in sums.items()} == {
        "vllm:first": (1, 90),
        "vllm:second": (1, 7),
    }
