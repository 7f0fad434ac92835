"""A middleware of your own: it is told of every step of an agent, before, after, and when something goes wrong.

`-c 'agents=["own_middleware:TimedAgent"]'` makes the agent known to the host.
"""

import sys

from deskhand.agents.app import AppAgent
from deskhand.processors.app import AppAgentProcessor
from deskhand.processors.context import ProcessingContext, ProcessingException, ProcessingResult
from deskhand.processors.middleware import ProcessorMiddleware
from deskhand.processors.template import ProcessorTemplate


class Stopwatch(ProcessorMiddleware):
    """Says how long each phase took."""

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        print(f"{processor.agent.name} begins a step", file=sys.stderr)

    async def after_process(self, processor: ProcessorTemplate, result: ProcessingResult) -> None:
        for phase, part in result.phase_results.items():
            print(f"  {phase}: {part.execution_time * 1000:.1f} ms", file=sys.stderr)

    async def on_error(self, processor: ProcessorTemplate, error: ProcessingException) -> None:
        print(f"  {error}", file=sys.stderr)


class TimedProcessor(AppAgentProcessor):
    def _setup_middleware(self) -> None:
        super()._setup_middleware()
        self.middleware_chain.insert(0, Stopwatch())


class TimedAgent(AppAgent):
    processor_class = TimedProcessor
