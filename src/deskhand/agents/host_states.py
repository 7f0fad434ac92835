"""The states of a host agent."""

from __future__ import annotations

from typing import Any

from deskhand.agents.agent import BasicAgent, ask_user
from deskhand.agents.host import HostAgent
from deskhand.agents.states import AgentState, HostAgentStateManager
from deskhand.core.status import AgentStatus
from deskhand.processors.context import Context


class HostAgentState(AgentState[HostAgent]):
    """A state of a host agent; by default the status it reported says which is next."""

    def next_state(self, agent: HostAgent) -> AgentState[Any]:
        return agent.next_registered_state()

    @classmethod
    def agent_class(cls) -> type[BasicAgent]:
        return HostAgent


class EndOfRound(HostAgentState):
    """A state that ends the round when it is reached."""

    async def handle(self, agent: HostAgent, context: Context) -> None:
        """Do nothing: the round is over."""

    def is_round_end(self) -> bool:
        return True


@HostAgentStateManager.register
class ContinueHostAgentState(HostAgentState):
    """Take a step."""

    async def handle(self, agent: HostAgent, context: Context) -> None:
        await agent.process(context)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.CONTINUE


@HostAgentStateManager.register
class AssignHostAgentState(HostAgentState):
    """Bring up the chosen application and hand over to its agent; stay with the host when that fails."""

    async def handle(self, agent: HostAgent, context: Context) -> None:
        await agent.create_subagent(context)

    def next_state(self, agent: HostAgent) -> AgentState[Any]:
        return self.next_agent(agent).next_registered_state()

    def next_agent(self, agent: HostAgent) -> BasicAgent:
        return agent.get_active_appagent() or agent

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.ASSIGN


@HostAgentStateManager.register
class PendingHostAgentState(HostAgentState):
    """Ask the user, then go on with the answer."""

    async def handle(self, agent: HostAgent, context: Context) -> None:
        await ask_user(agent, context)
        agent.status = AgentStatus.CONTINUE

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.PENDING


@HostAgentStateManager.register
class FinishHostAgentState(EndOfRound):
    """The request is fulfilled."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.FINISH


@HostAgentStateManager.register
class FailHostAgentState(EndOfRound):
    """The request cannot be fulfilled."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.FAIL


@HostAgentStateManager.register
class ErrorHostAgentState(EndOfRound):
    """Something broke that no agent can mend."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.ERROR
