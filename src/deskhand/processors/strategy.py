"""The work of one phase."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from deskhand.core.status import AgentStatus
from deskhand.processors.contracts import StrategyDependency, StrategyMetadataRegistry, contract_of
from deskhand.processors.key import Key

if TYPE_CHECKING:
    from deskhand.processors.context import ProcessingContext


class Actor(Protocol):
    """What a strategy knows of the agent it works for."""

    @property
    def name(self) -> str: ...

    status: AgentStatus


class BaseProcessingStrategy(ABC):
    """Reads and writes the step's context, within its contract. Holds nothing that changes.

    `fail_fast` says whether its failure ends the step (True) or is kept for the record while the step goes on.
    """

    def __init__(self, name: str = "", *, fail_fast: bool = True) -> None:
        self.name = name or type(self).__name__
        self.fail_fast = fail_fast

    @abstractmethod
    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        """Do the work: read with `context.get`, write with `context.put`, raise when it cannot be done."""

    def recover(self, context: ProcessingContext, error: Exception) -> None:
        """Put what the later phases need when `execute` failed and `fail_fast` is off; nothing by default."""

    def get_dependencies(self) -> Sequence[StrategyDependency]:
        """Give what it reads: as declared by `@depends_on`, unless overridden."""
        return StrategyMetadataRegistry.needs_of(type(self))

    def get_provides(self) -> Sequence[Key[Any]]:
        """Give what it leaves behind: as declared by `@provides`, unless overridden."""
        return StrategyMetadataRegistry.gives_of(type(self))


class ComposedStrategy(BaseProcessingStrategy):
    """Several strategies in one phase: run in order, each sees at once what those before it gave.

    Its contract is the sum of theirs, less what they give each other. A part that is not `fail_fast` may fail without
    ending the others.
    """

    def __init__(self, strategies: Sequence[BaseProcessingStrategy], name: str = "", *, fail_fast: bool = True) -> None:
        super().__init__(name or "+".join(s.name for s in strategies), fail_fast=fail_fast)
        self.strategies = tuple(strategies)
        needs: dict[Key[Any], bool] = {}
        given: list[Key[Any]] = []
        for strategy in self.strategies:
            for dependency in strategy.get_dependencies():
                if dependency.key not in given:
                    needs[dependency.key] = needs.get(dependency.key, False) or dependency.required
            given += [key for key in strategy.get_provides() if key not in given]
        self._needs = tuple(StrategyDependency(key, required) for key, required in needs.items())
        self._gives = tuple(given)
        self._contracts = tuple((s, contract_of(s)) for s in self.strategies)

    def get_dependencies(self) -> Sequence[StrategyDependency]:
        return self._needs

    def get_provides(self) -> Sequence[Key[Any]]:
        return self._gives

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        for strategy, contract in self._contracts:
            await context.run(strategy, contract, agent)
