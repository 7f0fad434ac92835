"""Notices that the same is done again and again without effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deskhand.core.action import Action, At, Wait, target_of
from deskhand.core.errors import Stuck
from deskhand.core.event import Noted
from deskhand.core.observation import Observation
from deskhand.journal.view import StepView
from deskhand.processors.context import ProcessingContext
from deskhand.processors.middleware import ProcessorMiddleware

if TYPE_CHECKING:
    from deskhand.processors.template import ProcessorTemplate

JITTER = 12
"""Clicks at most this many pixels apart, in x and in y, count as the same."""
LONGEST_CYCLE = 3
"""Taking turns between so many actions counts as repeating, too."""


class StuckMiddleware(ProcessorMiddleware):
    """Gives a hint after `hint_after` repetitions, then lets the backup model try; after `stop_after` the round ends.

    A repetition is the same actions, or the same correction, on a screen that did not change: a button that is pressed
    five times to some effect is none, nor is waiting. Replies that cannot be read are repetitions, whatever they say.

    Raises:
        Stuck: naming what was repeated.
    """

    def __init__(self, hint_after: int = 3, stop_after: int = 6) -> None:
        self.hint_after = hint_after
        self.stop_after = stop_after

    async def before_process(self, processor: ProcessorTemplate, context: ProcessingContext) -> None:
        session = context.global_context
        steps = session.view.steps_of(processor.agent.name)
        repeats = max((_repeats(steps, cycle) // cycle for cycle in range(1, LONGEST_CYCLE + 1)), default=0)
        session.stuck = repeats > self.hint_after
        if repeats < self.hint_after:
            return
        what = tried(steps[-1])
        if repeats >= self.stop_after:
            raise Stuck(f"the same was tried {repeats} times and changed nothing: {what}")
        session.record(
            Noted(text=f"You did this {repeats} times and the screen did not change: {what}. Do it another way.")
        )


def _repeats(steps: list[StepView], cycle: int) -> int:
    """Count how many of the last steps are like the one `cycle` before them, plus the cycle itself."""
    count = 0
    for index in range(len(steps) - 1, cycle - 1, -1):
        if not _alike(steps[index], steps[index - cycle]):
            break
        count += 1
    return count + cycle if count else 0


def _alike(one: StepView, other: StepView) -> bool:
    if one.decision is None and other.decision is None and one.corrections and other.corrections:
        return True
    if one.corrections or other.corrections:
        return bool(one.corrections) and one.corrections[-1:] == other.corrections[-1:] and not one.acts
    actions, others = [a.action for a in one.acts], [a.action for a in other.acts]
    if len(actions) != len(others) or any(isinstance(a, Wait) for a in actions):
        return False
    same = all(_same_action(a, b) for a, b in zip(actions, others, strict=True))
    return same and one.status == other.status and same_screen(one.observation, other.observation)


def _same_action(one: Action, other: Action) -> bool:
    if one == other:
        return True
    here, there = target_of(one), target_of(other)
    if one.kind != other.kind or not isinstance(here, At) or not isinstance(there, At):
        return False
    near = abs(here.point.x - there.point.x) <= JITTER and abs(here.point.y - there.point.y) <= JITTER
    return near and one.model_copy(update={"target": there}) == other


def same_screen(one: Observation | None, other: Observation | None) -> bool:
    """Compare two looks: by picture, or, since a caret blinks, by all that could be read."""
    if one is None or other is None:
        return one is other
    if one.screen.sha256 == other.screen.sha256:
        return True
    readable = bool(one.elements) and not one.truncated
    return readable and one.elements == other.elements and one.windows == other.windows


def tried(step: StepView) -> str:
    """Say what a step did, or was corrected for."""
    if step.acts:
        done = ", ".join(f"{a.action.kind}{' on ' + a.on if a.on else ''}" for a in step.acts)
        result = step.acts[-1].result
        return f"{done} ({result.text})" if result is not None and result.outcome == "failed" else done
    return step.corrections[-1] if step.corrections else step.status
