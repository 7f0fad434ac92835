from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from deskhand.core.errors import ContractError
from deskhand.core.event import StepEnded
from deskhand.core.status import AgentStatus
from deskhand.processors.context import (
    Context,
    ProcessingContext,
    ProcessingException,
    ProcessingPhase,
    ProcessingResult,
)
from deskhand.processors.contracts import StrategyDependency, StrategyMetadataRegistry, depends_on, provides
from deskhand.processors.key import Key
from deskhand.processors.middleware import ProcessorMiddleware
from deskhand.processors.strategy import Actor, BaseProcessingStrategy, ComposedStrategy
from deskhand.processors.template import ProcessorTemplate
from tests.paper import context, events

A: Key[int] = Key("a")
B: Key[int] = Key("b")
C: Key[int] = Key("c")
DATA, THINK, ACT = (
    ProcessingPhase.DATA_COLLECTION,
    ProcessingPhase.LLM_INTERACTION,
    ProcessingPhase.ACTION_EXECUTION,
)


class Someone:
    name = "someone"
    status = AgentStatus.CONTINUE


@provides(A)
class GiveA(BaseProcessingStrategy):
    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        context.put(A, 1)


@depends_on(A)
@provides(B)
class AToB(BaseProcessingStrategy):
    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        context.put(B, context.get(A) + 1)


class Fails(BaseProcessingStrategy):
    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        raise ValueError("no luck")


class Notes(ProcessorMiddleware):
    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        self.log.append(f"before {self.name}")

    async def after_process(self, processor: ProcessorTemplate, result: ProcessingResult) -> None:
        self.log.append(f"after {self.name}")

    async def on_error(self, processor: ProcessorTemplate, error: ProcessingException) -> None:
        self.log.append(f"error {self.name}: {error.cause}")


class Seen(BaseProcessingStrategy):
    """Keeps what it finds."""

    def __init__(self, *keys: Key[Any]) -> None:
        super().__init__()
        self.keys, self.found = keys, []  # type: tuple[Key[Any], ...], list[Any]

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        self.found.extend(context.get(key) for key in self.keys)

    def get_dependencies(self) -> Sequence[StrategyDependency]:
        return [StrategyDependency(key) for key in self.keys]


def processor(
    strategies: dict[ProcessingPhase, BaseProcessingStrategy], middleware: Sequence[ProcessorMiddleware] = ()
) -> tuple[ProcessorTemplate, Context]:
    class Made(ProcessorTemplate):
        def _setup_strategies(self) -> None:
            self.strategies = strategies

        def _setup_middleware(self) -> None:
            self.middleware_chain = list(middleware)

    made = context(None)
    return Made(Someone(), made), made


def run(
    strategies: dict[ProcessingPhase, BaseProcessingStrategy], middleware: Sequence[ProcessorMiddleware] = ()
) -> ProcessingResult:
    return anyio.run(processor(strategies, middleware)[0].process)


def test_phases_run_in_their_order_and_hand_on_what_they_give() -> None:
    seen = Seen(A, B)

    result = run({ACT: seen, THINK: AToB(), DATA: GiveA()})

    assert result.success
    assert seen.found == [1, 2]
    assert list(result.phase_results) == [DATA, THINK, ACT]
    assert result.phase_results[THINK].provided == ("b",)
    assert all(r.execution_time >= 0 for r in result.phase_results.values())


def test_a_chain_that_lacks_a_value_cannot_be_made() -> None:
    with pytest.raises(ContractError, match=r"AToB depends on a, which nothing before it provides"):
        processor({DATA: AToB()})


def test_a_value_that_comes_too_late_is_a_lack_too() -> None:
    with pytest.raises(ContractError, match="AToB depends on a"):
        processor({DATA: AToB(), THINK: GiveA()})


def test_a_promise_that_is_not_kept_raises() -> None:
    @provides(A, C)
    class Promises(GiveA):
        pass

    with pytest.raises(ContractError, match="Promises promised and did not provide c; there are"):
        run({DATA: Promises()})


def test_reading_what_was_not_declared_raises() -> None:
    class Peeks(BaseProcessingStrategy):
        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            context.get(A)

    with pytest.raises(ContractError, match="Peeks reads a without declaring it"):
        run({DATA: GiveA(), THINK: Peeks()})


def test_writing_what_was_not_declared_raises() -> None:
    class Smuggles(BaseProcessingStrategy):
        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            context.put(A, 1)

    with pytest.raises(ContractError, match="Smuggles writes a without declaring it"):
        run({DATA: Smuggles()})


def test_a_missing_value_is_named_with_those_that_are_there() -> None:
    class Asks(BaseProcessingStrategy):
        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            context.require_local(C)

    with pytest.raises(ContractError, match=r"there is no c in this step; there are a, agent_name"):
        run({DATA: GiveA(), THINK: Asks()})


