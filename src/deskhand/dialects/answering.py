"""What came of a reply, call by call, for services that are told it so."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.message import CameOf, PastStep
from deskhand.dialects.hearing import Heard
from deskhand.dialects.render import outcome
from deskhand.dialects.signatures import signature_named

_NOT_DONE = CameOf(outcome="not done", text="not done: what was before it failed, or the screen is to be seen first")
_SAID = CameOf(text="heard; what the user answers is told apart from this")
_FROM_GOOD_TO_BAD = ("done", "unverified", "not done", "failed")


def came_of(step: PastStep, heard: Sequence[Heard], calls: int) -> tuple[CameOf, ...]:
    """Tell what came of each of so many `calls`, of which was `heard` what is to be done."""
    told: list[list[CameOf]] = [[] for _ in range(calls)]
    results = iter(_results(step, heard))
    for one in heard:
        came = next(results)
        for number in range(one.first, one.last + 1):
            told[number].append(came)
    return tuple(map(_together, told))


def _results(step: PastStep, heard: Sequence[Heard]) -> Sequence[CameOf]:
    """Give what came of each action; what follows one that failed, or a question to the user, was not done."""
    came: list[CameOf] = []
    over = False
    for one in heard:
        kind, at = signature_named(one.call.name), len(came)
        if over or (kind not in _BY_STATUS and (at >= len(step.actions) or step.actions[at].kind != kind)):
            came.append(_NOT_DONE)
        elif kind in _BY_STATUS:
            came.append(_SAID)
        else:
            result = step.results[at] if at < len(step.results) else None
            came.append(CameOf(text=outcome(result), outcome=result.outcome if result is not None else "unverified"))
        over = over or came[-1] is _NOT_DONE or came[-1] is _SAID or came[-1].outcome == "failed"
    return came


_BY_STATUS = frozenset({"call_user", "terminate"})
"""What no action comes of."""


def _together(came: Sequence[CameOf]) -> CameOf:
    """Tell of one call what came of all its actions."""
    if not came:
        return CameOf(text="done")
    worst = max(came, key=lambda one: _FROM_GOOD_TO_BAD.index(one.outcome))
    return CameOf(text="; ".join(dict.fromkeys(one.text for one in came)), outcome=worst.outcome)
