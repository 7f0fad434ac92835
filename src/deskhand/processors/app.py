"""An app agent's step: look at one window, let the model decide, act, keep what is worth keeping."""

from __future__ import annotations

from typing import Any, ClassVar

import anyio.to_thread

from deskhand.core.decision import AppDecision
from deskhand.core.errors import DeviceError
from deskhand.core.event import BlackboardSet, Noted
from deskhand.core.message import ElementsPart, Part, PicturePart, Role, WindowsPart
from deskhand.core.observation import ACTIVE_WINDOW, Element, Image, OneWindow
from deskhand.core.status import AgentStatus, AppAgentStatus
from deskhand.perception.covering import uncovered
from deskhand.perception.marks import draw_marks
from deskhand.processors.acting import do_in_order
from deskhand.processors.context import BasicProcessorContext, Context, ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.host import promote_status
from deskhand.processors.interaction import ask
from deskhand.processors.key import (
    ACTION_LOG,
    AGENT_NAME,
    CONTROL_INFO,
    EXECUTION_RESULT,
    OBSERVATION,
    PARSED_RESPONSE,
    SCREENSHOT,
    STATUS,
    UPDATED_BLACKBOARD,
    WINDOWS,
    ContextNames,
    Key,
)
from deskhand.processors.middleware import AppAgentLoggingMiddleware
from deskhand.processors.parts import (
    earlier_pictures,
    memory_parts,
    reports_part,
    request_part,
    subtask_part,
    tools_part,
)
from deskhand.processors.strategy import Actor, BaseProcessingStrategy, ComposedStrategy
from deskhand.processors.stuck import StuckMiddleware
from deskhand.processors.template import ProcessorTemplate


class AppAgentProcessorContext(BasicProcessorContext):
    """An app agent's step knows, from the start, its subtask and the window to do it in."""

    START: ClassVar = (
        *BasicProcessorContext.START,
        ContextNames.SUBTASK,
        ContextNames.APPLICATION,
        ContextNames.APPLICATION_WINDOW,
        ContextNames.HOST_MESSAGE,
    )


@depends_on(ContextNames.APPLICATION_WINDOW)
@provides(OBSERVATION, SCREENSHOT, WINDOWS)
class AppScreenshotCapture(BaseProcessingStrategy):
    """Look at the application's window; picture and elements are of the same moment."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        window = context.get(ContextNames.APPLICATION_WINDOW)
        seen = await context.global_context.dispatcher.observe(OneWindow(id=window) if window else ACTIVE_WINDOW)
        context.put(OBSERVATION, seen)
        context.put(SCREENSHOT, seen.screen)
        context.put(WINDOWS, seen.windows)


@depends_on(OBSERVATION)
@provides(CONTROL_INFO)
class AppControlInfo(BaseProcessingStrategy):
    """Give the elements that were seen; the place to filter them and to merge in other sources."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        context.put(CONTROL_INFO, context.get(OBSERVATION).elements)


@depends_on(AGENT_NAME, OBSERVATION, CONTROL_INFO, WINDOWS, SCREENSHOT)
@provides(PARSED_RESPONSE)
class AppLLMInteraction(BaseProcessingStrategy):
    """Ask what to do next in this window."""

    role: ClassVar[Role] = "app"

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        session, seen = context.global_context, context.get(OBSERVATION)
        elements, picture = context.get(CONTROL_INFO), context.get(SCREENSHOT)
        if session.dialect_of(self.role).marked:
            picture = await marked(session, picture, uncovered(elements, seen.windows))
        parts = (*self.told(context), *self.shown(context, picture))
        decision = await ask(session, self.role, parts, seen.screen.size)
        assert isinstance(decision, AppDecision)
        context.put(PARSED_RESPONSE, decision)

    def told(self, context: ProcessingContext) -> tuple[Part, ...]:
        """Give what the agent is told besides what is on the screen."""
        session = context.global_context
        round_ = session.view.round
        since = round_.subtask.first_step if round_ is not None and round_.subtask is not None else 0
        return (
            request_part(session.view),
            subtask_part(session.view),
            reports_part(session.view),
            *memory_parts(session, context.get(AGENT_NAME), since),
        )

    def shown(self, context: ProcessingContext, picture: Image) -> tuple[Part, ...]:
        """Give what the agent is told of the screen, and what it can do there."""
        session, windows = context.global_context, context.get(WINDOWS)
        most = getattr(session.dialect_of(self.role), "earlier", 0)  # one of somebody else's need not say
        return (
            tools_part(session, session.get(ContextNames.APPLICATION), windows),
            WindowsPart(windows=windows),
            ElementsPart(elements=context.get(CONTROL_INFO), truncated=context.get(OBSERVATION).truncated),
            *earlier_pictures(session.view, context.get(AGENT_NAME), most),
            PicturePart(image=picture),
        )


