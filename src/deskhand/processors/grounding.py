"""Places in words become places on the screen, by a model that points."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import anyio.to_thread

from deskhand.core.action import Action, At, Click, Described, DragTo, MoveTo, OnElement, Swipe
from deskhand.core.decision import AppDecision
from deskhand.core.errors import TargetNotFound, UnreadableReply
from deskhand.core.geometry import Box, Frame, Point, Size
from deskhand.core.message import ModelRequest, NotesPart, Part, PicturePart, Reply, SubtaskPart
from deskhand.core.observation import Image, Observation
from deskhand.core.ports import Dialect, Grounder, Journal
from deskhand.dialects.ground import GroundReply
from deskhand.perception.picture import enlarged
from deskhand.processors.interaction import READING_ATTEMPTS
from deskhand.processors.snapping import control_at

Ask = Callable[[ModelRequest], Awaitable[Reply]]
"""Puts a request to a model; who gives it writes down what was asked and what it cost."""


TIMES = 3
"""How many times as large a part is shown; as much smaller than the screen it is, so that it is shown as large."""
_LEAST = 100
"""Pixels of the screen that a part shows at least, each way: without its surroundings nothing can be told."""


class Cut(NamedTuple):
    """A picture, and the part of the screen that it shows."""

    image: Image
    box: Box


class SecondLook(NamedTuple):
    """Shows a part of a picture enlarged, where what is pointed at is no control known to be larger than `most`."""

    album: Journal
    most: int

    def is_wanted(self, point: Point, on: Observation) -> bool:
        control = control_at(point, on)
        return control is None or min(control.box.width, control.box.height) <= self.most

    async def around(self, point: Point, screen: Image) -> Cut:
        """Cut out what is around a point; at an edge it lies aside of the middle."""
        wide, high = (max(side // TIMES, min(side, _LEAST)) for side in screen.size)
        left = min(max(point.x - wide // 2, 0), screen.size.width - wide)
        top = min(max(point.y - high // 2, 0), screen.size.height - high)
        box = Box.at(left, top, wide, high)
        picture = await anyio.to_thread.run_sync(enlarged, self.album.read(screen), box, TIMES)
        self.album.keep(picture.data)
        return Cut(picture.image, box)


class ModelGrounder:
    """Finds places by asking a model that points; implements `Grounder`. Keeps nothing from call to call."""

    def __init__(self, ask: Ask, dialect: Dialect | None = None, closer: SecondLook | None = None) -> None:
        self._ask = ask
        self._dialect = dialect or GroundReply()
        self._closer = closer

    async def locate(self, text: str, on: Observation) -> At:
        """Give the pixel that the model points at.

        Raises:
            TargetNotFound: it gives no point inside the picture, however often it is asked.
            ModelError: it gives no answer.
        """
        first = await self._pointed(text, Cut(on.screen, Box.at(0, 0, *on.screen.size)))
        if self._closer is None or not self._closer.is_wanted(first.point, on):
            return first
        cut = await self._closer.around(first.point, on.screen)
        try:
            return await self._pointed(text, cut)
        except TargetNotFound:  # it was seen in the whole picture; what is around it may be needed to tell
            return first

    async def _pointed(self, text: str, cut: Cut) -> At:
        """Give the pixel of the screen that the model points at in a part of it; raises as `locate`."""
        frame = Frame(Size(cut.box.width, cut.box.height), cut.image.size)
        parts: tuple[Part, ...] = (SubtaskPart(text=text, application=""), PicturePart(image=cut.image))
        problem = ""
        for _ in range(READING_ATTEMPTS):
            notes = (NotesPart(notes=(problem,)),) if problem else ()
            reply = await self._ask(self._dialect.compose("grounder", (*parts, *notes)))
            try:
                decision = self._dialect.parse("grounder", reply, frame)
            except UnreadableReply as error:
                problem = f"Your last reply could not be read: {error}"
                continue
            x, y = _pointed_at(decision, text).point
            return At(point=Point(cut.box.left + x, cut.box.top + y))
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
