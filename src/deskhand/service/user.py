"""The user who is asked over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import anyio

from deskhand.core.errors import NeedsUser

PATIENCE = 600.0
"""Seconds that an answer is waited for; then nobody is there."""
_YES = frozenset({"yes", "y", "true"})
_NO = frozenset({"no", "n", "false"})


class RemoteUser:
    """Puts a question, and waits until `reply` is called with the answer."""

    def __init__(self, changed: Callable[[], None], *, patience: float = PATIENCE) -> None:
        self.question = ""
        self.kind: Literal["answer", "confirm"] = "answer"
        self._changed = changed
        self._patience = patience
        self._answer: str | None = None
        self._answered = anyio.Event()

    async def next_request(self) -> str | None:
        return None

    async def answer(self, question: str) -> str:
        """Put a question.

        Raises:
            NeedsUser: nobody answered in time.
        """
        if (said := await self._ask("answer", question)) is None:
            raise NeedsUser(question)
        return said

    async def confirm(self, question: str) -> bool | None:
        said = await self._ask("confirm", question)
        return None if said is None else said.lower() in _YES

    def reply(self, answer: str) -> str:
        """Take an answer to the open question; say what is wrong with it, "" when it was taken."""
        if not self.question:
            return "no question is open"
        if self.kind == "confirm" and answer.strip().lower() not in _YES | _NO:
            return 'this is to be confirmed: answer "yes" or "no"'
        self._answer, self.question = answer.strip(), ""
        self._answered.set()
        return ""

    async def _ask(self, kind: Literal["answer", "confirm"], question: str) -> str | None:
        self.kind, self.question, self._answer, self._answered = kind, question, None, anyio.Event()
        self._changed()
        try:
            with anyio.move_on_after(self._patience):
                await self._answered.wait()
        finally:
            self.question = ""
            self._changed()
        return self._answer
