"""The user who is not there."""

from __future__ import annotations

from deskhand.core.errors import NeedsUser


class NobodyThere:
    """Answers nothing: a question ends the run as one that needs the user, and leave is never given."""

    async def next_request(self) -> str | None:
        return None

    async def answer(self, question: str) -> str:
        raise NeedsUser(question)

    async def confirm(self, question: str) -> bool | None:
        return None
