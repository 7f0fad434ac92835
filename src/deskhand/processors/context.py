"""What a step can reach: the values of the step itself, and the session around it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from deskhand.core.errors import ContractError, DeskhandError
from deskhand.core.event import Event, Record, Scope, SessionPaused, SessionUnpaused
from deskhand.core.message import Role
from deskhand.core.ports import Dialect, Journal, Model, User
from deskhand.core.status import RunningMode
from deskhand.journal.view import View
from deskhand.processors.contracts import Contract, names
from deskhand.processors.key import AGENT_NAME, ContextNames, Key
from deskhand.processors.limits import Limits
from deskhand.processors.pause import Pause
from deskhand.processors.strategy import Actor, BaseProcessingStrategy

if TYPE_CHECKING:
    from deskhand.processors.dispatcher import CommandDispatcher

T = TypeVar("T")
Listener = Callable[[Record], Awaitable[None] | None]
"""Is told of a record as it is written; a coroutine function soon after, by the session, without holding it up."""

_APART = frozenset({"grounder", "evaluator", "operator"})
"""Roles that answer in another form than whoever acts, so that the backup cannot stand in for them."""

_logger = logging.getLogger(__name__)


class ProcessingPhase(StrEnum):
    """The phases of a step, in the order they run."""

    SETUP = "setup"
    DATA_COLLECTION = "data_collection"
    LLM_INTERACTION = "llm_interaction"
    ACTION_EXECUTION = "action_execution"
    MEMORY_UPDATE = "memory_update"
    CLEANUP = "cleanup"


class ProcessingException(DeskhandError):
    """A phase of a step failed; `cause` is what was raised, `context_data` the values that were there by then."""

    def __init__(
        self, phase: ProcessingPhase, strategy: str, cause: Exception, context_data: Mapping[str, Any]
    ) -> None:
        super().__init__(f"{strategy} failed in {phase.value}: {cause}")
        self.phase = phase
        self.strategy = strategy
        self.cause = cause
        self.context_data = context_data


@dataclass(frozen=True)
class ProcessingResult:
    """What came of a phase, or of a whole step: its phases are in `phase_results` then.

    `execution_time` is in seconds; `stopped` says that the step ended early.
    """

    success: bool
    error: ProcessingException | None = None
    phase: ProcessingPhase | None = None
    execution_time: float = 0.0
    provided: tuple[str, ...] = ()
    phase_results: Mapping[ProcessingPhase, ProcessingResult] = field(default_factory=dict)
    stopped: bool = False


@dataclass
class Context:
    """The session around a step: its ports, and what its journal says so far.

    Everything that happens is told to `record`; all that can be asked is answered from the view of the journal, so a
    session made anew over the same journal knows the same.
    """

    journal: Journal
    view: View
    user: User
    models: Mapping[Role, Model]
    dialect: Dialect
    """How models are spoken to whose role has no dialect of its own."""
    dialects: Mapping[Role, Dialect] = field(default_factory=dict)
    backup: Model | None = None
    """The model that is asked instead while a run is `stuck`."""
    stuck: bool = False
    speculation: bool = True
    """Whether several actions of one reply are done, each after a look at what it aims at."""
    snap: int = 0
    """Pixels from which a click on nothing goes to the nearest control."""
    limits: Limits = field(default_factory=Limits)
    mode: RunningMode = RunningMode.REQUEST
    platform: str = "linux"
    chosen: tuple[BaseProcessingStrategy, ...] = ()
    """Strategies by choice: they work after each look of an agent that uses a screen, in this order."""
    agents: tuple[str, ...] = ()
    """The registered agents that can take a subtask, by name."""
    dispatcher: CommandDispatcher = field(init=False)
    pause: Pause = field(default_factory=Pause)
    scope: Scope = field(default_factory=Scope)
    listeners: list[Listener] = field(default_factory=list)
    _own: dict[Key[Any], Any] = field(default_factory=dict)

    def record(self, event: Event, *, agent: str = "") -> Record:
        """Write an event of `agent`, or of the one whose turn it is; then tell the view and all listeners.

        Raises:
            JournalError: it cannot be written.
        """
        scope = Scope(agent=agent, round=self.scope.round, step=self.scope.step) if agent else self.scope
        record = self.journal.append(event, scope)
        self.view.apply(record)
        for listener in self.listeners:
            try:
                listener(record)
            except Exception:  # foreign code; its fault must not end the run
                _logger.warning("a listener failed on %s", record.event.kind, exc_info=True)
        return record

    async def held(self) -> bool:
        """Wait while the user holds the run; tell whether that was so."""
        if not self.pause.is_on:
            return False
        self.record(SessionPaused())
        before = self.pause.seconds
        await self.pause.wait()
        self.record(SessionUnpaused(seconds=round(self.pause.seconds - before, 3)))
        return True

    def model(self, role: Role) -> Model:
        """Give the model of a role; host and app fall back to the planner's, and to the backup while stuck.

        Raises:
            ContractError: there is none.
        """
        if self.stuck and self.backup is not None and role not in _APART:
            return self.backup
        model = self.models.get(role) or self.models.get("planner")
        if model is None:
            raise ContractError(f"no model for the role {role!r}; there are {', '.join(self.models) or 'none'}")
        return model

    def dialect_of(self, role: Role) -> Dialect:
        return self.dialects.get(role, self.dialect)

    def get(self, key: Key[T]) -> T:
        """Read a value of the session: one of `ContextNames`, or what a finalise hook promoted.

        Raises:
            ContractError: there is no such value.
        """
        if (derive := _DERIVED.get(key)) is not None:
            value: T = derive(self)
            return value
        if key not in self._own:
            raise ContractError(f"the session has no {key}; it has {names([*_DERIVED, *self._own])}")
        own: T = self._own[key]
        return own

    def set(self, key: Key[T], value: T) -> None:
        """Promote a value to the session. What the journal tells cannot be set."""
        if key in _DERIVED:
            raise ContractError(f"{key} follows from the journal; record an event instead")
        self._own[key] = value


_DERIVED: Mapping[Key[Any], Callable[[Context], Any]] = {
    ContextNames.MODE: lambda c: c.mode,
    ContextNames.PLATFORM: lambda c: c.platform,
    ContextNames.REQUEST: lambda c: c.view.round.request if c.view.round else "",
    ContextNames.CURRENT_ROUND_ID: lambda c: len(c.view.rounds),
    ContextNames.CURRENT_ROUND_STEP: lambda c: len(c.view.round.steps) if c.view.round else 0,
    ContextNames.CURRENT_ROUND_COST: lambda c: c.view.round.usd if c.view.round else 0.0,
    ContextNames.SESSION_STEP: lambda c: c.view.steps,
    ContextNames.SESSION_COST: lambda c: c.view.usd,
    ContextNames.SUBTASK: lambda c: s.text if (s := _subtask(c)) else "",
    ContextNames.PREVIOUS_SUBTASKS: lambda c: c.view.round.reports if c.view.round else (),
    ContextNames.HOST_MESSAGE: lambda c: s.message if (s := _subtask(c)) else (),
    ContextNames.APPLICATION: lambda c: s.application if (s := _subtask(c)) else "",
    ContextNames.APPLICATION_WINDOW: lambda c: s.window if (s := _subtask(c)) else "",
    ContextNames.BLACKBOARD: lambda c: tuple(c.view.blackboard.values()),
}


def _subtask(context: Context) -> Any:
    return context.view.round.subtask if context.view.round else None


class BasicProcessorContext:
    """The values of one step. `START` are those a processor puts in before the first phase."""

    START: ClassVar[tuple[Key[Any], ...]] = (
        AGENT_NAME,
        ContextNames.REQUEST,
        ContextNames.SESSION_STEP,
        ContextNames.CURRENT_ROUND_STEP,
        ContextNames.CURRENT_ROUND_ID,
    )

    def __init__(self, values: Mapping[Key[Any], Any]) -> None:
        if missing := set(self.START) - values.keys():
            raise ContractError(f"{type(self).__name__} starts without {names(missing)}")
        self.values: dict[Key[Any], Any] = dict(values)


@dataclass
class ProcessingContext:
    """One step's values and the session around it, held to the contract of the strategy that runs."""

    global_context: Context
    local_context: BasicProcessorContext
    phase_results: OrderedDict[ProcessingPhase, ProcessingResult] = field(default_factory=OrderedDict)
    soft_failures: list[tuple[str, Exception]] = field(default_factory=list)
    """What strategies that are not `fail_fast` raised in this phase."""
    _contract: Contract | None = None
    _holder: str = ""

    def get(self, key: Key[T]) -> T:
        """Read a value of this step that the running strategy depends on, or one that it gave itself.

        Raises:
            ContractError: the strategy did not declare it, or it is not there.
        """
        self._check(key, reading=True)
        return self.require_local(key)

    def find(self, key: Key[T]) -> T | None:
        """Read a value that may be missing: a dependency that is not required."""
        self._check(key, reading=True)
        return self.local_context.values.get(key)

    def put(self, key: Key[T], value: T) -> None:
        """Write a value that the running strategy promised.

        Raises:
            ContractError: it did not declare to provide it.
        """
        self._check(key, reading=False)
        self.local_context.values[key] = value

    def get_global(self, key: Key[T]) -> T:
        return self.global_context.get(key)

    def require_local(self, key: Key[T]) -> T:
        """Read a value of this step.

        Raises:
            ContractError: it is not there; names those that are.
        """
        values = self.local_context.values
        if key not in values:
            raise ContractError(f"there is no {key} in this step; there are {names(values)}")
        value: T = values[key]
        return value

    async def run(self, strategy: BaseProcessingStrategy, contract: Contract, agent: Actor) -> None:
        """Run a strategy within its contract.

        One that is not `fail_fast` and fails leaves its error in `soft_failures`, and this returns.

        Raises:
            ContractError: a value it needs is missing before, or one it promised afterwards.
            Exception: whatever a `fail_fast` strategy raised.
        """
        outer = self._contract, self._holder
        self._demand(contract.needs, f"{strategy.name} cannot run without")
        self._contract, self._holder = contract, strategy.name
        try:
            await strategy.execute(agent, self)
        except ContractError:
            raise
        except Exception as error:
            if strategy.fail_fast:
                raise
            strategy.recover(self, error)
            self.soft_failures.append((strategy.name, error))
            return
        finally:
            self._contract, self._holder = outer
        self._demand(contract.gives, f"{strategy.name} promised and did not provide")

    def _demand(self, keys: Iterable[Key[Any]], complaint: str) -> None:
        values = self.local_context.values
        if missing := [key for key in keys if key not in values]:
            raise ContractError(f"{complaint} {names(missing)}; there are {names(values)}")

    def _check(self, key: Key[Any], *, reading: bool) -> None:
        contract = self._contract
        if contract is None or key in contract.gives or (reading and key in contract.reads):
            return
        verb = "reads" if reading else "writes"
        allowed: Sequence[Key[Any]] = [*contract.reads, *contract.gives] if reading else list(contract.gives)
        raise ContractError(f"{self._holder} {verb} {key} without declaring it; it declared {names(allowed)}")
