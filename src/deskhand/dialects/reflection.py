"""What a model is told that is to say why nothing came of an agent's steps, and how its answer is read."""

from __future__ import annotations

import json

from deskhand.core.message import ModelRequest, Part, Reply
from deskhand.dialects.json_reply import turn_of
from deskhand.dialects.layout import without_thinking
from deskhand.dialects.prompt import Prompts
from deskhand.dialects.quoting import cut
from deskhand.dialects.render import render_parts
from deskhand.dialects.unreadable import Unreadable

LONGEST = 800


class ReflectionReply:
    """Asks in words and reads words. Keeps nothing from call to call."""

    def __init__(self, prompts: Prompts | None = None) -> None:
        self._prompts = prompts or Prompts()

    def compose(self, parts: tuple[Part, ...]) -> ModelRequest:
        """Put the steps and what is seen into words."""
        turn = turn_of(parts, render_parts(parts))
        return ModelRequest(role="evaluator", system=self._prompts.filled("reflection"), parts=parts, turns=(turn,))

    def read(self, reply: Reply) -> str:
        """Give the advice as it is handed on: in quotes, since whoever gave it has read the screen.

        Raises:
            UnreadableReply: it says nothing.
        """
        said = " ".join(without_thinking(reply.text)[1].split())
        if not said:
            raise Unreadable("empty_response", "the reply says nothing")
        return f"Somebody who looked at it says: {json.dumps(cut(said, LONGEST), ensure_ascii=False)}"
