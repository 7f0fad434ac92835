"""States: what a status means. The base of all, and the registries they are found in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from deskhand.core.errors import ContractError
from deskhand.core.status import AgentStatus, AppAgentStatus, HostAgentStatus
from deskhand.processors.context import Context

if TYPE_CHECKING:
    from deskhand.agents.agent import BasicAgent

__all__ = [
    "AgentState",
    "AgentStateManager",
    "AgentStatus",
    "AppAgentStateManager",
    "AppAgentStatus",
    "HostAgentStateManager",
    "HostAgentStatus",
]

A = TypeVar("A", bound="BasicAgent", contravariant=True)
S = TypeVar("S", bound="type[AgentState[Any]]")


class AgentState(ABC, Generic[A]):
    """Handles one step of an agent, then says which state is next and whose. Holds no data: one shared instance."""

    @abstractmethod
    async def handle(self, agent: A, context: Context) -> None:
        """Do this step's work; what came of it is the agent's status afterwards."""

    @abstractmethod
    def next_state(self, agent: A) -> AgentState[Any]:
        """Give the state that the next agent goes on in."""

    def next_agent(self, agent: A) -> BasicAgent:
        """Give the agent that goes on; the same one, unless a state hands over."""
        return agent

    def is_round_end(self) -> bool:
        """Whether the round ends when this state is reached; it does not handle a step then."""
        return False

    def is_subtask_end(self) -> bool:
        """Whether a subtask ends with this state."""
        return False

    @classmethod
    @abstractmethod
    def name(cls) -> AgentStatus:
        """Give the status this state belongs to."""

    @classmethod
    @abstractmethod
    def agent_class(cls) -> type[BasicAgent]:
        """Give the kind of agent this state is for."""


class AgentStateManager:
    """The registry of one kind of agent's states, by status. Each kind has a subclass of its own."""

    _classes: ClassVar[dict[str, type[AgentState[Any]]]]
    _instances: ClassVar[dict[str, AgentState[Any]]]

    def __init_subclass__(cls) -> None:
        cls._classes, cls._instances = {}, {}

    @classmethod
    def register(cls, state: S) -> S:
        """Register a state under its status; used as a decorator."""
        cls._classes[state.name()] = state
        cls._instances.pop(state.name(), None)
        return state

    @classmethod
    def get_state(cls, status: str) -> AgentState[Any]:
        """Give the shared instance of the state for a status, made on first use.

        Raises:
            ContractError: no state is registered for it.
        """
        if (state := cls._instances.get(status)) is None:
            if status not in cls._classes:
                known = ", ".join(cls._classes) or "none"
                raise ContractError(f"{cls.__name__} has no state for {str(status)!r}; it has {known}")
            state = cls._instances[status] = cls._classes[status]()
        return state


class HostAgentStateManager(AgentStateManager):
    """The states of host agents."""


class AppAgentStateManager(AgentStateManager):
    """The states of app agents."""
