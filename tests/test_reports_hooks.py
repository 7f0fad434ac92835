"""R154: hooks for the start and end of sessions, rounds and steps, for success and for failure."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest

from deskhand.core.errors import JournalError
from deskhand.core.event import Event, Record, Scope, StepEnded
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Model, Pictures
from deskhand.core.status import RunOutcome
from deskhand.journal.memory import MemoryJournal
from deskhand.processors.context import Context
from deskhand.session.session import SessionResult
from deskhand.testing import ScriptedModel
from tests.paper import app, context, host, one_subtask, session, write

FRAMES = ("session.started", "round.started", "step.started", "step.ended", "round.ended", "session.ended")


class Silent:
    """Never answers."""

    name = "silent"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError


def run(made: Context) -> SessionResult:
    return anyio.run(session(made).run)


def framing(records: list[Record]) -> list[str]:
    return [r.event.kind for r in records if r.event.kind in FRAMES]


def test_r154_waiting_and_plain_listeners_hear_each_event_once_and_in_order() -> None:
    plain: list[Record] = []
    waited: list[Record] = []

    async def wait(record: Record) -> None:
        await anyio.lowlevel.checkpoint()
        waited.append(record)

    class Object:
        async def __call__(self, record: Record) -> None:
            called.append(record)

    called: list[Record] = []
    made = context(one_subtask(app("CONTINUE", write("x")), app("FINISH")))
    made.listeners += [plain.append, wait, Object()]

    assert run(made).outcome is RunOutcome.FINISHED

    assert plain == waited == called == list(made.journal.records())
    heard = framing(waited)
    assert heard[:3] == ["session.started", "round.started", "step.started"]
    assert heard[-2:] == ["round.ended", "session.ended"]
    assert heard.count("session.started") == heard.count("session.ended") == 1
    assert heard.count("step.ended") == 4  # the host's two and the app agent's two; other states have no phases


def test_r154_faults_of_listeners_are_logged_and_end_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(record: Record) -> None:
        raise RuntimeError(f"cannot bear {record.event.kind}")

    made = context(ScriptedModel(host()))
    made.listeners.append(broken)

    assert run(made).outcome is RunOutcome.FINISHED
    assert sum("a listener failed on" in line for line in caplog.messages) == len(list(made.journal.records()))


def test_r154_a_failure_is_heard_with_its_reason() -> None:
    heard: list[Record] = []

    async def hear(record: Record) -> None:
        heard.append(record)

    made = context(ScriptedModel(RuntimeError("the model broke")))
    made.listeners.append(hear)

    assert run(made).outcome is RunOutcome.ERROR
    assert [r.event.error for r in heard if isinstance(r.event, StepEnded)] == ["the model broke"]


@pytest.mark.parametrize("model", [ScriptedModel(host()), Silent()], ids=["at its end", "in the middle"])
def test_r154_a_listener_that_hangs_does_not_hold_up_a_cancellation(model: Model) -> None:
    async def scene() -> float:
        async def hang(_record: Record) -> None:
            await anyio.sleep_forever()

        made = context(model)
        made.listeners.append(hang)
        began = anyio.current_time()
        with anyio.move_on_after(0.1):
            await session(made).run()
        return anyio.current_time() - began

    assert anyio.run(scene) < 2


def test_r154_what_a_session_raises_is_not_wrapped_for_those_who_listen() -> None:
    class Full(MemoryJournal):
        def append(self, event: Event, scope: Scope) -> Record:
            if event.kind == "observed":
                raise JournalError("full") from OSError("no space")
            return super().append(event, scope)

    async def hear(record: Record) -> None:
        pass

    made = context(ScriptedModel(host()), journal=Full())
    made.listeners.append(hear)

    with pytest.raises(JournalError, match="full") as raised:
        run(made)
    assert isinstance(raised.value.__cause__, OSError)
