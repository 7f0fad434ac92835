"""Places in words become places on the screen, by a model that points."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from deskhand.core.action import Action, At, Click, Described, DragTo, MoveTo, OnElement, Swipe
from deskhand.core.decision import AppDecision
from deskhand.core.errors import TargetNotFound, UnreadableReply
from deskhand.core.geometry import Frame
from deskhand.core.message import ModelRequest, NotesPart, Part, PicturePart, Reply, SubtaskPart
from deskhand.core.observation import Observation
from deskhand.core.ports import Dialect, Grounder
from deskhand.dialects.ground import GroundReply
from deskhand.processors.interaction import READING_ATTEMPTS

Ask = Callable[[ModelRequest], Awaitable[Reply]]
"""Puts a request to a model; who gives it writes down what was asked and what it cost."""


class ModelGrounder:
    """Finds places by asking a model that points; implements `Grounder`. Keeps nothing from call to call."""

    def __init__(self, ask: Ask, dialect: Dialect | None = None) -> None:
        self._ask = ask
        self._dialect = dialect or GroundReply()

    async def locate(self, text: str, on: Observation) -> At:
        """Give the pixel that the model points at.

        Raises:
            TargetNotFound: it gives no point inside the picture, however often it is asked.
            ModelError: it gives no answer.
        """
        size = on.screen.size
        parts: tuple[Part, ...] = (SubtaskPart(text=text, application=""), PicturePart(image=on.screen))
        problem = ""
        for _ in range(READING_ATTEMPTS):
            notes = (NotesPart(notes=(problem,)),) if problem else ()
            reply = await self._ask(self._dialect.compose("grounder", (*parts, *notes)))
            try:
                decision = self._dialect.parse("grounder", reply, Frame(size, size))
            except UnreadableReply as error:
                problem = f"Your last reply could not be read: {error}"
                continue
            return _pointed_at(decision, text)
        raise TargetNotFound(f"{text!r} was not found in the picture: {problem}")


def _pointed_at(decision: object, text: str) -> At:
    match decision:
        case AppDecision(actions=(Click(target=At() as place) | MoveTo(target=At() as place), *_)):
            return place
    raise TargetNotFound(f"{text!r}: the grounder gave something else than a point")


def has_words(action: Action) -> bool:
    """Whether a place of the action is still put in words."""
    return any(isinstance(getattr(action, field), Described) for field in _places(action))


async def grounded(action: Action, grounder: Grounder, on: Observation) -> Action:
    """Turn the places in words of an action into places; an action without any is given back as it is.

    Raises:
        TargetNotFound: nothing fits, or several things do.
    """
    changes: dict[str, At | OnElement] = {}
    for field in _places(action):
        if isinstance(place := getattr(action, field), Described):
            changes[field] = await grounder.locate(place.text, on)
    return action.model_copy(update=changes) if changes else action


def _places(action: Action) -> tuple[str, ...]:
    match action:
        case DragTo():
            return ("target", "start")
        case Swipe():
            return ("from_coord", "to_coord")
        case _:
            return ("target",) if hasattr(action, "target") else ()
