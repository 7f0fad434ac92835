"""What a judge is told of several attempts at one request, and how its choice is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from deskhand.core.message import ModelRequest, Part, PicturePart, Reply
from deskhand.dialects.evaluation import VERDICT, Verdict, told_in_words, verdict_of
from deskhand.dialects.json_calls import folded
from deskhand.dialects.json_reply import turn_of
from deskhand.dialects.json_text import one_object
from deskhand.dialects.prompt import Prompts
from deskhand.dialects.unreadable import Unreadable

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "best": {"type": "integer"}, "complete": VERDICT},
    "required": ["reason", "best", "complete"],
    "additionalProperties": False,
}


class Told(NamedTuple):
    """One attempt, as the judge is told of it."""

    number: int
    parts: tuple[Part, ...]
    """Without the request, which is the same for all, and with a picture of its end where there is one."""


class Choice(NamedTuple):
    """What the judge said."""

    best: int
    """The number of an attempt."""
    reason: str
    complete: Verdict
    """Whether that one fulfils the request."""


class ChoiceReply:
    """Asks which attempt is the best as one JSON object, and reads it. Keeps nothing from call to call."""

    def __init__(self, prompts: Prompts | None = None) -> None:
        self._prompts = prompts or Prompts()

    def compose(self, request: str, attempts: Sequence[Told], notes: tuple[Part, ...] = ()) -> ModelRequest:
        """Put what is known of the attempts into words; `notes` come last."""
        said = [f"The user's request:\n{request}"]
        for attempt in attempts:
            said.append(f"# Attempt {attempt.number}\n\n{told_in_words(attempt.parts)}")
        said += [told_in_words(notes)] if notes else []
        pictures = tuple(part for attempt in attempts for part in attempt.parts if isinstance(part, PicturePart))
        turn = turn_of(pictures, "\n\n".join(said))
        system = self._prompts.filled("choosing")
        return ModelRequest(role="evaluator", system=system, parts=pictures, turns=(turn,), reply_schema=dict(SCHEMA))

    def read(self, reply: Reply, numbers: Sequence[int]) -> Choice:
        """Read the one JSON object of a reply.

        Raises:
            UnreadableReply: there is none, or it names no attempt there was.
        """
        fields = folded(one_object(reply.text))
        best = fields.get("best")
        if isinstance(best, bool) or str(best).strip() not in map(str, numbers):
            raise Unreadable("type_error", f"`best` is {best!r}; give the number of one attempt: {_listed(numbers)}")
        reason = fields.get("reason")
        complete = verdict_of(fields.get("complete"), "complete")
        return Choice(int(str(best)), " ".join(reason.split()) if isinstance(reason, str) else "", complete)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
