"""The one place where services are called: tries, waits, lessons, limits, and what is said when it does not work."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import NoReturn, Self

import anyio

from deskhand.core.errors import DeskhandError, ModelRefused
from deskhand.core.message import (
    ApplicationsPart,
    ElementsPart,
    ModelRequest,
    Part,
    Reply,
    Role,
    Turn,
    Usage,
    Verbatim,
    WindowsPart,
)
from deskhand.core.ports import Pictures
from deskhand.models.conversation import conversation, count_pictures
from deskhand.models.judging import Fault, Trouble
from deskhand.models.learning import Lesson
from deskhand.models.remarks import remark
from deskhand.models.retry import Tries
from deskhand.models.service import Outcome, Service
from deskhand.models.spending import Account, Pace, estimate, usd
from deskhand.models.wire import Answer, Tokens


@dataclass
class ServiceModel:
    """A model behind a service. Use it as an async context manager to close its connections at the end."""

    name: str
    """Its spec, as the user wrote it."""
    service: Service
    account: Account
    pace: Pace
    key_hint: str = ""
    """What to do when the service does not take the key."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        with anyio.move_on_after(2, shield=True):
            await self.service.transport.aclose()

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Answer once, however many tries that takes.

        Raises:
            ModelBusy: the service gave no answer in time.
            ModelRefused: the service, or the model, does not take this request; says what to do.
            LimitReached: the budget of this model is used up.
            ContractError: the request has no turns.
        """
        conversation(request)
        options, spent, shorter = self.service.options, Tokens(), None
        tries = Tries(self._who(request), options.attempts, options.max_wait)
        try:
            while True:
                outcome = await self._send(shorter or request, pictures)
                spent = spent.and_(outcome.tokens if isinstance(outcome, Answer) else None)
                match outcome:
                    case Answer(finish="stop") if outcome.text.strip():
                        return self._reply(outcome, spent)
                    case Answer(finish="stop"):
                        await tries.after("an empty reply")
                    case Answer(finish="length") if shorter is None:
                        remark(f"{tries.who}: the reply was cut off; asking for a shorter one")
                        shorter = _shorter(request)
                    case Trouble():
                        await tries.after(self._masked(outcome.why), outcome.wait)
                    case Lesson():
                        remark(f"{tries.who}: it {outcome.learned}")
                    case Answer() | Fault():
                        self._refuse(request, outcome)
        except (DeskhandError, anyio.get_cancelled_exc_class()):
            self._lose(tries.who, spent)
            raise

    async def _send(self, request: ModelRequest, pictures: Pictures) -> Outcome:
        """Send a request once, when it is its turn and may be paid for."""
        self.account.check(f"models.{request.role}")
        self._check_sight(request)
        while (seconds := self.pace.wait()) > 0:
            remark(f"{self._who(request)}: waiting {seconds:.1f} s for the limits a minute")
            await anyio.sleep(seconds)
        began = self.pace.begin()
        outcome = await self.service.send(request, pictures)
        if isinstance(outcome, Answer):
            characters = len(request.system) + sum(len(turn.text) for turn in request.turns) + len(outcome.text)
            counted = self.account.spend(outcome.tokens, estimate(characters, count_pictures(request)))
            self.pace.end(began, counted)
        return outcome

    def _check_sight(self, request: ModelRequest) -> None:
        """See that a model that takes no pictures has something else to go by: nobody must act blind."""
        if self.service.shape.pictures != 0 or not count_pictures(request) or request.role == "host":
            return
        if not any(_tells(part, request.role) for part in request.parts):
            raise ModelRefused(
                f"{self._who(request)}: this model or its server takes no pictures, and there is nothing else to go by "
                f"here; set models.{request.role}.model to one that does"
            )

    def _refuse(self, request: ModelRequest, outcome: Answer | Fault) -> NoReturn:
        match outcome:
            case Fault():
                said = f"answers {outcome.status}: {self._masked(outcome.message)}"
                advice = outcome.advice or self.key_hint
            case Answer(finish="refusal"):
                said = f"the model declined: {outcome.text.strip()[:300]!r}"
                advice = "word the request otherwise or choose another model"
            case Answer(finish="filter"):
                said = f"a content filter of the service withheld the reply{f' ({outcome.why})' if outcome.why else ''}"
                advice = "word the request otherwise or choose another model"
            case _:
                written = f" after {outcome.tokens.written} tokens" if outcome.tokens else ""
                said = f"the reply was cut off twice{written}"
                advice = f"raise models.{request.role}.max_tokens"
        raise ModelRefused(f"{self._who(request)}: {said}; {advice}")

    def _reply(self, answer: Answer, spent: Tokens) -> Reply:
        verbatim = Verbatim(by=self.name, pieces=answer.pieces) if answer.pieces else None
        return Reply(
            text=answer.text, usage=self._usage(spent), model=self.name, verbatim=verbatim, checks=answer.checks
        )

    def _lose(self, who: str, spent: Tokens) -> None:
        """Tell what replies cost of which none is handed on, so that it counts, also when the session goes on."""
        if spent != Tokens():
            remark(f"{who}: {spent.read + spent.written} tokens came to nothing", self.name, self._usage(spent))

    def _usage(self, spent: Tokens) -> Usage:
        cost = usd(spent, self.account.options.prices)
        return Usage(input_tokens=spent.read, output_tokens=spent.written, usd=cost, cached_tokens=spent.cached)

    def _who(self, request: ModelRequest) -> str:
        return f"{request.role}: {self.name} at {self.service.url}"

    def _masked(self, text: str) -> str:
        transport = self.service.transport
        for key in filter(None, (transport.key, *transport.endpoint.may_be_keys())):
            text = text.replace(key, f"...{key[-4:]}" if len(key) > 8 else "...")
        return text


def _tells(part: Part, role: Role) -> bool:
    """Tell whether a part says what is on the screen, to an agent that has no picture of it."""
    match part:
        case ElementsPart(elements=told):
            return bool(told) and role != "grounder"
        case WindowsPart(windows=things) | ApplicationsPart(applications=things):
            return bool(things) and role == "planner"  # it can bring up or start one of them
        case _:
            return False


def _shorter(request: ModelRequest) -> ModelRequest:
    note = Turn(speaker="user", text="Your last reply was too long and was cut off. Answer again, more briefly.")
    return request.model_copy(update={"turns": (*request.turns, note)})
