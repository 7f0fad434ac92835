"""What surrounds every step: logging, detection of loops, whatever cuts across strategies."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from deskhand.core.errors import Correctable
from deskhand.processors.context import ProcessingContext, ProcessingException, ProcessingResult

if TYPE_CHECKING:
    from deskhand.processors.template import ProcessorTemplate


class ProcessorMiddleware:
    """An onion around a step: `before_process` in order, `after_process` in reverse, `on_error` once a failure."""

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        """Look at a step before its first phase; what is raised here ends the step."""

    async def after_process(self, processor: ProcessorTemplate, result: ProcessingResult) -> None:
        """Look at what came of a step; also called when it failed."""

    async def on_error(self, processor: ProcessorTemplate, error: ProcessingException) -> None:
        """Look at the failure of a phase."""


class EnhancedLoggingMiddleware(ProcessorMiddleware):
    """Writes each step and each failure to Python's log.

    The seeds' version also wrote a file of results; here the journal has them already.
    """

    def __init__(self, level: int = logging.INFO) -> None:
        self.level = level
        self.logger = logging.getLogger("deskhand.steps")

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        if self.logger.isEnabledFor(self.level):
            view = context.global_context.view
            self.logger.log(self.level, "round %d, step %d: %s", len(view.rounds), view.steps, processor.agent.name)

    async def after_process(self, processor: ProcessorTemplate, result: ProcessingResult) -> None:
        if self.logger.isEnabledFor(self.level):
            ended = "done" if result.success else f"failed: {result.error}"
            self.logger.log(self.level, "%s: %s in %.3f s", processor.agent.name, ended, result.execution_time)

    async def on_error(self, processor: ProcessorTemplate, error: ProcessingException) -> None:
        if isinstance(error.cause, Correctable):
            self.logger.log(self.level, "%s: to be corrected: %s", processor.agent.name, error.cause)
        else:
            self.logger.warning("%s: %s", processor.agent.name, error, exc_info=error.cause)


class AppAgentLoggingMiddleware(EnhancedLoggingMiddleware):
    """Says in the log what the step is about and what it did."""

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        await super().before_process(processor, context)
        if (round_ := context.global_context.view.round) is not None and (subtask := round_.subtask) is not None:
            self.logger.log(self.level, "%s: %s", subtask.application, subtask.text)


class HostAgentLoggingMiddleware(EnhancedLoggingMiddleware):
    """Says in the log which request the step serves."""

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        await super().before_process(processor, context)
        if (round_ := context.global_context.view.round) is not None:
            self.logger.log(self.level, "request: %s", round_.request)
