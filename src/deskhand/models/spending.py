"""What calls cost, how much they may cost, and how fast they may come."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from time import monotonic

from deskhand.core.errors import LimitReached
from deskhand.core.message import Usage
from deskhand.models.options import ModelSettings, Prices
from deskhand.models.remarks import remark
from deskhand.models.wire import Tokens

MILLION = 1_000_000
MINUTE = 60.0
CHARACTERS_A_TOKEN = 3
TOKENS_A_PICTURE = 1500
"""Estimates on the safe side, for services that do not tell what they counted."""


def estimate(characters: int, pictures: int) -> int:
    """Guess how many tokens a request and its reply were."""
    return characters // CHARACTERS_A_TOKEN + pictures * TOKENS_A_PICTURE


def usd(tokens: Tokens, prices: Prices) -> float:
    """Give the price of a reply in US dollars."""
    cached = prices.input if prices.cached is None else prices.cached
    kept = prices.input if prices.cache_write is None else prices.cache_write
    plain = max(0, tokens.read - tokens.cached - tokens.kept)
    parts = (plain * prices.input, tokens.cached * cached, tokens.kept * kept, tokens.written * prices.output)
    return sum(parts) / MILLION


@dataclass
class Account:
    """What one model has used in this session, and where that must end."""

    name: str
    options: ModelSettings
    paid: bool = False
    """Whether the service is one that takes money."""
    tokens: int = 0
    usd: float = 0.0
    _said: set[str] = field(default_factory=set)
    """What was told, once."""

    @property
    def priced(self) -> bool:
        return bool(self.options.prices.input or self.options.prices.output)

    def before(self, usage: Usage) -> None:
        """Write down what it used before, in a session that goes on."""
        self.tokens += usage.input_tokens + usage.output_tokens
        self.usd += usage.usd

    def check(self, setting: str) -> None:
        """See whether another call may be made; `setting` is where the budget stands.

        Raises:
            LimitReached: the budget is used up.
        """
        tokens, dollars = self.options.budget_tokens, self.options.budget_usd
        if tokens is not None and self.tokens >= tokens:
            used = f"{tokens} tokens for {self.name} (used: {self.tokens})"
            raise LimitReached(f"the limit of {used} is reached; raise it with -c {setting}.budget_tokens=...")
        if dollars is not None and self.usd >= dollars:
            used = f"${dollars:.2f} for {self.name} (spent: ${self.usd:.2f})"
            raise LimitReached(f"the limit of {used} is reached; raise it with -c {setting}.budget_usd=...")

    def spend(self, tokens: Tokens | None, estimate: int) -> int:
        """Write down a reply; gives what counts against limits: its tokens, or else the estimate."""
        counted = estimate if tokens is None else tokens.read + tokens.written
        self.tokens += counted
        self.usd += usd(tokens or Tokens(), self.options.prices)
        if tokens is None:
            self._say("does not tell how many tokens it counts; its cost is unknown")
        elif tokens.read >= self.options.large_request:
            remark(f"{self.name} read a request of {tokens.read} tokens")
        if self.paid and not self.priced:
            self._say("has no prices in the settings, so that limits of money cannot hold")
        return counted

    def _say(self, what: str) -> None:
        if what not in self._said:
            remark(f"{self.name} {what}")
        self._said.add(what)


@dataclass
class Pace:
    """Keeps calls below so many requests and tokens in any minute; 0 is no limit."""

    requests: int = 0
    tokens: int = 0
    _past: deque[tuple[float, int]] = field(default_factory=deque)
    """When each call of the last minute began, and what it cost; 0 tokens while it is not over."""

    def wait(self) -> float:
        """Give the seconds until the next call may be made."""
        now = monotonic()
        while self._past and self._past[0][0] <= now - MINUTE:
            self._past.popleft()
        free = now
        if self.requests and len(self._past) >= self.requests:
            free = self._past[len(self._past) - self.requests][0] + MINUTE
        if self.tokens and (crowding := self._crowding()) is not None:
            free = max(free, crowding + MINUTE)
        return max(0.0, free - now)

    def begin(self) -> float:
        """Count a call; gives its name for `end`."""
        began = monotonic()
        self._past.append((began, 0))
        return began

    def end(self, began: float, tokens: int) -> None:
        for place, (when, _) in enumerate(self._past):
            if when == began:
                self._past[place] = (when, tokens)
                return

    def _crowding(self) -> float | None:
        """Give the time of the call that has to be a minute old before the sum of tokens is below the limit."""
        left = sum(tokens for _, tokens in self._past)
        for when, tokens in self._past:
            if left < self.tokens:
                return None
            left -= tokens
            if left < self.tokens:
                return when
        return None
