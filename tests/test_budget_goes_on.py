"""Budgets of a model hold for the whole session, also when it is taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from deskhand.core.errors import LimitReached
from deskhand.core.event import ModelAsked, ModelReplied, Record, Scope
from deskhand.core.message import ModelRequest, Role, Turn, Usage
from deskhand.journal.memory import MemoryJournal
from deskhand.journal.spent import spent
from deskhand.models.factory import Makers, opened
from deskhand.models.options import ModelSettings
from deskhand.testing.server import ScriptedServer

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
