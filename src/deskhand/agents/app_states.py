"""The states of an app agent."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from deskhand.agents.agent import BasicAgent, ask_user
from deskhand.agents.app import AppAgent
from deskhand.agents.confirming import confirm
from deskhand.agents.host import HostAgent
from deskhand.agents.states import AgentState, AppAgentStateManager
from deskhand.core.status import AgentStatus
from deskhand.processors.context import Context


class AppAgentState(AgentState[AppAgent]):
    """A state of an app agent; by default the status it reported says which is next."""

    def next_state(self, agent: AppAgent) -> AgentState[Any]:
        return agent.next_registered_state()

    @classmethod
    def agent_class(cls) -> type[BasicAgent]:
        return AppAgent


class HandingBack(AppAgentState):
    """A state that archives how the subtask ended, and hands back to the host, which says how it goes on."""

    ended: ClassVar[Literal["FINISH", "FAIL", "ERROR"]]

    async def handle(self, agent: AppAgent, context: Context) -> None:
        agent.archive_subtask(context, self.ended)
        host_of(agent).status = host_of(agent).after(self.name(), context)

    def next_state(self, agent: AppAgent) -> AgentState[Any]:
        return host_of(agent).next_registered_state()

    def next_agent(self, agent: AppAgent) -> BasicAgent:
        return host_of(agent)

    def is_subtask_end(self) -> bool:
        return True

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus(cls.ended)


def host_of(agent: AppAgent) -> HostAgent:
    assert agent.host is not None  # an app agent is made by its host
    return agent.host


@AppAgentStateManager.register
class ContinueAppAgentState(AppAgentState):
    """Take a step."""

    async def handle(self, agent: AppAgent, context: Context) -> None:
        await agent.process(context)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.CONTINUE


@AppAgentStateManager.register
class ScreenshotAppAgentState(ContinueAppAgentState):
    """Look anew, then take a step: every step looks first, so this is CONTINUE under the name of its purpose."""

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.SCREENSHOT


@AppAgentStateManager.register
class PendingAppAgentState(AppAgentState):
    """Ask the user, then go on with the answer."""

    async def handle(self, agent: AppAgent, context: Context) -> None:
        await ask_user(agent, context)
        agent.status = AgentStatus.CONTINUE

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.PENDING


@AppAgentStateManager.register
class ConfirmAppAgentState(AppAgentState):
    """Ask before the actions of the last decision are done; do them on yes, give the subtask up on no."""

    async def handle(self, agent: AppAgent, context: Context) -> None:
        agent.status = await confirm(agent, context)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.CONFIRM


@AppAgentStateManager.register
class FinishAppAgentState(HandingBack):
    """The subtask is done."""

    ended = "FINISH"


@AppAgentStateManager.register
class FailAppAgentState(HandingBack):
    """The subtask cannot be done."""

    ended = "FAIL"


@AppAgentStateManager.register
class ErrorAppAgentState(HandingBack):
    """Something broke that the agent cannot mend."""

    ended = "ERROR"
