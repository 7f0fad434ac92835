"""What a session may use up at most; reaching one is an outcome of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from deskhand.core.errors import LimitReached
from deskhand.core.value import Value

if TYPE_CHECKING:
    from deskhand.journal.view import View


class Limits(Value):
    """Limits of a session. Every turn of the round loop counts as a step, also one that failed."""

    round_steps: int = Field(default=60, ge=1)
    session_steps: int = Field(default=300, ge=1)
    rounds: int = Field(default=50, ge=1)
    seconds: float = Field(default=1800.0, gt=0)
    """Of the whole session, without waiting for the user's next request."""
    usd: float = Field(default=5.0, ge=0)
    tokens: int | None = Field(default=None, ge=1)
    """Read and written by all models of the session; no limit unless set."""

    def check_step(self, view: View) -> None:
        """See whether another step may be taken.

        Raises:
            LimitReached: naming the limit and how to raise it.
        """
        taken = len(view.round.steps) if view.round is not None else 0
        if taken >= self.round_steps:
            raise _reached(f"{self.round_steps} steps in this round", "limits.round_steps")
        if view.steps >= self.session_steps:
            raise _reached(f"{self.session_steps} steps in this session", "limits.session_steps")
        if view.usd >= self.usd and view.usd > 0:
            raise _reached(f"${self.usd:.2f} for models (spent: ${view.usd:.2f})", "limits.usd")
        if self.tokens is not None and view.tokens >= self.tokens:
            raise _reached(f"{self.tokens} tokens for models (used: {view.tokens})", "limits.tokens")

    def steps_of_round(self, view: View) -> int:
        """Say how many steps the open round can have: fewer than `round_steps` near the end of the session's."""
        taken = len(view.round.steps) if view.round is not None else 0
        return min(self.round_steps, taken + self.session_steps - view.steps)

    def check_round(self, view: View) -> None:
        """See whether another round may be begun; raises as `check_step`."""
        if len(view.rounds) >= self.rounds:
            raise _reached(f"{self.rounds} rounds in this session", "limits.rounds")

    def shared(self, among: int, at_a_time: int) -> Limits:
        """Give the limits of each of `among` sessions, so many `at_a_time`, that keep to these together.

        Steps and rounds are each session's own.
        """
        tokens = self.tokens and max(1, self.tokens // among)
        seconds = self.seconds * min(1, at_a_time / among)
        return self.model_copy(update={"usd": self.usd / among, "tokens": tokens, "seconds": seconds})

    def time_is_up(self) -> LimitReached:
        return _reached(f"{self.seconds:g} seconds", "limits.seconds")


def _reached(what: str, setting: str) -> LimitReached:
    return LimitReached(f"the limit of {what} is reached; raise it with -c {setting}=...")
