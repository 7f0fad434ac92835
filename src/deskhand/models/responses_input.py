"""What is put into a request of OpenAI's responses: messages, and items of replies with what came of their calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from deskhand.core.message import Answers, CameOf
from deskhand.core.observation import Image
from deskhand.models.conversation import LEFT_OUT, NONE_SHOWN, Message, Piece
from deskhand.models.openai import data_url
from deskhand.models.wire import Read

_PREVIEW = "computer-use-preview"
"""The model that is told of its tool with the size of the screen; later ones see it from the picture."""


def is_preview(model: str) -> bool:
    return _PREVIEW in model


def detail_for(model: str) -> str:
    return "auto" if is_preview(model) else "original"


def actions_in(call: Mapping[str, Any]) -> Sequence[Any]:
    """Give the actions of a call of the computer: a batch, or the preview's only one."""
    return call.get("actions") or [call.get("action")]


class _Around(NamedTuple):
    read: Read
    detail: str


def input_items(messages: Sequence[Message], read: Read, detail: str) -> list[dict[str, Any]]:
    """Give the items; a reply is given back as it came where each of its calls can be answered, else told in words."""
    around, items = _Around(read, detail), list[dict[str, Any]]()
    before: Message | None = None
    for place, message in enumerate(messages):
        after = messages[place + 1] if place + 1 < len(messages) else None
        if message.verbatim and after is not None and _answerable(message, after):
            items += [dict(item) for item in message.verbatim]
        elif message.answers is not None and before is not None and _answerable(before, message):
            items += _answered(before, message, message.answers, around)
        else:
            items += _in_words(message, around)
        before = message
    return items


def _answerable(reply: Message, after: Message) -> bool:
    """Tell whether all calls of a reply can be answered: with a picture, and with leave where that is wanted."""
    if after.answers is None or not reply.verbatim:
        return False
    computer = [item for item in reply.verbatim if item.get("type") == "computer_call"]
    checked = any(item.get("pending_safety_checks") for item in computer)
    shown = any(isinstance(piece, Image) for piece in after.pieces)
    return (shown or not computer) and (after.answers.leave or not checked)


def _answered(reply: Message, message: Message, answers: Answers, around: _Around) -> Iterator[dict[str, Any]]:
    """Answer each call; the picture is the same for all of them, as all have been done when it is taken."""
    shown = [piece for piece in message.pieces if isinstance(piece, Image)]
    came, told = iter(answers.calls), list[str]()
    for item in reply.verbatim:
        if item.get("type") == "computer_call":
            results = [next(came, CameOf(text="done")) for _ in actions_in(item)]
            told += [result.text for result in results if result.outcome in ("failed", "not done")]
            yield _screenshot(item, shown[-1], around)
        elif item.get("type") == "function_call":
            output = next(came, CameOf(text="done")).text
            yield {"type": "function_call_output", "call_id": item["call_id"], "output": output}
    # With a call of the computer, the last picture stands in its answer already.
    rest = shown[:-1] if any(item.get("type") == "computer_call" for item in reply.verbatim) else shown
    said = [piece for piece in message.pieces if isinstance(piece, str) and piece not in (LEFT_OUT, NONE_SHOWN)]
    failed = ["Of your actions:\n" + "\n".join(f"- {line}" for line in told)] if told else []
    pieces: tuple[Piece, ...] = (*rest, *failed, *said)
    if pieces:
        yield from _in_words(Message("user", pieces), around)


def _screenshot(call: Mapping[str, Any], image: Image, around: _Around) -> dict[str, Any]:
    output = {"type": "computer_screenshot", "image_url": data_url(image, around.read)}
    if around.detail != "auto":
        output["detail"] = around.detail
    answer: dict[str, Any] = {"type": "computer_call_output", "call_id": call["call_id"], "output": output}
    if checks := call.get("pending_safety_checks"):
        answer["acknowledged_safety_checks"] = [dict(check) for check in checks]  # only ever sent with leave
    return answer


def _in_words(message: Message, around: _Around) -> Iterator[dict[str, Any]]:
    pieces = message.pieces
    if message.answers is not None and message.answers.calls:
        pieces = (*pieces, "What came of it:\n" + "\n".join(f"- {came.text}" for came in message.answers.calls))
    if not pieces:
        return
    text = message._replace(pieces=pieces).text
    content = text if text is not None else [_part(piece, around) for piece in pieces]
    yield {"role": message.speaker, "content": content}


def _part(piece: Piece, around: _Around) -> dict[str, Any]:
    if isinstance(piece, str):
        return {"type": "input_text", "text": piece}
    return {"type": "input_image", "image_url": data_url(piece, around.read), "detail": around.detail}
