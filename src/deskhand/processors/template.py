"""The template of every step: phases in order, held to their contracts, inside middleware."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

import anyio

from deskhand.core.errors import ContractError
from deskhand.core.event import StepEnded
from deskhand.processors.context import (
    BasicProcessorContext,
    Context,
    ProcessingContext,
    ProcessingException,
    ProcessingPhase,
    ProcessingResult,
)
from deskhand.processors.contracts import Contract, StrategyDependencyValidator, contract_of
from deskhand.processors.key import AGENT_NAME, ContextNames, Key
from deskhand.processors.middleware import ProcessorMiddleware
from deskhand.processors.strategy import Actor, BaseProcessingStrategy


class Work(NamedTuple):
    """A strategy in its phase, with its contract looked up once."""

    phase: ProcessingPhase
    strategy: BaseProcessingStrategy
    contract: Contract


class ProcessorTemplate(ABC):
    """Runs one step: a subclass says which strategy works in which phase.

    Made once for an agent and used for each of its steps; what a step needs lives in its context.

    Raises:
        ContractError: the strategies do not fit together; such a processor cannot be made.
    """

    processor_context_class: ClassVar[type[BasicProcessorContext]] = BasicProcessorContext

    def __init__(self, agent: Actor, global_context: Context) -> None:
        self.agent = agent
        self.global_context = global_context
        self.strategies: dict[ProcessingPhase, BaseProcessingStrategy] = {}
        self.middleware_chain: list[ProcessorMiddleware] = []
        self._setup_strategies()
        self._setup_middleware()
        chain = [(phase, self.strategies[phase]) for phase in ProcessingPhase if phase in self.strategies]
        StrategyDependencyValidator().validate_chain([s for _, s in chain], self.processor_context_class.START)
        self._work = [Work(p, s, contract_of(s)) for p, s in chain if p is not ProcessingPhase.CLEANUP]
        self._cleanup = [Work(p, s, contract_of(s)) for p, s in chain if p is ProcessingPhase.CLEANUP]

    @abstractmethod
    def _setup_strategies(self) -> None:
        """Put a strategy into `self.strategies` for each phase that has work."""

    def _setup_middleware(self) -> None:
        """Put middleware into `self.middleware_chain`, the outermost first; none by default."""

    def _get_processor_specific_context_data(self) -> Mapping[Key[Any], Any]:
        """Give the start values that `processor_context_class` has beyond the basic ones."""
        return {}

    def _finalize_processing_context(self, context: ProcessingContext) -> None:
        """Promote what outlives the step to the session's context; nothing by default.

        Costs and counts are not promoted: they follow from the journal.
        """

    async def process(self) -> ProcessingResult:
        """Run the phases in order.

        A failure is a result with `success` false, never raised and never hidden; CLEANUP runs whatever happened, also
        when this is cancelled.

        Raises:
            ContractError: a strategy broke its contract, or a middleware raised it.
        """
        started = perf_counter()
        context = ProcessingContext(self.global_context, self.processor_context_class(self._start_values()))
        error: ProcessingException | None = None
        try:
            for middleware in self.middleware_chain:
                await middleware.before_process(self, context)
            error = await self._phases(context)
        finally:
            await self._clean_up(context)
        self._finalize_processing_context(context)
        result = self._result(context, error, perf_counter() - started)
        self._record(result)
        for middleware in reversed(self.middleware_chain):
            await middleware.after_process(self, result)
        return result

    async def _clean_up(self, context: ProcessingContext) -> None:
        if self._cleanup:
            with anyio.CancelScope(shield=True):
                for work in self._cleanup:
                    await self._phase(context, work)

    async def _phases(self, context: ProcessingContext) -> ProcessingException | None:
        for work in self._work:
            if (error := await self._phase(context, work)) is not None:
                return error
        return None

    async def _phase(self, context: ProcessingContext, work: Work) -> ProcessingException | None:
        """Run one phase; give the error that ends the step, if there is one."""
        phase, strategy, contract = work
        started = perf_counter()
        context.soft_failures.clear()
        fatal: ProcessingException | None = None
        try:
            await context.run(strategy, contract, self.agent)
        except ContractError:
            raise
        except Exception as cause:  # noqa: BLE001  whatever a strategy raises is a failure of its phase
            fatal = self._failure(phase, strategy.name, cause, context)
        errors = [self._failure(phase, name, cause, context) for name, cause in context.soft_failures]
        errors += [fatal] if fatal is not None else []
        context.phase_results[phase] = ProcessingResult(
            success=not errors,
            error=errors[-1] if errors else None,
            phase=phase,
            execution_time=perf_counter() - started,
            provided=tuple(key.name for key in contract.gives),
        )
        for error in errors:
            for middleware in self.middleware_chain:
                await middleware.on_error(self, error)
        return fatal

    def _failure(
        self, phase: ProcessingPhase, name: str, cause: Exception, context: ProcessingContext
    ) -> ProcessingException:
        values = {key.name: value for key, value in context.local_context.values.items()}
        error = ProcessingException(phase, name, cause, values)
        error.__cause__ = cause
        return error

    def _start_values(self) -> dict[Key[Any], Any]:
        session = self.global_context
        return {
            AGENT_NAME: self.agent.name,
            ContextNames.REQUEST: session.get(ContextNames.REQUEST),
            ContextNames.SESSION_STEP: session.get(ContextNames.SESSION_STEP),
            ContextNames.CURRENT_ROUND_STEP: session.get(ContextNames.CURRENT_ROUND_STEP),
            ContextNames.CURRENT_ROUND_ID: session.get(ContextNames.CURRENT_ROUND_ID),
            **self._get_processor_specific_context_data(),
        }

    def _result(
        self, context: ProcessingContext, fatal: ProcessingException | None, seconds: float
    ) -> ProcessingResult:
        phases = context.phase_results
        first = next((r.error for r in phases.values() if r.error is not None), None)
        return ProcessingResult(
            success=first is None,
            error=fatal or first,
            execution_time=seconds,
            phase_results=phases,
            stopped=fatal is not None,
        )

    def _record(self, result: ProcessingResult) -> None:
        phases = {phase.value: round(r.execution_time, 6) for phase, r in result.phase_results.items()}
        self.global_context.record(StepEnded(phases=phases, error=str(result.error.cause) if result.error else ""))
