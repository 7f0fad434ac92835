"""Waiting, and checking what is on the screen."""

from __future__ import annotations

from deskhand.core.action import Wait
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Done, Fail, Move, Turn
from deskhand.models.literal.sight import has, is_on, look_again, pick, said, shown
from deskhand.models.literal.skills.values import read
from deskhand.perception.naming import fold
from deskhand.perception.quoting import quote

_LONGEST = 30.0
"""Seconds that something is waited for."""
_NEGATIVE = ("off", "not", "un", "dis", "de")
_STEP = 0.5


def wait(turn: Turn) -> Move:
    """Wait for a time."""
    seconds = min(max(turn.clause.amount, 0.01), 60)
    if turn.tries:
        return Done(f"waited {seconds:g} s")
    return turn.act(Wait(seconds=seconds), thought=f"wait {seconds:g} s")


def wait_for(turn: Turn) -> Move:
    """Wait until something shows, or does not any more."""
    clause = turn.clause
    words = clause.target
    seen = shown(turn, words)
    if clause.value and seen:
        seen = shown(turn, quote(clause.value))
    if clause.mode == "there" and seen:
        return Done(f"{seen} is there")
    if clause.mode == "gone" and not seen:
        # One look more: what is only just about to come up is not gone.
        return Done(f"{words} is gone") if turn.tries else turn.act(Wait(seconds=0.2), thought="look once more")
    # What takes long is looked at less often: a round has only so many steps.
    pauses = [min(_STEP * 1.2**times, _LONGEST / 10) for times in range(turn.tries + 1)]
    waited = sum(pauses[:-1])
    if waited >= _LONGEST:
        still = f"{seen} is still there" if clause.mode == "gone" else f"{words} did not show"
        return Fail(f"{still} after {waited:.0f} s")
    return turn.act(Wait(seconds=round(pauses[-1], 2)), thought=f"wait for {words}")


def verify(turn: Turn) -> Move:
    """Check something and say how it is; what is not so fails."""
    clause = turn.clause
    if clause.mode == "there":
        seen = shown(turn, clause.target)
        return (
            Done(f"{seen} is there")
            if seen
            else look_again(turn, clause.target) or Fail(f"{clause.target} is not there")
        )
    if clause.mode == "state":
        return _verify_state(turn)
    move = read(turn)
    if not isinstance(move, Done):
        return move
    value, wanted = fold(move.value or ""), fold(clause.value)
    if wanted == value or ("contain" in clause.text.lower() and wanted in value) or wanted in value.split("\n"):
        return Done(f"{clause.target} reads {move.value!r}")
    return look_again(turn, clause.value) or Fail(f"{clause.target} reads {move.value!r}, not {clause.value!r}")


def _verify_state(turn: Turn) -> Move:
    clause = turn.clause
    found = pick(turn, clause.target)
    if not isinstance(found, Element):
        return look_again(turn, clause.target) or Fail(
            f"{clause.target} is not there, or there are several of that name"
        )
    negative = clause.what.startswith(_NEGATIVE)
    enabling = "enabled" in clause.what or "disabled" in clause.what
    holds = (
        not has(found, "disabled") if enabling and found.role == "button" else is_on(found) or has(found, "selected")
    )
    if holds != negative:
        return Done(f"the {said(found, turn.scene)} is {clause.what}")
    return look_again(turn, clause.what) or Fail(f"the {said(found, turn.scene)} is not {clause.what}")


def nothing(turn: Turn) -> Move:
    """Leave something undone, as was asked."""
    return Done(f"left undone, as asked: {turn.clause.text}")
