"""Dialects, models and grounders arranged as agents that say what comes next and leave the doing to the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from deskhand.core.action import Action, CallUser
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Frame
from deskhand.core.message import (
    ElementsPart,
    HistoryPart,
    ModelRequest,
    NotesPart,
    Part,
    PastStep,
    PicturePart,
    Reply,
    RequestPart,
)
from deskhand.core.observation import Image, Look, Observation
from deskhand.core.ports import Grounder, Model
from deskhand.core.value import Value
from deskhand.dialects.ground import GroundReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.own_form import OwnReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.reading import Reading
from deskhand.perception.ground import LexiconGrounder
from deskhand.perception.picture import picture_from_png
from deskhand.processors.grounding import ModelGrounder, grounded
from deskhand.processors.interaction import READING_ATTEMPTS

Seen = Look | Mapping[str, bytes]
"""What is on the screen: a device's look, or a PNG file as `screenshot`."""

T = TypeVar("T")


class Info(Value):
    """What a prediction came from."""

    thought: str = ""
    instruction: str = ""
    """What is to be done, in words."""
    repaired: bool = False
    replies: tuple[Reply, ...] = ()
    """Every reply of the model that decides, also those that could not be read."""


class NativeAgent:
    """One model that plans and points: one call a step. Remembers its operations until `reset`."""

    def __init__(self, model: Model, dialect: NativeReply | OwnReply | None = None) -> None:
        self._model = model
        self._dialect = dialect or NativeReply()
        self._steps: list[PastStep] = []

    async def predict(self, instruction: str, observation: Seen) -> tuple[Info, tuple[Action, ...]]:
        """Say what comes next, all of it, `terminate` and `call_user` too; pixels are those of the picture.

        Raises:
            UnreadableReply: the last of the attempts could not be read either.
            ModelError: the model gives no answer.
        """
        sight = _sight(observation)
        parts = (RequestPart(text=instruction), HistoryPart(steps=tuple(self._steps)), sight.picture)
        asking = _Asking(self._model, sight, lambda parts: self._dialect.compose("app", parts))
        reading, replies = await asking.until_read(parts, self._dialect.read)
        done = _past(self._steps, reading, reading.actions)
        # Whether the user agreed to what the service wanted is not known here, so that cannot be told it either.
        self._steps.append(done if replies[-1].checks else done.model_copy(update={"reply": replies[-1]}))
        # What the service wants the user to agree to comes first: whoever does the actions has to ask that.
        checks = tuple(CallUser(question=check) for check in replies[-1].checks)
        return _info(reading, replies), (*checks, *reading.actions)

    def reset(self) -> None:
        """Forget what was done."""
        self._steps.clear()


class UIGroundingAgent:
    """A model that points at what is described. Remembers nothing."""

    def __init__(self, model: Model, dialect: GroundReply | None = None) -> None:
        self._model = model
        self._dialect = dialect or GroundReply()

    async def predict(self, instruction: str, observation: Seen) -> tuple[Info, tuple[Action, ...]]:
        """Give the described place as a click on it, or the swipe that was asked for.

        Raises:
            UnreadableReply: the last of the attempts could not be read either.
            ModelError: the model gives no answer.
        """
        sight = _sight(observation)
        asking = _Asking(self._model, sight, lambda parts: self._dialect.compose("grounder", parts))
        action, replies = await asking.until_read((RequestPart(text=instruction), sight.picture), self._dialect.point)
        return Info(instruction=instruction, replies=replies), (action,)

    def grounder(self, observation: Seen) -> ModelGrounder:
        """Give this agent as a grounder for one look."""
        sight = _sight(observation)

        async def ask(request: ModelRequest) -> Reply:
            return await self._model.ask(request, sight)

        return ModelGrounder(ask, self._dialect)


class AgenticWorkflow:
    """A model that plans and a grounder that points. Keeps the conversation with the planner until `reset`."""

    def __init__(
        self, planner: Model, grounder: UIGroundingAgent | Grounder | None = None, dialect: PlanReply | None = None
    ) -> None:
        self._planner = planner
        self._grounder = grounder or LexiconGrounder()
        self._dialect = dialect or PlanReply()
        self._steps: list[PastStep] = []

    async def predict(self, instruction: str, observation: Seen) -> tuple[Info, tuple[Action, ...]]:
        """Say what comes next; only what has a place is looked for, by the built-in grounder where none was given.

        Raises:
            UnreadableReply: the last of the attempts could not be read either.
            TargetNotFound: what the planner described is not on the screen.
            ModelError: a model gives no answer.
        """
        sight = _sight(observation)
        parts: tuple[Part, ...] = (RequestPart(text=instruction), HistoryPart(steps=tuple(self._steps)), sight.picture)
        if sight.observation.elements:
            parts = (*parts, ElementsPart(elements=sight.observation.elements))
        asking = _Asking(self._planner, sight, lambda parts: self._dialect.compose("planner", parts))
        reading, replies = await asking.until_read(parts, self._dialect.read)
        pointing = self._grounder
        grounder = pointing.grounder(observation) if isinstance(pointing, UIGroundingAgent) else pointing
        actions = tuple([await grounded(action, grounder, sight.observation) for action in reading.actions])
        self._steps.append(_past(self._steps, reading, actions))
        return _info(reading, replies), actions

    def reset(self) -> None:
        """Forget the conversation."""
        self._steps.clear()


class _Sight(NamedTuple):
    """An observation, and its pictures for whoever sends them."""

    observation: Observation
    pictures: Mapping[str, bytes]

    def read(self, image: Image) -> bytes:
        return self.pictures[image.sha256]

    @property
    def picture(self) -> PicturePart:
        return PicturePart(image=self.observation.screen)


class _Asking(NamedTuple):
    """A model, what it is shown, and how it is asked."""

    model: Model
    sight: _Sight
    compose: Callable[[tuple[Part, ...]], ModelRequest]

    async def until_read(self, parts: tuple[Part, ...], read: Callable[[str, Frame], T]) -> tuple[T, tuple[Reply, ...]]:
        """Ask until the reply can be read, what was wrong with it quoted; also give all replies.

        Raises:
            UnreadableReply: the last of the attempts could not be read either.
            ModelError: the model gives no answer.
        """
        size = self.sight.observation.screen.size
        replies: list[Reply] = []
        while True:
            replies.append(await self.model.ask(self.compose(parts), self.sight))
            try:
                return read(replies[-1].text, Frame(size, size)), tuple(replies)
            except UnreadableReply as error:
                if len(replies) == READING_ATTEMPTS:
                    raise
                parts = (*parts, NotesPart(notes=(f"Your last reply could not be read: {error}",)))


def _sight(seen: Seen) -> _Sight:
    if isinstance(seen, Look):
        return _Sight(*seen)
    picture = picture_from_png(seen["screenshot"])
    return _Sight(Observation(screen=picture.image), {picture.image.sha256: picture.data})


def _past(steps: Sequence[PastStep], reading: Reading, actions: tuple[Action, ...]) -> PastStep:
    said = reading.actions if reading.actions != actions else ()
    return PastStep(step=len(steps) + 1, thought=reading.instruction, actions=actions, said=said)


def _info(reading: Reading, replies: tuple[Reply, ...]) -> Info:
    return Info(thought=reading.thought, instruction=reading.instruction, repaired=reading.repaired, replies=replies)
