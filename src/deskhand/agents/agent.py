"""What all agents have in common: a name, a status, a state, and a processor for their steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from deskhand.agents.states import AgentState, AgentStateManager
from deskhand.core.errors import (
    ContractError,
    Correctable,
    JournalError,
    LimitReached,
    NeedsUser,
    ReplayDiverged,
    SettingsError,
    Stuck,
)
from deskhand.core.event import Corrected, UserAnswered, UserAsked
from deskhand.core.status import AgentStatus
from deskhand.processors.context import Context, ProcessingResult
from deskhand.processors.key import STATUS
from deskhand.processors.template import ProcessorTemplate

if TYPE_CHECKING:
    from deskhand.agents.host import HostAgent

ENDING = (JournalError, LimitReached, NeedsUser, ReplayDiverged, SettingsError, Stuck)
"""Errors that end the round at once, wherever in a step they come up."""


class BasicAgent(ABC):
    """Who acts. Has no loop of its own: its states are handled by the round, its steps run by its processor."""

    state_manager: ClassVar[type[AgentStateManager]]
    processor_class: ClassVar[type[ProcessorTemplate]]

    def __init__(self, name: str, host: HostAgent | None = None) -> None:
        self.name = name
        self.host = host
        self.status = AgentStatus.CONTINUE
        self._state = self.default_state
        self._processor: ProcessorTemplate | None = None

    @property
    def default_state(self) -> AgentState[Any]:
        return self.state_manager.get_state(AgentStatus.CONTINUE)

    @property
    def state(self) -> AgentState[Any]:
        return self._state

    def set_state(self, state: AgentState[Any]) -> None:
        """Go on in a state.

        Raises:
            ContractError: the state is for another kind of agent.
        """
        if not isinstance(self, state.agent_class()):
            raise ContractError(f"{type(state).__name__} is for a {state.agent_class().__name__}, not for {self.name}")
        self._state = state

    async def handle(self, context: Context) -> None:
        """Let the current state handle a step."""
        await self.state.handle(self, context)

    def next_registered_state(self) -> AgentState[Any]:
        """Give the state registered for the status this agent has reported."""
        return self.state_manager.get_state(self.status)

    async def process(self, context: Context) -> None:
        """Run one step of the processor; its status becomes this agent's.

        A step that broke off leaves CONTINUE and a correction when the model can put it right, else ERROR.

        Raises:
            DeskhandError: one of `ENDING`, for the session to make an outcome of.
        """
        result = await self.processor(context).process()
        for phase in result.phase_results.values():
            if phase.error is not None and isinstance(phase.error.cause, ENDING):
                raise phase.error.cause
        self.status = context.get(STATUS) if not result.stopped else self._status_after(result, context)

    def processor(self, context: Context) -> ProcessorTemplate:
        """Give this agent's processor, made on first use."""
        if self._processor is None or self._processor.global_context is not context:
            self._processor = self.make_processor(context)
        return self._processor

    def make_processor(self, context: Context) -> ProcessorTemplate:
        return self.processor_class(self, context)

    def _status_after(self, result: ProcessingResult, context: Context) -> AgentStatus:
        assert result.error is not None
        if isinstance(result.error.cause, Correctable):
            context.record(Corrected(text=str(result.error.cause)))
            return AgentStatus.CONTINUE
        return AgentStatus.ERROR

    @property
    def below(self) -> tuple[BasicAgent, ...]:
        """The agents that have worked for this one."""
        return ()

    def restore(self, name: str, window: str) -> BasicAgent:
        """Make an agent known again that worked for this one before the session was interrupted.

        Raises:
            ContractError: this kind of agent has none below it.
        """
        raise ContractError(f"{self.name} has no agents below it, so there is no {name!r} for window {window!r}")

    @abstractmethod
    def reason(self, context: Context) -> str:
        """Say, after FINISH, FAIL or ERROR, what came of it or why."""


async def ask_user(agent: BasicAgent, context: Context) -> None:
    """Put the questions of an agent's last decision to the user, one after the other.

    Raises:
        NeedsUser: nobody is there to answer.
    """
    decision = context.view.decision_of(agent.name)
    for question in decision.questions if decision is not None else ():
        context.record(UserAsked(question=question))
        context.record(UserAnswered(answer=await context.user.answer(question)))
