"""One request, from the sentence to finished or failed: the loop of steps."""

from __future__ import annotations

from abc import ABC, abstractmethod

from deskhand.agents.agent import BasicAgent
from deskhand.core.event import RoundEnded, Scope, Snapshot, StateChanged, StepStarted
from deskhand.core.observation import WHOLE_DESKTOP
from deskhand.core.status import AgentStatus, RunOutcome
from deskhand.processors.context import Context

ENDS = {
    AgentStatus.FINISH: RunOutcome.FINISHED,
    AgentStatus.FAIL: RunOutcome.FAILED,
    AgentStatus.ERROR: RunOutcome.ERROR,
}
"""What the status a round ends with means for its user."""


class BaseRound(ABC):
    """Runs steps until a state ends the round.

    Cancelling it leaves the round open in the journal; a session made over that journal goes on with it.
    """

    def __init__(self, agent: BasicAgent, context: Context) -> None:
        self.agent = agent
        self.context = context

    async def run(self) -> RunOutcome:
        """Run to the end.

        Raises:
            LimitReached: before a step that would exceed a limit.
            NeedsUser: a question is open and nobody is there.
            Stuck: nothing changes any more.
            DeskhandError: the device, the model or the journal is in trouble.
        """
        while not self.is_finished():
            await self.context.held()
            self.begin_step()
            await self.agent.handle(self.context)  # 1 the current state handles this step
            state = self.agent.state.next_state(self.agent)  # 2 the old state says which state is next
            self.agent = self.agent.state.next_agent(self.agent)  # 3 and who goes on
            self.agent.set_state(state)  # 4 installed on whoever that is
            self.context.record(StateChanged(status=state.name()), agent=self.agent.name)
            if state.is_subtask_end():
                await self.capture_last_snapshot("subtask")
        return self.end()

    def is_finished(self) -> bool:
        return self.agent.state.is_round_end()

    def begin_step(self) -> None:
        """Count the step before it is taken, so that one that raises counts too."""
        context = self.context
        context.limits.check_step(context.view)
        context.scope = Scope(agent=self.agent.name, round=len(context.view.rounds), step=context.view.steps + 1)
        context.record(StepStarted(status=self.agent.state.name()))

    @abstractmethod
    def end(self) -> RunOutcome:
        """Write down how the round ended."""

    async def capture_last_snapshot(self, why: str) -> None:
        """Keep a picture of the whole screen."""
        image = await self.context.dispatcher.picture(WHOLE_DESKTOP)
        self.context.record(Snapshot(image=image, why=why))


class Round(BaseRound):
    """A round that ends with the agent that took it up: a host, or one that works alone."""

    def __init__(self, agent: BasicAgent, host: BasicAgent, context: Context) -> None:
        super().__init__(agent, context)
        self.host = host

    def end(self) -> RunOutcome:
        """Write down how the round ended; an error leaves it open, to be resumed when the trouble is over."""
        self.host.status = self.agent.state.name()
        outcome = ENDS[self.host.status]
        if outcome is not RunOutcome.ERROR:
            self.context.record(RoundEnded(outcome=outcome, answer=self.host.reason(self.context) or None))
        return outcome
