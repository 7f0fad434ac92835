"""Doing the actions of one decision."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.action import Action, ActionResult, KeyDown, KeyUp, Write, target_of
from deskhand.core.event import Noted
from deskhand.core.observation import Observation
from deskhand.processors.context import Context
from deskhand.processors.landing import submits


async def do_in_order(
    context: Context, actions: Sequence[Action], window: str, *, approved: bool = False
) -> tuple[ActionResult, ...]:
    """Do actions up to the first that fails, since the rest counted on it; give what came of each that was begun.

    Return is not pressed on text of which nobody knows whether it has arrived: that would submit what may be empty.
    The agent is told so, and can look first. Keys that are still held where it breaks off are let go.
    `approved` says that the user has just agreed to these very actions.

    Raises:
        DeviceError: the device is broken.
    """
    results: list[ActionResult] = []
    seen = context.dispatcher.seen
    for action in actions:
        if results and (reason := await _not_yet(context, actions[len(results) - 1], results[-1], action, seen)):
            _tell_of_the_rest(context, len(actions) - len(results), reason)
            break
        results.append(await context.dispatcher.dispatch(action, window, approved=approved))
        if results[-1].outcome == "failed":
            _tell_of_the_rest(context, len(actions) - len(results), "the one before failed")
            break
    broken_off = len(results) < len(actions) or any(result.outcome == "failed" for result in results)
    for action in _letting_go(actions, results) if broken_off else ():
        await context.dispatcher.dispatch(action, window, approved=approved)
    return tuple(results)


def _letting_go(actions: Sequence[Action], results: Sequence[ActionResult]) -> tuple[KeyUp, ...]:
    """Let go of the keys that were pressed and are still held, the last first."""
    held: list[str] = []
    for action, result in zip(actions, results, strict=False):
        if isinstance(action, KeyDown) and result.outcome != "failed":
            held.append(action.key)
        elif isinstance(action, KeyUp):
            held = [key for key in held if key != action.key]
    return tuple(KeyUp(key=key) for key in reversed(held))


def _tell_of_the_rest(context: Context, count: int, reason: str) -> None:
    if count:
        context.record(Noted(text=f"{count} of your actions {'was' if count == 1 else 'were'} not done: {reason}"))


async def _not_yet(
    context: Context, before: Action, result: ActionResult, action: Action, seen: Observation | None
) -> str:
    """Say why an action must wait until the agent has looked again; "" when it may be done at once."""
    if _is_rash(before, result, action):
        return "Return was not pressed: see first whether the text before it has arrived, then press it by itself"
    if not context.speculation:
        return "after each action you look first, then do the next one"
    return await context.dispatcher.change_of(target_of(action), seen) if seen is not None else ""


def _is_rash(before: Action, result: ActionResult, action: Action) -> bool:
    return isinstance(before, Write) and result.outcome == "unverified" and submits(action)
