"""An agent with a processor and states of its own, which a host assigns to: `-c 'agents=["own_agent:Counter"]'`."""

from deskhand.agents.app import AppAgent
from deskhand.agents.app_states import ContinueAppAgentState, ErrorAppAgentState, FailAppAgentState, FinishAppAgentState
from deskhand.agents.states import AgentStateManager
from deskhand.core.decision import AppDecision
from deskhand.core.event import Decided
from deskhand.core.status import AppAgentStatus
from deskhand.processors.app import AppActionExecution, AppAgentProcessor
from deskhand.processors.context import ProcessingContext, ProcessingPhase
from deskhand.processors.contracts import depends_on, provides
from deskhand.processors.key import PARSED_RESPONSE, ContextNames
from deskhand.processors.strategy import Actor, BaseProcessingStrategy


@depends_on(ContextNames.SUBTASK)
@provides(PARSED_RESPONSE)
class CountWords(BaseProcessingStrategy):
    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        words = context.get(ContextNames.SUBTASK).split()
        decision = AppDecision(status=AppAgentStatus.FINISH, result=f"{len(words)} words")
        context.global_context.record(Decided(decision=decision))
        context.put(PARSED_RESPONSE, decision)


class CounterProcessor(AppAgentProcessor):
    def _setup_strategies(self) -> None:
        self.strategies[ProcessingPhase.LLM_INTERACTION] = CountWords()
        self.strategies[ProcessingPhase.ACTION_EXECUTION] = AppActionExecution()


class CounterStateManager(AgentStateManager): ...


for state in (ContinueAppAgentState, FinishAppAgentState, FailAppAgentState, ErrorAppAgentState):
    CounterStateManager.register(state)


class Counter(AppAgent):
    state_manager, processor_class = CounterStateManager, CounterProcessor
