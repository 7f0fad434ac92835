"""A host agent's step: look at the whole desktop, let the model choose, resolve what it chose."""

from __future__ import annotations

from typing import Any, ClassVar

import anyio.to_thread

from deskhand.core.decision import HostDecision
from deskhand.core.errors import TargetNotFound
from deskhand.core.event import SubtaskAssigned
from deskhand.core.message import ApplicationsPart, Part, PicturePart, WindowsPart
from deskhand.core.observation import WHOLE_DESKTOP, Image
from deskhand.core.status import AgentStatus, HostAgentStatus
from deskhand.perception.picture import is_plain
from deskhand.processors.context import BasicProcessorContext, Context, ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.interaction import ask
from deskhand.processors.key import (
    AGENT_NAME,
    HOST_RESPONSE,
    OBSERVATION,
    SCREENSHOT,
    STATUS,
    TARGET_INFO,
    UPDATED_BLACKBOARD,
    WINDOWS,
    ContextNames,
    Key,
)
from deskhand.processors.middleware import HostAgentLoggingMiddleware
from deskhand.processors.parts import memory_parts, reports_part, request_part
from deskhand.processors.strategy import Actor, BaseProcessingStrategy
from deskhand.processors.stuck import StuckMiddleware
from deskhand.processors.template import ProcessorTemplate


class HostAgentProcessorContext(BasicProcessorContext):
    """A host agent's step knows, from the start, which subtasks are over."""

    START: ClassVar = (*BasicProcessorContext.START, ContextNames.PREVIOUS_SUBTASKS)


@provides(OBSERVATION, SCREENSHOT, WINDOWS, TARGET_INFO)
class DesktopDataCollection(BaseProcessingStrategy):
    """Look at the desktop: its picture, its windows, what can be started, who else can take a subtask."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        session = context.global_context
        seen = await session.dispatcher.observe(WHOLE_DESKTOP)
        targets: tuple[Part, ...] = (
            WindowsPart(windows=seen.windows),
            ApplicationsPart(applications=seen.applications, agents=session.agents),
        )
        context.put(OBSERVATION, seen)
        context.put(SCREENSHOT, seen.screen)
        context.put(WINDOWS, seen.windows)
        context.put(TARGET_INFO, targets)


@depends_on(AGENT_NAME, OBSERVATION, TARGET_INFO, SCREENSHOT)
@provides(HOST_RESPONSE)
class HostLLMInteraction(BaseProcessingStrategy):
    """Ask which application is to do what next."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        session = context.global_context
        parts: tuple[Part, ...] = (
            request_part(session.view),
            reports_part(session.view),
            *memory_parts(session, context.get(AGENT_NAME)),
            *context.get(TARGET_INFO),
            *await _picture(session, context.get(SCREENSHOT), empty=not context.get(OBSERVATION).windows),
        )
        decision = await ask(session, "host", parts, context.get(OBSERVATION).screen.size)
        assert isinstance(decision, HostDecision)
        context.put(HOST_RESPONSE, decision)


async def _picture(session: Context, image: Image, *, empty: bool) -> tuple[PicturePart, ...]:
    """Give the picture of the desktop, but of an `empty` one only if it shows anything, such as a panel."""
    if empty and await anyio.to_thread.run_sync(is_plain, session.journal.read(image), abandon_on_cancel=True):
        return ()
    return (PicturePart(image=image, of="the whole desktop"),)


@depends_on(HOST_RESPONSE, TARGET_INFO)
@provides(STATUS)
class HostActionExecution(BaseProcessingStrategy):
    """Take the choice down. The application itself is brought up by the ASSIGN state."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        decision = context.get(HOST_RESPONSE)
        if decision.status is HostAgentStatus.ASSIGN:
            assigned = SubtaskAssigned(
                subtask=decision.subtask, application=decision.application, message=decision.message
            )
            context.global_context.record(assigned)
        context.put(STATUS, AgentStatus(decision.status))

    def recover(self, context: ProcessingContext, error: Exception) -> None:
        context.put(STATUS, AgentStatus.CONTINUE if isinstance(error, TargetNotFound) else AgentStatus.ERROR)


@depends_on(HOST_RESPONSE)
@provides(UPDATED_BLACKBOARD)
class HostMemoryUpdate(BaseProcessingStrategy):
    """Nothing is kept beside the journal, where plan and decision already are; a place for what others add."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        context.put(UPDATED_BLACKBOARD, ())


class HostAgentProcessor(ProcessorTemplate):
    """The step of an agent that sees the whole desktop and hands out subtasks."""

    processor_context_class = HostAgentProcessorContext

    def _setup_strategies(self) -> None:
        self.strategies[ProcessingPhase.DATA_COLLECTION] = DesktopDataCollection()
        self.strategies[ProcessingPhase.LLM_INTERACTION] = HostLLMInteraction()
        self.strategies[ProcessingPhase.ACTION_EXECUTION] = HostActionExecution(fail_fast=False)
        self.strategies[ProcessingPhase.MEMORY_UPDATE] = HostMemoryUpdate(fail_fast=False)

    def _setup_middleware(self) -> None:
        self.middleware_chain = [HostAgentLoggingMiddleware(), StuckMiddleware()]

    def _get_processor_specific_context_data(self) -> dict[Key[Any], Any]:
        return {ContextNames.PREVIOUS_SUBTASKS: self.global_context.get(ContextNames.PREVIOUS_SUBTASKS)}

    def _finalize_processing_context(self, context: ProcessingContext) -> None:
        promote_status(context)


def promote_status(context: ProcessingContext) -> None:
    """Hand the step's status on to the session, for whoever asks after the step; none when it came to none."""
    status = context.local_context.values.get(STATUS)
    context.global_context.set(STATUS, AgentStatus(status) if status is not None else AgentStatus.ERROR)