async def marked(session: Context, picture: Image, elements: tuple[Element, ...]) -> Image:
    """Keep the same picture with the elements' numbers drawn in."""
    drawn = await anyio.to_thread.run_sync(draw_marks, session.journal.read(picture), elements, abandon_on_cancel=True)
    session.journal.keep(drawn.data)
    return drawn.image


@depends_on(PARSED_RESPONSE, ContextNames.APPLICATION_WINDOW)
@provides(EXECUTION_RESULT, ACTION_LOG, STATUS)
class AppActionExecution(BaseProcessingStrategy):
    """Do the actions in order, as far as they go.

    Actions to be confirmed are left to the CONFIRM state. A FINISH next to an action that failed or was not done is
    not taken at its word: the model sees that first.
    """

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        decision = context.get(PARSED_RESPONSE)
        status = AgentStatus(decision.status)
        actions = decision.actions if decision.status is not AppAgentStatus.CONFIRM else ()
        results = await do_in_order(context.global_context, actions, context.get(ContextNames.APPLICATION_WINDOW))
        done = len(results) == len(actions) and all(result.outcome != "failed" for result in results)
        context.put(ACTION_LOG, actions[: len(results)])
        context.put(EXECUTION_RESULT, results)
        context.put(STATUS, AgentStatus.CONTINUE if status is AgentStatus.FINISH and not done else status)

    def recover(self, context: ProcessingContext, error: Exception) -> None:
        if not isinstance(error, DeviceError):
            text = f"the last action broke off ({error}); it may or may not have happened"
            context.global_context.record(Noted(text=text))
        context.put(ACTION_LOG, ())
        context.put(EXECUTION_RESULT, ())
        context.put(STATUS, AgentStatus.ERROR if isinstance(error, DeviceError) else AgentStatus.CONTINUE)


@depends_on(PARSED_RESPONSE)
@provides(UPDATED_BLACKBOARD)
class AppMemoryUpdate(BaseProcessingStrategy):
    """Put on the blackboard what the model wants kept."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        kept = context.get(PARSED_RESPONSE).blackboard
        for key, value in kept.items():
            context.global_context.record(BlackboardSet(key=key, value=value))
        context.put(UPDATED_BLACKBOARD, tuple(kept))


class AppAgentProcessor(ProcessorTemplate):
    """The step of an agent that works in one application's window."""

    processor_context_class: ClassVar[type[BasicProcessorContext]] = AppAgentProcessorContext

    def _setup_strategies(self) -> None:
        self.strategies[ProcessingPhase.DATA_COLLECTION] = ComposedStrategy(
            [AppScreenshotCapture(), AppControlInfo(), *self.global_context.chosen], name="AppDataCollection"
        )
        self.strategies[ProcessingPhase.LLM_INTERACTION] = AppLLMInteraction(fail_fast=True)
        self.strategies[ProcessingPhase.ACTION_EXECUTION] = AppActionExecution(fail_fast=False)
        self.strategies[ProcessingPhase.MEMORY_UPDATE] = AppMemoryUpdate(fail_fast=False)

    def _setup_middleware(self) -> None:
        self.middleware_chain = [AppAgentLoggingMiddleware(), StuckMiddleware()]

    def _get_processor_specific_context_data(self) -> dict[Key[Any], Any]:
        keys = set(self.processor_context_class.START) - set(BasicProcessorContext.START)
        return {key: self.global_context.get(key) for key in keys}

    def _finalize_processing_context(self, context: ProcessingContext) -> None:
        promote_status(context)
