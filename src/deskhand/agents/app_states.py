"""The states of an app agent."""

from __future__ import annotations

from typing import Any

from deskhand.agents.agent import BasicAgent, ask_user
from deskhand.agents.app import AppAgent
from deskhand.agents.confirming import confirm
from deskhand.agents.host import HostAgent
from deskhand.agents.states import AgentState, AppAgentStateManager, HostAgentStateManager
from deskhand.core.status import AgentStatus, RunningMode
from deskhand.processors.context import Context


class AppAgentState(AgentState[AppAgent]):
    """A state of an app agent; by default the status it reported says which is next."""

    def next_state(self, agent: AppAgent) -> AgentState[Any]:
        return agent.next_registered_state()

    @classmethod
    def agent_class(cls) -> type[BasicAgent]:
        return AppAgent


class HandingBack(AppAgentState):
    """A state that ends the subtask and hands back to the host."""

    def next_agent(self, agent: AppAgent) -> BasicAgent:
        return host_of(agent)

    def is_subtask_end(self) -> bool:
        return True


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
    """Archive the subtask's result; the host goes on, or ends the round in follower mode."""

    async def handle(self, agent: AppAgent, context: Context) -> None:
        agent.archive_subtask(context, "FINISH")
        follows = context.mode is RunningMode.FOLLOWER
        host_of(agent).status = AgentStatus.FINISH if follows else AgentStatus.CONTINUE

    def next_state(self, agent: AppAgent) -> AgentState[Any]:
        return HostAgentStateManager.get_state(host_of(agent).status)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.FINISH


@AppAgentStateManager.register
class FailAppAgentState(HandingBack):
    """Archive why the subtask failed; the host may plan it anew."""

    async def handle(self, agent: AppAgent, context: Context) -> None:
        agent.archive_subtask(context, "FAIL")
        host_of(agent).status = AgentStatus.CONTINUE

    def next_state(self, agent: AppAgent) -> AgentState[Any]:
        return HostAgentStateManager.get_state(host_of(agent).status)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.FAIL


@AppAgentStateManager.register
class ErrorAppAgentState(HandingBack):
    """Archive what broke; the round ends as an error."""

    async def handle(self, agent: AppAgent, context: Context) -> None:
        agent.archive_subtask(context, "ERROR")
        host_of(agent).status = AgentStatus.ERROR

    def next_state(self, agent: AppAgent) -> AgentState[Any]:
        return HostAgentStateManager.get_state(host_of(agent).status)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.ERROR
