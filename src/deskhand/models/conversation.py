"""A request's turns as they are sent: speakers take turns, and no more pictures than the service takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from deskhand.core.errors import ContractError
from deskhand.core.message import ModelRequest, Turn
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

    @property
    def text(self) -> str | None:
        """All of it, when it holds no picture."""
        texts = [piece for piece in self.pieces if isinstance(piece, str)]
        return "\n\n".join(texts) if len(texts) == len(self.pieces) else None


def conversation(request: ModelRequest, pictures: int | None = None) -> tuple[Message, ...]:
    """Give the messages of a request with at most so many pictures, the latest; a line stands for each other.

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
        if pieces := tuple(_pieces(turn, place, shown, instead)):
            _say(messages, Message(turn.speaker, pieces, frozenset({len(pieces) - 1} if turn.cache else ())))
    return tuple(messages)


def count_pictures(request: ModelRequest) -> int:
    return sum(len(turn.pictures) for turn in request.turns)


def _latest(turns: tuple[Turn, ...], count: int | None) -> list[tuple[int, int]]:
    """Give the places of the last pictures, as numbers of turn and picture."""
    places = [(t, p) for t, turn in enumerate(turns) for p in range(len(turn.pictures))]
    return places if count is None else places[max(0, len(places) - count) :]


def _pieces(
    turn: Turn, place: int, shown: set[tuple[int, int]], instead: Mapping[tuple[int, int], str]
) -> Iterable[Piece]:
    for number, image in enumerate(turn.pictures):
        if (place, number) in shown:
            yield image
        elif told := instead.get((place, number)):
            yield told
    if turn.text.strip():
        yield whole(turn.text)


def _say(messages: list[Message], message: Message) -> None:
    """Append a message, to the one before when the same speaker goes on: some services insist on turns."""
    if messages and messages[-1].speaker == message.speaker:
        before = messages.pop()
        marks = before.marks | {len(before.pieces) + mark for mark in message.marks}
        message = Message(message.speaker, (*before.pieces, *message.pieces), marks)
    messages.append(message)
