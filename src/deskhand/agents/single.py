"""An agent that works alone on a device: no host above it, no applications handed out."""

from __future__ import annotations

from typing import Any, ClassVar

from deskhand.agents.agent import BasicAgent, ask_user
from deskhand.agents.confirming import confirm
from deskhand.agents.states import AgentState, AgentStateManager
from deskhand.core.action import Respond
from deskhand.core.decision import AppDecision
from deskhand.core.status import AgentStatus
from deskhand.processors.context import Context
from deskhand.processors.single import SingleAgentProcessor
from deskhand.processors.template import ProcessorTemplate


class SingleAgentStateManager(AgentStateManager):
    """The states of agents that work alone."""


class SingleAgent(BasicAgent):
    """Carries out the request itself. Which way its model plans and points is said by its dialect."""

    state_manager: ClassVar[type[AgentStateManager]] = SingleAgentStateManager
    processor_class: ClassVar[type[ProcessorTemplate]] = SingleAgentProcessor

    def __init__(self, name: str = "SingleAgent") -> None:
        super().__init__(name)

    def reason(self, context: Context) -> str:
        decision = context.view.decision_of(self.name)
        if self.status is AgentStatus.FINISH and isinstance(decision, AppDecision):
            return decision.result or _answer(context)
        return context.view.reasons.get(self.name, "")


def _answer(context: Context) -> str:
    """Give what the user was answered in this round, last."""
    steps = context.view.round.steps if context.view.round is not None else []
    answers = [act.action.answer for step in steps for act in step.acts if isinstance(act.action, Respond)]
    return answers[-1] if answers else ""


class SingleAgentState(AgentState[SingleAgent]):
    """A state of an agent that works alone; the status it reported says which is next."""

    def next_state(self, agent: SingleAgent) -> AgentState[Any]:
        return agent.next_registered_state()

    @classmethod
    def agent_class(cls) -> type[BasicAgent]:
        return SingleAgent


@SingleAgentStateManager.register
class ContinueSingleAgentState(SingleAgentState):
    """Take a step."""

    async def handle(self, agent: SingleAgent, context: Context) -> None:
        await agent.process(context)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.CONTINUE


@SingleAgentStateManager.register
class ScreenshotSingleAgentState(ContinueSingleAgentState):
    """Look anew, then take a step."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.SCREENSHOT


@SingleAgentStateManager.register
class PendingSingleAgentState(SingleAgentState):
    """Ask the user, then go on with the answer."""

    async def handle(self, agent: SingleAgent, context: Context) -> None:
        await ask_user(agent, context)
        agent.status = AgentStatus.CONTINUE

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.PENDING


@SingleAgentStateManager.register
class ConfirmSingleAgentState(SingleAgentState):
    """Ask before the actions of the last decision are done; do them on yes, give up on no."""

    async def handle(self, agent: SingleAgent, context: Context) -> None:
        agent.status = await confirm(agent, context)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.CONFIRM


class EndOfRound(SingleAgentState):
    """A state that ends the round when it is reached."""

    async def handle(self, agent: SingleAgent, context: Context) -> None:
        """Do nothing: the round is over."""

    def is_round_end(self) -> bool:
        return True

    def is_subtask_end(self) -> bool:
        return True


@SingleAgentStateManager.register
class FinishSingleAgentState(EndOfRound):
    """The request is fulfilled."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.FINISH


@SingleAgentStateManager.register
class FailSingleAgentState(EndOfRound):
    """The request cannot be fulfilled."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.FAIL


@SingleAgentStateManager.register
class ErrorSingleAgentState(EndOfRound):
    """Something broke that the agent cannot mend."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.ERROR
