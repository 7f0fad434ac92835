"""The agent that has a written plan followed: each round is a step of it."""

from __future__ import annotations

from typing import Any, ClassVar

from deskhand.agents.agent import BasicAgent, ask_user
from deskhand.agents.host import HostAgent
from deskhand.agents.host_states import (
    AssignHostAgentState,
    ErrorHostAgentState,
    FailHostAgentState,
    FinishHostAgentState,
    HostAgentState,
)
from deskhand.agents.states import AgentState, AgentStateManager
from deskhand.core.event import SubtaskAssigned, UserAnswered, UserAsked
from deskhand.core.plan import Plan
from deskhand.core.status import AgentStatus
from deskhand.processors.context import Context

AGAIN, SKIP, STOP = "again", "skip", "stop"
_ANSWERED = {AGAIN: AgentStatus.CONTINUE, SKIP: AgentStatus.FINISH, STOP: AgentStatus.FAIL, "": AgentStatus.FAIL}
"""How it goes on after an answer; any other is what is to be done in the step's place."""


class FollowerStateManager(AgentStateManager):
    """The states of agents that have a plan followed."""


class FollowerAgent(HostAgent):
    """Hands out the steps of a plan as they are written; what is to deviate from it, the user is asked.

    In a plan that names no application, a host's model chooses one for the step.
    """

    state_manager: ClassVar[type[AgentStateManager]] = FollowerStateManager

    def __init__(self, plan: Plan) -> None:
        super().__init__("FollowerAgent")
        self.plan = plan

    def after(self, ended: AgentStatus, context: Context) -> AgentStatus:
        if ended is AgentStatus.FAIL:
            return AgentStatus.PENDING
        return super().after(ended, context) if self.plan.object else _PLANNED[ended]

    def reason(self, context: Context) -> str:
        round_ = context.view.rounds[-1]
        left_out = bool(round_.answers) and round_.answers[-1][1].casefold() == SKIP
        said = super().reason(context)
        return f"left out: {said}" if left_out and self.status is AgentStatus.FINISH else said

    async def take_up(self, context: Context) -> None:
        """Hand out the step, or what the user wants in its place."""
        if not self.plan.object:
            await self.process(context)
            return
        step = len(context.view.rounds)
        tip = f"this is step {step} of {len(self.plan.steps)} of: {self.plan.task}"
        assigned = SubtaskAssigned(subtask=_wanted(context), application=self.plan.object, message=(tip,))
        context.record(assigned)
        self.status = AgentStatus.ASSIGN

    async def ask_how_to_go_on(self, context: Context) -> None:
        """Say that the step could not be done, and ask what now.

        Raises:
            NeedsUser: nobody is there to answer.
        """
        step, why = len(context.view.rounds), self.reason(context) or "it did not say why"
        question = (
            f"step {step} of {len(self.plan.steps)} could not be done ({why}): {_wanted(context)} - type {AGAIN}, "
            f"{SKIP} or {STOP}, or what is to be done in its place"
        )
        context.record(UserAsked(question=question))
        answer = (await context.user.answer(question)).strip()
        context.record(UserAnswered(answer=answer))
        self.status = _ANSWERED.get(answer.casefold(), AgentStatus.CONTINUE)


_PLANNED = {AgentStatus.FINISH: AgentStatus.CONTINUE, AgentStatus.ERROR: AgentStatus.ERROR}
"""How a host that chooses for a step goes on: there may be more to the step."""
_ASKED_FIRST = {AgentStatus.FAIL: AgentStatus.PENDING}
"""What a host decides about a step that is not done before the user was asked."""


def _wanted(context: Context) -> str:
    """Give what is to be done in this round: the step, unless the user said otherwise since."""
    round_ = context.view.round
    assert round_ is not None  # an agent works in a round
    instead = [said for _, said, _ in round_.answers if said.casefold() not in _ANSWERED]
    return instead[-1] if instead else round_.request


class FollowerState(HostAgentState):
    """A state of an agent that has a plan followed."""

    @classmethod
    def agent_class(cls) -> type[BasicAgent]:
        return FollowerAgent


@FollowerStateManager.register
class ContinueFollowerState(FollowerState):
    """Take up the step of the plan; or plan it on, where it was left to a host."""

    async def handle(self, agent: HostAgent, context: Context) -> None:
        assert isinstance(agent, FollowerAgent)  # `set_state` sees to it
        await agent.take_up(context)
        agent.status = _ASKED_FIRST.get(agent.status, agent.status)

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.CONTINUE


@FollowerStateManager.register
class PendingFollowerState(FollowerState):
    """Ask the user how to go on: as the agent's model wants to, or because the step could not be done."""

    async def handle(self, agent: HostAgent, context: Context) -> None:
        assert isinstance(agent, FollowerAgent)  # `set_state` sees to it
        decision = context.view.decision_of(agent.name)
        if decision is None or not decision.questions:
            await agent.ask_how_to_go_on(context)
            return
        await ask_user(agent, context)
        agent.status = AgentStatus.CONTINUE

    @classmethod
    def name(cls) -> AgentStatus:
        return AgentStatus.PENDING


for _state in (AssignHostAgentState, FinishHostAgentState, FailHostAgentState, ErrorHostAgentState):
    _same: type[AgentState[Any]] = FollowerStateManager.register(_state)
