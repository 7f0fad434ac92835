"""What a step costs when nothing is done in it: the loop, the states, the pipeline and the journal."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import anyio

from benchmarks.row import Row
from deskhand.agents.host import HostAgent
from deskhand.core.event import SessionStarted
from deskhand.core.ports import Journal
from deskhand.core.status import AgentStatus, RunOutcome
from deskhand.dialects.json_reply import JsonReply
from deskhand.journal.file import FileJournal
from deskhand.journal.memory import MemoryJournal
from deskhand.journal.view import View
from deskhand.processors.context import Context, ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.host import promote_status
from deskhand.processors.key import STATUS, ContextNames
from deskhand.processors.middleware import EnhancedLoggingMiddleware
from deskhand.processors.strategy import Actor, BaseProcessingStrategy
from deskhand.processors.template import ProcessorTemplate
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import Session

STEPS = 10
ROUNDS = 100
"""Rounds of a trial; the median counts."""


@depends_on(ContextNames.SESSION_STEP)
class Nothing(BaseProcessingStrategy):
    """Does nothing."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        """Do nothing."""


@depends_on(ContextNames.CURRENT_ROUND_STEP)
@provides(STATUS)
class Report(BaseProcessingStrategy):
    """Does nothing but report, which every step must."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        last = context.get(ContextNames.CURRENT_ROUND_STEP) == STEPS
        context.put(STATUS, AgentStatus.FINISH if last else AgentStatus.CONTINUE)


class IdleProcessor(ProcessorTemplate):
    """Four strategies, logged as every step is."""

    def _setup_strategies(self) -> None:
        self.strategies = {
            ProcessingPhase.DATA_COLLECTION: Nothing("look"),
            ProcessingPhase.LLM_INTERACTION: Nothing("ask"),
            ProcessingPhase.ACTION_EXECUTION: Report("act"),
            ProcessingPhase.MEMORY_UPDATE: Nothing("remember", fail_fast=False),
        }

    def _setup_middleware(self) -> None:
        self.middleware_chain = [EnhancedLoggingMiddleware()]

    def _finalize_processing_context(self, context: ProcessingContext) -> None:
        promote_status(context)


class IdleHost(HostAgent):
    """A host whose steps are empty."""

    processor_class: ClassVar[type[ProcessorTemplate]] = IdleProcessor


async def microseconds_a_step(journal: Journal) -> float:
    context = Context(journal, View(), NobodyThere(), models={}, dialect=JsonReply())
    started = SessionStarted(version="", device="", models={}, mode=context.mode, request="nothing")
    session = Session(context, started, host=IdleHost())
    round_ = await session.create_new_round()
    assert round_ is not None
    start = time.perf_counter()
    outcome = await round_.run()
    took = time.perf_counter() - start
    assert (outcome, context.view.steps) == (RunOutcome.FINISHED, STEPS)
    return took / STEPS * 1e6


async def without_disk() -> list[float]:
    return [await microseconds_a_step(MemoryJournal()) for _ in range(ROUNDS)]


async def on_disk() -> list[float]:
    figures = []
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder:
        for number in range(ROUNDS):
            journal = FileJournal(Path(folder) / str(number))
            figures.append(await microseconds_a_step(journal))
            journal.close()
    return figures


def microseconds_without_disk() -> Iterator[float]:
    yield from anyio.run(without_disk)


def microseconds_on_disk() -> Iterator[float]:
    yield from anyio.run(on_disk)


ROWS = (
    Row("core-step", 60, "µs", microseconds_without_disk, "core"),
    Row("core-step-journal", 150, "µs", microseconds_on_disk, "core"),
)
