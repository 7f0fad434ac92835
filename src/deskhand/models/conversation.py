"""A request's turns as they are sent: speakers take turns, and no more pictures than the service takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from deskhand.core.errors import ContractError
from deskhand.core.message import Answers, ModelRequest, Turn
from deskhand.core.observation import Image
from deskhand.core.text import whole

LEFT_OUT = "[a picture was left out here]"
NONE_SHOWN = "[no pictures can be shown to you: what is told in words is all there is to go by]"
"""What stands, once, where the last would be, for a model that takes none."""

Piece = str | Image


class Message(NamedTuple):
    """What one speaker says before the other goes on; no text in it is empty."""

    speaker: Literal["user", "assistant"]
    pieces: tuple[Piece, ...]
    marks: frozenset[int] = frozenset()
    """The places of pieces that end what stays the same in the next request."""
    verbatim: tuple[Mapping[str, Any], ...] = ()
    """The same as the service gave it, where it is a reply of the very model that is asked now."""
    answers: Answers | None = None
    """What came of the reply before, where that is `verbatim`; the texts of the pieces do not say it then."""

    @property
    def text(self) -> str | None:
        """All of it, when it holds no picture."""
        texts = [piece for piece in self.pieces if isinstance(piece, str)]
        return "\n\n".join(texts) if len(texts) == len(self.pieces) else None


def conversation(request: ModelRequest, pictures: int | None = None, by: str = "") -> tuple[Message, ...]:
    """Give the messages of a request with at most so many pictures, the latest; a line stands for each other.

    What the model `by` said itself is given as it said it, too, and what came of that call by call.

    Raises:
        ContractError: nothing is said in it, or pictures are in the model's own mouth.
    """
    if not any(turn.text.strip() or turn.pictures for turn in request.turns):
        raise ContractError(f"the request to the {request.role} has no turns: its dialect must compose them")
    places = _latest(request.turns, None)
    shown = set(_latest(request.turns, pictures))
    instead = dict.fromkeys(places, LEFT_OUT) if pictures != 0 else dict.fromkeys(places[-1:], NONE_SHOWN)
    messages: list[Message] = []
    for place, turn in enumerate(request.turns):
        if turn.speaker == "assistant" and turn.pictures:
            raise ContractError("an assistant's turn holds pictures; only a user shows some")
        verbatim = turn.verbatim.pieces if turn.verbatim is not None and turn.verbatim.by == by else ()
        answers = turn.answers if messages and messages[-1].verbatim else None
        told = turn.text if answers is None else answers.besides
        pieces = (*_pictured(turn, place, shown, instead), *((whole(told),) if told.strip() else ()))
        if pieces or answers is not None:
            marks = frozenset({len(pieces) - 1} if turn.cache and pieces else ())
            _say(messages, Message(turn.speaker, pieces, marks, verbatim, answers))
    return tuple(messages)


def count_pictures(request: ModelRequest) -> int:
    return sum(len(turn.pictures) for turn in request.turns)


def _latest(turns: tuple[Turn, ...], count: int | None) -> list[tuple[int, int]]:
    """Give the places of the last pictures, as numbers of turn and picture."""
    places = [(t, p) for t, turn in enumerate(turns) for p in range(len(turn.pictures))]
    return places if count is None else places[max(0, len(places) - count) :]


def _pictured(
    turn: Turn, place: int, shown: set[tuple[int, int]], instead: Mapping[tuple[int, int], str]
) -> Iterable[Piece]:
    for number, image in enumerate(turn.pictures):
        if (place, number) in shown:
            yield image
        elif told := instead.get((place, number)):
            yield told


def _say(messages: list[Message], message: Message) -> None:
    """Append a message, to the one before when the same speaker goes on: some services insist on turns."""
    if messages and messages[-1].speaker == message.speaker:
        before = messages.pop()
        marks = before.marks | {len(before.pieces) + mark for mark in message.marks}
        message = Message(message.speaker, (*before.pieces, *message.pieces), marks, (), before.answers)
    messages.append(message)
