"""The step of an agent that works alone on the whole device: it looks at whatever is active, decides and acts."""

from __future__ import annotations

from typing import ClassVar

from deskhand.core.message import ApplicationsPart, Part, Role
from deskhand.core.observation import ACTIVE_WINDOW, WHOLE_DESKTOP
from deskhand.processors.app import AppAgentProcessor, AppControlInfo, AppLLMInteraction
from deskhand.processors.context import Context, ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.key import (
    AGENT_NAME,
    CONTROL_INFO,
    OBSERVATION,
    PARSED_RESPONSE,
    SCREENSHOT,
    TARGET_INFO,
    WINDOWS,
)
from deskhand.processors.parts import memory_parts, request_part
from deskhand.processors.strategy import Actor, BaseProcessingStrategy, ComposedStrategy


@provides(OBSERVATION, SCREENSHOT, WINDOWS, TARGET_INFO)
class SingleScreenshotCapture(BaseProcessingStrategy):
    """Look at whatever is active; while nothing is open, at what can be started."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        dispatcher = context.global_context.dispatcher
        seen = await dispatcher.observe(ACTIVE_WINDOW)
        started: tuple[Part, ...] = ()
        if not seen.windows:
            seen = await dispatcher.observe(WHOLE_DESKTOP)
            started = (ApplicationsPart(applications=seen.applications),)
        context.put(OBSERVATION, seen)
        context.put(SCREENSHOT, seen.screen)
        context.put(WINDOWS, seen.windows)
        context.put(TARGET_INFO, started)


@depends_on(AGENT_NAME, OBSERVATION, CONTROL_INFO, WINDOWS, SCREENSHOT, TARGET_INFO)
@provides(PARSED_RESPONSE)
class SingleLLMInteraction(AppLLMInteraction):
    """Ask the planner what to do next; its task is the user's request itself."""

    role: ClassVar[Role] = "planner"

    def told(self, context: ProcessingContext) -> tuple[Part, ...]:
        session: Context = context.global_context
        remembered = memory_parts(session, context.get(AGENT_NAME))
        return (request_part(session.view), *remembered, *context.get(TARGET_INFO))


class SingleAgentProcessor(AppAgentProcessor):
    """An app agent's step without a host above it."""

    def _setup_strategies(self) -> None:
        super()._setup_strategies()
        self.strategies[ProcessingPhase.DATA_COLLECTION] = ComposedStrategy(
            [SingleScreenshotCapture(), AppControlInfo(), *self.global_context.chosen], name="SingleDataCollection"
        )
        self.strategies[ProcessingPhase.LLM_INTERACTION] = SingleLLMInteraction(fail_fast=True)
