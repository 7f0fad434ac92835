"""The policy gate: nothing is done that it has not let pass."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from deskhand.core.action import Action
from deskhand.core.errors import NeedsUser
from deskhand.core.event import Event, Judged
from deskhand.core.observation import Observation
from deskhand.core.ports import User
from deskhand.processors.policy import Judgement, Policy
from deskhand.processors.wording import in_words

_logger = logging.getLogger(__name__)

_NOBODY = "nobody there"
"""Who decided, where nobody could be asked."""


class PolicyGate:
    """Asks the user where the policy says so, and writes down every judgement that is not a plain yes.

    Nobody there to ask, or a fault in the asking, means no. `allow_all` answers every ask with yes; it never lifts a
    deny. `album` is the folder that the pictures of what was seen are in, by their hash.
    """

    def __init__(
        self,
        policy: Policy,
        user: User,
        record: Callable[[Event], object],
        *,
        allow_all: bool = False,
        album: Path | None = None,
    ) -> None:
        self.allow_all = allow_all
        self._album = album
        self._policy = policy
        self._user = user
        self._record = record

    def lets_pass(self, action: Action, seen: Observation | None, window: str) -> bool:
        """Tell whether an action is done without a question."""
        return self._policy.judge(action, seen, window).verdict == "allow"

    async def refusal(self, action: Action, seen: Observation | None, window: str, *, approved: bool = False) -> str:
        """Say why an action must not be done; "" when it may.

        `approved` says that the user has just agreed to this very action.
        """
        judgement = self._policy.judge(action, seen, window)
        if judgement.verdict == "allow":
            return ""
        question = f"{judgement.rule}: {in_words(action, seen, window)} - go ahead?"
        allowed, by = await self._leave(judgement, question, seen, approved)
        verdict: Literal["ask", "deny"] = "ask" if judgement.verdict == "ask" else "deny"
        self._record(Judged(action=action, verdict=verdict, rule=judgement.rule, allowed=allowed, by=by))
        alone = ", as nobody was there to agree (--yes does)" if by == _NOBODY else ""
        return "" if allowed else f"not done: {judgement.rule} was refused{alone}; find another way or give up"

    async def _leave(
        self, judgement: Judgement, question: str, seen: Observation | None, approved: bool
    ) -> tuple[bool, str]:
        if judgement.verdict == "deny":
            return False, "policy"
        if approved:
            return True, "user"
        if self.allow_all:
            return True, "--yes"
        answer = await self.confirmed(question, seen)
        return (False, _NOBODY) if answer is None else (answer, "user")

    async def confirmed(self, question: str, seen: Observation | None) -> bool | None:
        """Ask for leave, with the picture of what was `seen`; None when nobody is there, or the asking goes wrong."""
        if seen is not None and self._album is not None:
            question = f"{question} (the screen: {self._album / seen.screen.sha256})"
        try:
            return await self._user.confirm(question)
        except NeedsUser:
            return None
        except Exception:  # foreign code; whatever its fault is, it gave no leave
            _logger.warning("the user could not be asked: %s", question, exc_info=True)
            return None
