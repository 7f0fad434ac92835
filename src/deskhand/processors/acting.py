"""Doing the actions of one decision."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.action import Action, ActionResult, Write
from deskhand.core.event import Noted
from deskhand.processors.context import Context
from deskhand.processors.policy import submits


async def do_in_order(
    context: Context, actions: Sequence[Action], window: str, *, approved: bool = False
) -> tuple[ActionResult, ...]:
    """Do actions up to the first that fails, since the rest counted on it; give what came of each that was begun.

    Return is not pressed on text of which nobody knows whether it has arrived: that would submit what may be empty.
    The agent is told so, and can look first. `approved` says that the user has just agreed to these very actions.

    Raises:
        DeviceError: the device is broken.
    """
    results: list[ActionResult] = []
    for action in actions:
        if results and _is_rash(actions[len(results) - 1], results[-1], action):
            text = "Return was not pressed: see first whether the text before it has arrived, then press it by itself"
            context.record(Noted(text=text))
            break
        results.append(await context.dispatcher.dispatch(action, window, approved=approved))
        if results[-1].outcome == "failed":
            break
    return tuple(results)


def _is_rash(before: Action, result: ActionResult, action: Action) -> bool:
    return isinstance(before, Write) and result.outcome == "unverified" and submits(action)
