"""Reflection, a strategy by choice: after steps that changed nothing, the agent is told so before it decides again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from deskhand.core.action import Wait
from deskhand.core.errors import ModelError, UnreadableReply
from deskhand.core.event import Noted
from deskhand.core.message import ElementsPart, HistoryPart, Part, PicturePart
from deskhand.core.observation import Observation
from deskhand.dialects.reflection import ReflectionReply
from deskhand.journal.view import StepView
from deskhand.processors.context import Context, ProcessingContext
from deskhand.processors.contracts import depends_on
from deskhand.processors.interaction import reply_of
from deskhand.processors.key import AGENT_NAME, OBSERVATION
from deskhand.processors.parts import past, request_part, subtask_part
from deskhand.processors.strategy import Actor, BaseProcessingStrategy
from deskhand.processors.stuck import same_screen, tried

MOST = 3
"""So many steps in vain are named at most, the latest."""
TOLD = 5
"""So many of the latest steps are told to a model that reflects."""
ADVICE = (
    "Say to yourself why: is it the right place, does it take this, is a dialog or a menu in the way, must something "
    "else come first? Then do something else, or say why it cannot be done."
)


@depends_on(AGENT_NAME, OBSERVATION)
class Reflection(BaseProcessingStrategy):
    """Compares what is seen now with what the last steps were decided on; works after the look.

    Where nothing has changed and no result says that something has, the next prompt names what was tried in vain. With
    a dialect to ask in, the model of the role `evaluator` is asked why, and what it answers goes along.
    """

    def __init__(self, asking: ReflectionReply | None = None) -> None:
        super().__init__()
        self._asking = asking

    async def execute(self, agent: Actor, context: ProcessingContext) -> None:
        """Reflect where there is reason to.

        Raises:
            LimitReached: the budget of the model that is asked is used up.
        """
        session, seen = context.global_context, context.get(OBSERVATION)
        subtask = session.view.round.subtask if session.view.round is not None else None
        steps = session.view.steps_of(context.get(AGENT_NAME), subtask.first_step if subtask is not None else 0)
        if not steps or not steps[-1].acts:
            return
        vain = [step for step, look in takewhile(lambda each: in_vain(*each, seen), _acting(steps))][:MOST]
        if not vain:
            return
        named = "; before that: ".join(map(tried, vain))
        advice = await self._advice(session, steps[-TOLD:], seen) if self._asking is not None else ADVICE
        session.record(Noted(text=f"Nothing on the screen has changed since you did this: {named}. {advice}"))

    async def _advice(self, session: Context, steps: list[StepView], seen: Observation) -> str:
        """Ask why nothing came of it; what cannot be had is replaced by what is said anyway."""
        assert self._asking is not None
        if session.view.usd >= session.limits.usd and session.view.usd > 0:
            return ADVICE
        parts: tuple[Part, ...] = (
            request_part(session.view),
            subtask_part(session.view),
            HistoryPart(steps=tuple(map(past, steps))),
            ElementsPart(elements=seen.elements, truncated=seen.truncated),
            PicturePart(image=seen.screen),
        )
        try:
            return self._asking.read(await reply_of(session, "evaluator", self._asking.compose(parts)))
        except (ModelError, UnreadableReply) as error:
            return f"{ADVICE} (Nobody else could be asked: {error})"


def _acting(steps: Sequence[StepView]) -> Iterator[tuple[StepView, Observation | None]]:
    """Give the steps that did something, the latest first, each with what it was decided on.

    What is done once the user has agreed is a step of its own, and was decided on in the one before.
    """
    looks: list[Observation | None] = [None]
    for step in steps:
        looks.append(step.decided_on or looks[-1])
    return ((step, look) for step, look in zip(reversed(steps), reversed(looks[1:]), strict=True) if step.acts)


def in_vain(step: StepView, look: Observation | None, now: Observation) -> bool:
    """Tell whether nothing came of a step that was decided on a look: nothing was seen to work, all looks the same.

    Waiting is none: it is meant to change nothing.
    """
    if any(isinstance(act.action, Wait) for act in step.acts):
        return False
    sent = all(act.result is not None and act.result.outcome != "done" for act in step.acts)
    return sent and look is not None and same_screen(look, now)
