"""What was read from a reply, before and after its coordinates became places on the screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deskhand.core.action import Action, CallUser, Respond, Target, Terminate
from deskhand.core.decision import AppDecision
from deskhand.core.geometry import RATIO, Frame, Space
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.actions import action_of, is_ratio
from deskhand.dialects.binding import Bound
from deskhand.dialects.unreadable import Unreadable


class Reading(NamedTuple):
    """A reply, read: `bound` are its actions as they were said, `actions` the same as they are to be done."""

    thought: str = ""
    instruction: str = ""
    bound: tuple[Bound, ...] = ()
    actions: tuple[Action, ...] = ()
    repaired: bool = False
    space: str = ""
    """What the coordinates are counted in, where it is no number of pixels: `0-1` or `0-1000`."""


class Aimed(NamedTuple):
    """Actions and what their coordinates were counted in."""

    actions: tuple[Action, ...]
    space: str


def aim(bound: Sequence[Bound], frame: Frame, space: Space, targets: Sequence[Target | None] = ()) -> Aimed:
    """Make actions of calls; coordinates are those of `space` in a picture as large as `frame.shown`.

    Fractions of one are parts of the screen, whatever the space. `targets` are places to be aimed at instead.

    Raises:
        UnreadableReply: a value or a point lies outside what there is.
    """
    actions, ratios = [], []
    for index, one in enumerate(bound):
        ratio = is_ratio(one)
        own = Frame(frame.device, (RATIO if ratio else space).grid(frame.shown))
        actions.append(action_of(one, own, targets[index] if targets else None))
        if _points(one):
            ratios.append(ratio)
    return Aimed(tuple(actions), RATIO.name if ratios and all(ratios) else space.name if ratios else "")


def _points(bound: Bound) -> bool:
    return any(bound.params.get(key) is not None for key in ("x", "from_coord", "start"))


def decision_of(reading: Reading) -> AppDecision:
    """Make a decision of what was read: `terminate` and `call_user` say how it goes on, all before them is done.

    The intention is the decision's `thought`, since that is what comes back as history; the thinking its `observation`.
    """
    status, result = AppAgentStatus.CONTINUE, ""
    questions: tuple[str, ...] = ()
    actions: list[Action] = []
    for action in reading.actions:
        match action:
            case Terminate():
                status = AppAgentStatus.FINISH if action.status == "success" else AppAgentStatus.FAIL
                answers = [a.answer for a in actions if isinstance(a, Respond)]
                result = action.info or (answers[-1] if answers else "")
                break
            case CallUser():
                status = AppAgentStatus.PENDING
                questions = (action.question or reading.instruction or "What is to be done here?",)
                break
            case _:
                actions.append(action)
    return AppDecision(
        observation=reading.thought,
        thought=reading.instruction,
        status=status,
        actions=tuple(actions),
        questions=questions,
        result=result,
    )


def said_in(text: str) -> str:
    """Give what a reply says, without a mark of byte order, its lines ended as everywhere here.

    Raises:
        UnreadableReply: it says nothing.
    """
    if not re.sub(r"[\s\u200b\ufeff\0]", "", text):
        raise Unreadable("empty_response", "the reply is empty; answer in the form that was asked for")
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
