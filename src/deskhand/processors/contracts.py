"""What a strategy needs and what it gives: declared, checked while building, and held to while running."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from deskhand.core.errors import ContractError
from deskhand.processors.key import Key

if TYPE_CHECKING:
    from deskhand.processors.strategy import BaseProcessingStrategy

C = TypeVar("C", bound="type[BaseProcessingStrategy]")


@dataclass(frozen=True)
class StrategyDependency:
    """One value a strategy reads; it may do without one that is not `required`."""

    key: Key[Any]
    required: bool = True


class Contract(NamedTuple):
    """What one strategy may read, must find, and must leave behind."""

    reads: frozenset[Key[Any]]
    needs: frozenset[Key[Any]]
    gives: frozenset[Key[Any]]


class StrategyMetadataRegistry:
    """The contracts declared by decorator, by the class itself: a namesake elsewhere has its own."""

    _needs: dict[type, tuple[StrategyDependency, ...]] = {}  # noqa: RUF012  (the one registry is its purpose)
    _gives: dict[type, tuple[Key[Any], ...]] = {}  # noqa: RUF012

    @classmethod
    def declare_needs(cls, strategy: type, needs: Iterable[StrategyDependency]) -> None:
        cls._needs[strategy] = (*cls._needs.get(strategy, ()), *needs)

    @classmethod
    def declare_gives(cls, strategy: type, gives: Iterable[Key[Any]]) -> None:
        cls._gives[strategy] = (*cls._gives.get(strategy, ()), *gives)

    @classmethod
    def needs_of(cls, strategy: type) -> tuple[StrategyDependency, ...]:
        """Give what the class declares, or else the nearest class it is made from."""
        return next((cls._needs[c] for c in strategy.__mro__ if c in cls._needs), ())

    @classmethod
    def gives_of(cls, strategy: type) -> tuple[Key[Any], ...]:
        return next((cls._gives[c] for c in strategy.__mro__ if c in cls._gives), ())


def depends_on(*keys: Key[Any]) -> Callable[[C], C]:
    """Declare which values of the step's context a strategy reads."""

    def declare(strategy: C) -> C:
        StrategyMetadataRegistry.declare_needs(strategy, map(StrategyDependency, keys))
        return strategy

    return declare


def provides(*keys: Key[Any]) -> Callable[[C], C]:
    """Declare which values a strategy leaves in the step's context."""

    def declare(strategy: C) -> C:
        StrategyMetadataRegistry.declare_gives(strategy, keys)
        return strategy

    return declare


def contract_of(strategy: BaseProcessingStrategy) -> Contract:
    """Give the contract of a strategy, however it was declared."""
    dependencies = strategy.get_dependencies()
    return Contract(
        frozenset(d.key for d in dependencies),
        frozenset(d.key for d in dependencies if d.required),
        frozenset(strategy.get_provides()),
    )


class StrategyDependencyValidator:
    """Checks that every strategy of a chain finds what it needs."""

    def validate_chain(self, chain: Sequence[BaseProcessingStrategy], given: Iterable[Key[Any]]) -> None:
        """Check a chain in the order it runs, starting with the values in `given`.

        Raises:
            ContractError: naming the strategy and the fields that nothing before it gives.
        """
        there = set(given)
        for strategy in chain:
            contract = contract_of(strategy)
            if missing := contract.needs - there:
                raise ContractError(
                    f"{strategy.name} depends on {names(missing)}, which nothing before it provides; "
                    f"there are {names(there)}"
                )
            there |= contract.gives


def names(keys: Iterable[Key[Any]]) -> str:
    return ", ".join(sorted(key.name for key in keys)) or "none"
