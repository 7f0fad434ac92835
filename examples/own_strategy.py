"""A strategy of your own, in a processor of your own: an agent that sees no adverts.

`-c 'agents=["own_strategy:CalmAgent"]'` makes it known to the host, which can assign subtasks to it by that name.
"""

from deskhand.agents.app import AppAgent
from deskhand.processors.app import AppAgentProcessor, AppScreenshotCapture
from deskhand.processors.context import ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.key import CONTROL_INFO, OBSERVATION
from deskhand.processors.strategy import Actor, BaseProcessingStrategy, ComposedStrategy


@depends_on(OBSERVATION)
@provides(CONTROL_INFO)
class WithoutAdverts(BaseProcessingStrategy):
    """Give the elements that were seen, less those that want to sell something."""

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        seen = context.get(OBSERVATION).elements
        context.put(CONTROL_INFO, tuple(e for e in seen if not e.name.startswith("Buy")))


class CalmProcessor(AppAgentProcessor):
    """An app agent's step that looks at the window in another way."""

    def _setup_strategies(self) -> None:
        super()._setup_strategies()
        look = ComposedStrategy([AppScreenshotCapture(), WithoutAdverts()])
        self.strategies[ProcessingPhase.DATA_COLLECTION] = look


class CalmAgent(AppAgent):
    processor_class = CalmProcessor