def test_a_value_that_is_gone_before_its_phase_raises() -> None:
    class Drops(Fails):
        def __init__(self) -> None:
            super().__init__(fail_fast=False)

        def get_provides(self) -> Sequence[Key[Any]]:
            return [A]

    with pytest.raises(ContractError, match="AToB cannot run without a"):
        run({DATA: Drops(), THINK: AToB()})


def test_an_optional_dependency_may_be_missing() -> None:
    class Might(BaseProcessingStrategy):
        found: int | None = 5

        def get_dependencies(self) -> Sequence[StrategyDependency]:
            return [StrategyDependency(A, required=False)]

        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            self.found = context.find(A)

    might = Might()
    assert run({DATA: might}).success
    assert might.found is None


def test_a_failure_stops_the_step_and_is_never_a_success() -> None:
    seen = Seen()

    result = run({DATA: Fails(), THINK: seen})

    assert not result.success
    assert result.stopped
    assert isinstance(result.error, ProcessingException)
    assert (result.error.phase, str(result.error.cause)) == (DATA, "no luck")
    assert "agent_name" in result.error.context_data
    assert list(result.phase_results) == [DATA]


def test_what_is_not_fail_fast_lets_the_step_go_on_and_still_counts_as_a_failure() -> None:
    seen = Seen()

    result = run({DATA: Fails(fail_fast=False), THINK: seen})

    assert not result.success
    assert not result.stopped
    assert THINK in result.phase_results
    assert not result.phase_results[DATA].success
    assert result.phase_results[THINK].success


def test_middleware_is_an_onion() -> None:
    log: list[str] = []

    run({DATA: GiveA()}, [Notes("outer", log), Notes("inner", log)])

    assert log == ["before outer", "before inner", "after inner", "after outer"]


def test_each_middleware_hears_of_a_failure_once_and_of_the_end() -> None:
    log: list[str] = []

    run({DATA: Fails()}, [Notes("outer", log), Notes("inner", log)])

    assert log[2:] == ["error outer: no luck", "error inner: no luck", "after inner", "after outer"]


def test_a_composed_strategy_sums_up_its_parts() -> None:
    composed = ComposedStrategy([GiveA(), AToB()])

    assert [d.key for d in composed.get_dependencies()] == []
    assert list(composed.get_provides()) == [A, B]
    assert [d.key for d in ComposedStrategy([AToB(), GiveA()]).get_dependencies()] == [A]


def test_the_parts_of_a_composed_strategy_see_at_once_what_went_before() -> None:
    seen = Seen(B)

    assert run({DATA: ComposedStrategy([GiveA(), AToB()]), THINK: seen}).success
    assert seen.found == [2]


def test_a_composed_part_is_held_to_its_own_contract() -> None:
    class Peeks(BaseProcessingStrategy):
        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            context.get(A)

    with pytest.raises(ContractError, match="Peeks reads a without declaring it"):
        run({DATA: ComposedStrategy([GiveA(), Peeks()])})


def test_a_composed_part_that_may_fail_does_not_end_the_others() -> None:
    result = run({DATA: ComposedStrategy([Fails(fail_fast=False), GiveA()]), THINK: AToB()})

    assert not result.success
    assert not result.stopped
    assert result.phase_results[THINK].success


def test_a_namesake_elsewhere_has_its_own_contract() -> None:
    def other() -> type[BaseProcessingStrategy]:
        class GiveA(BaseProcessingStrategy):
            async def execute(self, agent: Actor, context: ProcessingContext) -> None: ...

        return GiveA

    assert StrategyMetadataRegistry.gives_of(GiveA) == (A,)
    assert StrategyMetadataRegistry.gives_of(other()) == ()


def test_a_subclass_inherits_the_contract() -> None:
    class Child(AToB):
        pass

    assert StrategyMetadataRegistry.gives_of(Child) == (B,)


def test_cleanup_runs_after_a_failure() -> None:
    seen = Seen()
    result = run({DATA: Fails(), ProcessingPhase.CLEANUP: seen})

    assert ProcessingPhase.CLEANUP in result.phase_results


def test_cleanup_runs_when_the_step_is_cancelled() -> None:
    cleaned: list[str] = []

    class Waits(BaseProcessingStrategy):
        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            await anyio.sleep_forever()

    class Cleans(BaseProcessingStrategy):
        async def execute(self, agent: Actor, context: ProcessingContext) -> None:
            await asyncio.sleep(0)
            cleaned.append("yes")

    async def scene() -> None:
        made, _ = processor({DATA: Waits(), ProcessingPhase.CLEANUP: Cleans()})
        with anyio.move_on_after(0.01):
            await made.process()

    anyio.run(scene)
    assert cleaned == ["yes"]


def test_times_and_the_error_of_a_step_are_written_down() -> None:
    made, session = processor({DATA: GiveA(), THINK: Fails()})
    anyio.run(made.process)

    ended = events(session, StepEnded)[0]
    assert set(ended.phases) == {"data_collection", "llm_interaction"}
    assert ended.error == "no luck"
