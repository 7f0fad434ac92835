"""A whole conversation with a user: the loop of rounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio

# The states register themselves under their agents' managers.
from deskhand.agents import app_states, host_states  # noqa: F401
from deskhand.agents.agent import BasicAgent
from deskhand.agents.evaluation import EvaluationAgent
from deskhand.agents.host import HostAgent
from deskhand.core import shell
from deskhand.core.errors import (
    ContractError,
    DeviceError,
    JournalError,
    LimitReached,
    ModelError,
    NeedsUser,
    SettingsError,
    Stuck,
)
from deskhand.core.event import Evaluated, Noted, RoundStarted, Scope, SessionEnded, SessionResumed, SessionStarted
from deskhand.core.plan import Plan
from deskhand.core.status import AgentStatus, RunningMode, RunOutcome
from deskhand.core.value import Value
from deskhand.journal.view import View
from deskhand.processors.context import Context
from deskhand.session.listening import listening
from deskhand.session.round import ENDS, Round

NEW_SHELL = (
    "the shell is a new one, in the folder it began in: variables, functions, the folder it was in and what ran in the "
    "background are gone"
)


class SessionResult(Value):
    """How a session ended. `steps` are turns of the round loop, `seconds` are wall time."""

    outcome: RunOutcome
    answer: str | None
    rounds: int
    steps: int
    model_calls: int
    cost_usd: float
    seconds: float
    evaluations: tuple[Evaluated, ...] = ()
    """Of the rounds that were judged, in order."""

    @classmethod
    def of(cls, view: View, seconds: float) -> SessionResult:
        """Read it off a journal; a session without an end was interrupted."""
        return cls(
            outcome=view.outcome or RunOutcome.INTERRUPTED,
            answer=view.answer,
            rounds=len(view.rounds),
            steps=view.steps,
            model_calls=view.model_calls,
            cost_usd=round(view.usd, 6),
            seconds=round(seconds, 3),
            evaluations=tuple(each.evaluation for each in view.rounds if each.evaluation is not None),
        )


@dataclass
class BaseSession(ABC):
    """Runs rounds until there is no further request, or a round ended that no other can follow.

    Cancelling it ends it as interrupted, in the journal, at once; it can be resumed.
    """

    context: Context
    started: SessionStarted
    run_dir: Path | None = None
    """Where the journal is, when it is on disk."""
    host: BasicAgent = field(default_factory=HostAgent)
    """The agent that takes a request up and ends its round: a host, or one that works alone."""
    evaluator: EvaluationAgent | None = None
    """Who judges each round that is over; nobody unless given."""
    _outcome: RunOutcome | None = None
    _answer: str | None = None
    _spent: float = 0.0
    """Seconds in rounds; waiting for the user's next request does not count."""

    async def run(self) -> SessionResult:
        """Run to the end; what goes wrong is an outcome, told in `answer`.

        Raises:
            ContractError: it was run already; a session is made for each run, and goes on with `resume`.
        """
        if self.context.view.started is not None:
            raise ContractError("this session was run already; open another, or go on with resume")
        async with listening(self.context.listeners):
            self.context.record(self.started)
            return await self._guarded()

    def pause(self) -> None:
        """Hold the session before its next step or action; an answer of a model that is under way is waited for.

        Nothing is done to the device until `unpause`, so that its user may work there. What was decided before is done
        only if the screen is still what it was decided on. The limit of seconds stands still.
        """
        self.context.pause.begin()

    @property
    def is_paused(self) -> bool:
        return self.context.pause.is_on

    def unpause(self) -> None:
        """Let the session go on, with a look first; nothing if it is not held."""
        self.context.pause.end()

    async def resume(self, *, fresh: bool) -> SessionResult:
        """Go on with the round that is open in the journal; `fresh` says that the desktop was started anew.

        Raises:
            SettingsError: no round is open and none can follow.
        """
        if self.context.view.round is None and self.is_finished():
            rounds = self.context.view.rounds
            why = f"is over ({rounds[-1].outcome})" if rounds else "ended before it took up its request"
            raise SettingsError(f"there is nothing to resume: this run {why}")
        is_open = self.context.view.round is not None
        async with listening(self.context.listeners):
            self.context.record(SessionResumed(fresh=fresh))
            self._tell_of_a_new_shell()
            return await self._guarded((lambda: self._reopened(fresh=fresh)) if is_open else None)

    async def _guarded(self, reopened: Callable[[], Round] | None = None) -> SessionResult:
        began = anyio.current_time()
        ended = SessionEnded(outcome=RunOutcome.INTERRUPTED)  # unless it comes to its end
        try:
            async with self._outcomes():
                await self._rounds(reopened)
            assert self._outcome is not None  # set by whatever ended the loop
            ended = SessionEnded(outcome=self._outcome, answer=self._answer)
        finally:
            self.context.scope = Scope()
            self.context.record(ended)
        return SessionResult.of(self.context.view, anyio.current_time() - began)

    async def _rounds(self, reopened: Callable[[], Round] | None) -> None:
        if reopened is not None:
            await self._run_round(reopened())
        while not self.is_finished():
            if (round_ := await self.create_new_round()) is None:
                break
            await self._run_round(round_)

    @asynccontextmanager
    async def _outcomes(self) -> AsyncIterator[None]:
        """Make outcomes of errors that a user or operator can put right."""
        try:
            yield
            self._outcome = self._outcome or RunOutcome.FINISHED
        except LimitReached as error:
            self._outcome, self._answer = RunOutcome.LIMIT, str(error)
        except NeedsUser as error:
            self._outcome, self._answer = RunOutcome.NEEDS_USER, str(error)
        except Stuck as error:
            self._outcome, self._answer = RunOutcome.STUCK, str(error)
        except (DeviceError, ModelError) as error:
            self._outcome, self._answer = RunOutcome.ERROR, str(error)
        except JournalError:
            self._outcome = RunOutcome.ERROR  # nothing more can be written, so this is for the caller
            raise

    async def _run_round(self, round_: Round) -> None:
        left = self.context.limits.seconds - self._spent
        began = anyio.current_time()
        pause = self.context.pause
        held = pause.seconds
        with anyio.move_on_after(max(left, 0)) as scope:
            pause.stops(scope)
            self._outcome = await round_.run()
            self._answer = self._round_answer()
        self._spent += anyio.current_time() - began - (pause.seconds - held)
        if scope.cancelled_caught:
            raise self.context.limits.time_is_up()
        if self.evaluator is not None and self.context.view.round is None:
            await self.evaluator.evaluate(self.context)

    def _round_answer(self) -> str | None:
        last = self.context.view.rounds[-1]
        return last.answer if last.outcome is not None else self.host.reason(self.context) or None

    @abstractmethod
    async def next_request(self) -> str | None:
        """Give the next request; None when there is none."""

    def is_finished(self) -> bool:
        """Whether no further round may follow."""
        return self._outcome is RunOutcome.ERROR

    async def create_new_round(self) -> Round | None:
        """Begin a round with the next request; None when there is none.

        Raises:
            LimitReached: that would be one round too many.
        """
        await self.context.held()
        self.context.limits.check_round(self.context.view)
        if (request := await self.next_request()) is None:
            return None
        self.context.scope = Scope(round=len(self.context.view.rounds) + 1, step=self.context.view.steps)
        self.context.record(RoundStarted(request=request))
        self.host.status = AgentStatus.CONTINUE
        self.host.set_state(self.host.default_state)
        return Round(self.host, self.host, self.context)

    def _tell_of_a_new_shell(self) -> None:
        """Tell all agents that work in a shell what of it a resumed session has not; windows tell of themselves."""
        if self.context.platform == shell.PLATFORM:
            agents = {s.agent for r in self.context.view.rounds for s in r.subtasks if s.agent}
            for name in sorted(agents or {self.host.name}):
                self.context.record(Noted(text=NEW_SHELL), agent=name)

    def _reopened(self, *, fresh: bool) -> Round:
        """Take up the open round where the journal leaves it."""
        view = self.context.view
        round_ = view.round
        assert round_ is not None
        self.context.scope = Scope(round=round_.number, step=view.steps)
        if fresh:
            return self._restarted()
        for subtask in (s for r in view.rounds for s in r.subtasks if s.agent):
            self.host.restore(subtask.agent, subtask.window)
        agent = next((a for a in self.host.below if a.name == round_.agent), self.host)
        agent.status = AgentStatus(round_.status or AgentStatus.CONTINUE)
        if agent is self.host and agent.status is AgentStatus.ERROR:
            agent.status = AgentStatus.CONTINUE
        agent.set_state(agent.next_registered_state())
        if (action := view.uncertain) is not None:
            text = f"interrupted during {action.kind}: it may or may not have happened; look before doing it again"
            self.context.record(Noted(text=text), agent=agent.name)
        return Round(agent, self.host, self.context)

    def _restarted(self) -> Round:
        """Begin the first unfinished subtask again, on a desktop where nothing is open.

        One whose agent had reported its end is only handed back: what it did is not done twice.
        """
        round_ = self.context.view.round
        assert round_ is not None
        subtask = round_.subtask
        text = "the desktop was started anew: all windows are closed, what was not saved is lost"
        for name in {self.host.name, subtask.agent if subtask is not None else ""} - {""}:
            self.context.record(Noted(text=text), agent=name)
        if subtask is not None and subtask.agent == round_.agent and round_.status in ENDS:
            agent = self.host.restore(subtask.agent, subtask.window)
            agent.status = AgentStatus(round_.status)
        else:
            agent = self.host
            agent.status = AgentStatus.ASSIGN if subtask is not None else AgentStatus.CONTINUE
        agent.set_state(agent.next_registered_state())
        return Round(agent, self.host, self.context)


@dataclass
class Session(BaseSession):
    """A session of one request, or, without one and in normal mode, of as many as the user has."""

    async def next_request(self) -> str | None:
        if self.started.request and not self.context.view.rounds:
            return self.started.request
        return None if self.has_one_request else await self.context.user.next_request()

    def is_finished(self) -> bool:
        return super().is_finished() or (self.has_one_request and bool(self.context.view.rounds))

    @property
    def has_one_request(self) -> bool:
        mode = self.context.mode
        return mode is RunningMode.REQUEST or (mode is not RunningMode.NORMAL and bool(self.started.request))


@dataclass
class FollowerSession(BaseSession):
    """Follows a plan: a round for each step, in order, until one is given up."""

    plan: Plan = field(kw_only=True)

    async def next_request(self) -> str | None:
        return self.plan.steps[len(self.context.view.rounds)]

    def is_finished(self) -> bool:
        return super().is_finished() or is_followed(self.plan, self.context.view)


def is_followed(plan: Plan, view: View) -> bool:
    """Whether nothing of a plan is to be done any more: all steps are over, or one was given up."""
    given_up = bool(view.rounds) and view.rounds[-1].outcome is RunOutcome.FAILED
    return view.round is None and (given_up or len(view.rounds) == len(plan.steps))
