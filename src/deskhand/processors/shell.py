"""The step of agents that work in a shell: it reads what the last command printed, decides, and runs the next."""

from __future__ import annotations

from typing import ClassVar

from deskhand.core import shell
from deskhand.core.message import Part, SubtaskPart
from deskhand.processors.app import (
    AppActionExecution,
    AppAgentProcessor,
    AppAgentProcessorContext,
    AppControlInfo,
    AppLLMInteraction,
)
from deskhand.processors.context import BasicProcessorContext, ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.key import (
    AGENT_NAME,
    CONTROL_INFO,
    OBSERVATION,
    PARSED_RESPONSE,
    SCREENSHOT,
    WINDOWS,
    ContextNames,
    Key,
)
from deskhand.processors.middleware import EnhancedLoggingMiddleware
from deskhand.processors.parts import memory_parts, request_part
from deskhand.processors.strategy import Actor, BaseProcessingStrategy, ComposedStrategy
from deskhand.processors.stuck import StuckMiddleware

WORKING_FOLDER: Key[str] = Key("working_folder")
LAST_COMMAND: Key[str] = Key("last_command")
SHELL_OUTPUT: Key[str] = Key("shell_output")


class LinuxAgentProcessorContext(BasicProcessorContext):
    """A shell agent's step has no application and no window but the shell's own."""

    START: ClassVar = (*BasicProcessorContext.START, ContextNames.APPLICATION_WINDOW)


@provides(OBSERVATION, SCREENSHOT, WINDOWS)
class ShellCapture(BaseProcessingStrategy):
    """Look at the shell, and at the program that has its terminal."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        seen = await context.global_context.dispatcher.observe()
        context.put(OBSERVATION, seen)
        context.put(SCREENSHOT, seen.screen)
        context.put(WINDOWS, seen.windows)


@depends_on(OBSERVATION)
@provides(WORKING_FOLDER, LAST_COMMAND, SHELL_OUTPUT)
class ShellOutput(BaseProcessingStrategy):
    """Read off where the shell is, what it did last and what that printed; for middleware and strategies of others."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        seen = context.get(OBSERVATION)
        context.put(WORKING_FOLDER, shell.value_of(seen, shell.WORKING_FOLDER))
        context.put(LAST_COMMAND, shell.value_of(seen, shell.LAST_COMMAND))
        context.put(SHELL_OUTPUT, shell.value_of(seen, shell.OUTPUT))


@depends_on(AGENT_NAME, OBSERVATION, CONTROL_INFO, WINDOWS, SCREENSHOT)
@provides(PARSED_RESPONSE)
class LinuxLLMInteraction(AppLLMInteraction):
    """Ask for the next command; the user's request itself is the subtask, in the one application there is."""

    def told(self, context: ProcessingContext) -> tuple[Part, ...]:
        session = context.global_context
        text = request_part(session.view).text
        task = SubtaskPart(text=text, application=shell.PLATFORM, window=shell.WINDOW)
        return (task, *memory_parts(session, context.get(AGENT_NAME)))


class LinuxActionExecution(AppActionExecution):
    """Run the commands in order, up to the first that fails."""


class LinuxAgentProcessor(AppAgentProcessor):
    """A step in a shell."""

    processor_context_class: ClassVar[type[BasicProcessorContext]] = LinuxAgentProcessorContext

    def _setup_strategies(self) -> None:
        super()._setup_strategies()
        self.strategies[ProcessingPhase.DATA_COLLECTION] = ComposedStrategy(
            [ShellCapture(), AppControlInfo(), ShellOutput()], name="LinuxDataCollection", fail_fast=True
        )
        self.strategies[ProcessingPhase.LLM_INTERACTION] = LinuxLLMInteraction(fail_fast=True)
        self.strategies[ProcessingPhase.ACTION_EXECUTION] = LinuxActionExecution(fail_fast=False)

    def _setup_middleware(self) -> None:
        self.middleware_chain = [EnhancedLoggingMiddleware(), StuckMiddleware()]


class ShellAgentProcessor(LinuxAgentProcessor):
    """The same for a subtask that a host has handed out: that is what the model is told of, not the whole request."""

    processor_context_class = AppAgentProcessorContext

    def _setup_strategies(self) -> None:
        super()._setup_strategies()
        self.strategies[ProcessingPhase.LLM_INTERACTION] = AppLLMInteraction(fail_fast=True)
