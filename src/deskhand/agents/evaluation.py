"""The agent that judges a round which is over. It changes nothing of what came of it."""

from __future__ import annotations

import anyio

from deskhand.core.errors import DeviceError, ModelError, UnreadableReply
from deskhand.core.event import Evaluated, Scope, Snapshot
from deskhand.core.message import AnswersPart, HistoryPart, NotesPart, Part, PicturePart, ReportsPart, RequestPart
from deskhand.core.observation import WHOLE_DESKTOP, Image
from deskhand.dialects.evaluation import EvaluationReply
from deskhand.journal.view import RoundView
from deskhand.processors.context import Context
from deskhand.processors.interaction import ask_until_read
from deskhand.processors.parts import past

NAME = "EvaluationAgent"
MOST_PICTURES = 4
"""Of the steps, evenly spread; one of the end comes on top."""
SECONDS = 180.0
"""For the whole judgement, which is outside the session's own limit."""


class EvaluationAgent:
    """Judges from the request, what was done, and pictures."""

    def __init__(self, dialect: EvaluationReply | None = None) -> None:
        self._dialect = dialect or EvaluationReply()

    async def evaluate(self, context: Context) -> None:
        """Judge the round that ended last, and write the judgement down; trouble with it is written down, too."""
        context.scope = Scope(agent=NAME, round=len(context.view.rounds), step=context.view.steps)
        spent, limit = context.view.usd, context.limits.usd
        if spent >= limit and spent > 0:
            context.record(_none(f"the limit of ${limit:.2f} is reached"))
            return
        judgement = _none(f"there was no judgement within {SECONDS:g} s")
        with anyio.move_on_after(SECONDS):
            judgement = await self._judgement(context)
        context.record(judgement)

    async def _judgement(self, context: Context) -> Evaluated:
        round_ = context.view.rounds[-1]
        parts = (RequestPart(text=round_.request), *told_of(round_), *await _pictures(context, round_))
        try:
            return await ask_until_read(
                context, "evaluator", parts, self._dialect.compose, lambda reply: self._dialect.read(reply.text)
            )
        except (ModelError, UnreadableReply) as error:
            return _none(str(error))


def _none(trouble: str) -> Evaluated:
    return Evaluated(complete="unsure", trouble=trouble)


def told_of(round_: RoundView) -> tuple[Part, ...]:
    """Give what was done in a round that is over, and what the agents say came of it; not the request."""
    steps = []
    for step in round_.steps:
        if step.decision is not None or step.acts:
            told = past(step)
            steps.append(told.model_copy(update={"thought": f"{step.agent}: {told.thought}"}))
    said = f"the agents say: {round_.outcome}{': ' + round_.answer if round_.answer else ''}"
    return (
        AnswersPart(answers=tuple((question, answer) for question, answer, _ in round_.answers)),
        HistoryPart(steps=tuple(steps)),
        ReportsPart(reports=round_.reports),
        NotesPart(notes=(said,)),
    )


async def _pictures(context: Context, round_: RoundView) -> tuple[PicturePart, ...]:
    seen = [(step.number, step.observation.screen) for step in round_.steps if step.observation is not None]
    spread = [seen[round(i * (len(seen) - 1) / (MOST_PICTURES - 1))] for i in range(MOST_PICTURES)] if seen else []
    shown: dict[str, PicturePart] = {
        image.sha256: PicturePart(image=image, of=f"the screen in step {number}") for number, image in spread
    }
    if (image := await _end(context)) is not None:
        shown.pop(image.sha256, None)
        shown[image.sha256] = PicturePart(image=image, of="the screen at the end")
    return tuple(shown.values())


async def _end(context: Context) -> Image | None:
    try:
        image = await context.dispatcher.picture(WHOLE_DESKTOP)
    except DeviceError:
        return None  # it has to do with the pictures that there are
    context.record(Snapshot(image=image, why="evaluation"))
    return image
