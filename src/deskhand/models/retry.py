"""Whether and when a call is tried again."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import time

import anyio

from deskhand.core.errors import ModelBusy
from deskhand.models.remarks import remark

FIRST_WAIT, LONGEST_WAIT = 0.5, 20.0
"""Seconds; each wait is about twice the one before, unless the service says how long."""
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


@dataclass
class Tries:
    """The tries of one call: how many are left, and how long may still be waited between them."""

    who: str
    attempts: int
    max_wait: float
    made: int = 0
    waited: float = 0.0

    async def after(self, why: str, asked: float | None = None) -> None:
        """Wait until the call may be tried again; `asked` are the seconds the service wants, when it says so.

        Raises:
            ModelBusy: that was the last try, or the time for waiting is over.
        """
        self.made += 1
        left = self.max_wait - self.waited
        if self.made >= self.attempts or left <= 0 < (asked or 0):
            tries = f"{self.made} tries" if self.made > 1 else "one try"
            raise ModelBusy(f"{self.who} gives no answer after {tries}; the last time: {why}")
        seconds = min(left, back_off(self.made) if asked is None else spread(asked))
        place = f"{self.made + 1} of {self.attempts}"
        remark(f"{self.who}: {why}; trying again in {seconds:.1f} s (try {place})")
        self.waited += seconds
        await anyio.sleep(seconds)


def back_off(tries: int) -> float:
    """Give the wait after so many tries: doubled each time, and spread, so that clients do not return all at once."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tries - 1)) * random.uniform(0.5, 1.0)


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Give the seconds a service asks to be left alone, in whatever form; None when it does not say.

    Forms: `retry-after-ms`; `retry-after` as seconds or date; `x-ratelimit-reset-*`, `anthropic-ratelimit-*-reset` of
    whatever has run out, as duration, seconds or time.
    """
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    if after := headers.get("retry-after", "").strip():
        seconds = _number(after)
        return seconds if seconds is not None else _until(after, headers)
    return max(_resets(headers), default=None)


def spread(seconds: float) -> float:
    """Lengthen an asked wait a little: never shorter than asked, not the same for all."""
    return seconds + random.uniform(0.0, min(1.0, 0.1 * seconds))


def _resets(headers: Mapping[str, str]) -> Iterator[float]:
    for name, value in headers.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        left = headers.get(name.replace("reset", "remaining"))
        if left is not None and _number(left) != 0:
            continue  # this one has not run out
        if (seconds := _span(value, headers)) is not None:
            yield seconds


def _span(text: str, headers: Mapping[str, str]) -> float | None:
    parts = _DURATION.findall(text)
    if parts and "".join(f"{number}{unit}" for number, unit in parts) == text.strip():
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    number = _number(text)
    if number is None:
        return _until(text, headers)
    if number < 1e8:  # more would be three years: such a number is a time since 1970, in (milli)seconds
        return number
    return max(0.0, (number / 1000 if number > 1e11 else number) - _now(headers))


def _until(text: str, headers: Mapping[str, str]) -> float | None:
    moment = _moment(text)
    return None if moment is None else max(0.0, moment - _now(headers))


def _now(headers: Mapping[str, str]) -> float:
    """Give the time by the service's own clock, which need not agree with ours."""
    moment = _moment(headers.get("date", ""))
    return time() if moment is None else moment


def _moment(text: str) -> float | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text.strip())
        except ValueError:
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
