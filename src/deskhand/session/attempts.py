"""Several attempts at one request: which of them counts, and by what evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import anyio

from deskhand.agents.evaluation import NAME, SECONDS, told_of
from deskhand.core.errors import LimitReached, ModelError, UnreadableReply
from deskhand.core.event import Scope
from deskhand.core.message import Part, PicturePart
from deskhand.core.observation import Image
from deskhand.core.status import RunOutcome
from deskhand.core.text import counted
from deskhand.core.value import Value
from deskhand.dialects.choosing import Choice, ChoiceReply, Told
from deskhand.journal.view import View
from deskhand.processors.context import Context
from deskhand.processors.interaction import ask_until_read

_NEAREST = (
    RunOutcome.FINISHED,
    RunOutcome.NEEDS_USER,
    RunOutcome.FAILED,
    RunOutcome.STUCK,
    RunOutcome.LIMIT,
    RunOutcome.ERROR,
    RunOutcome.INTERRUPTED,
)
"""Outcomes, the nearest to what was wanted first."""


class Contender(NamedTuple):
    """One attempt that has come to an end, as its journal tells."""

    number: int
    """From 1."""
    outcome: RunOutcome
    view: View
    picture: bytes | None = None
    """Of the last that was seen, and what is known of it."""
    end: Image | None = None


class Chosen(Value):
    """Which attempt counts, and why."""

    attempt: int
    why: str
    by: Literal["outcome", "judge", "journal"]
    """Who tells: the outcomes alone, a model that judged, or, where it could not, what the journals hold."""
    complete: Literal["yes", "no", "unsure", ""] = ""
    """Whether the judge finds the request fulfilled; "" where it was not asked."""
    outcomes: tuple[RunOutcome, ...] = ()
    """Of all attempts, in order."""


async def choose(request: str, contenders: Sequence[Contender], context: Context, dialect: ChoiceReply) -> Chosen:
    """Choose an attempt: of those that finished the one that the evaluator's model finds best.

    It is asked only where there is something to choose, and within the context's limits; without its word, the journals
    decide: what was seen to work, and how little else was done. There is at least one contender.
    """
    outcomes = tuple(each.outcome for each in contenders)
    best = min(outcomes, key=_NEAREST.index)
    able = [each for each in contenders if each.outcome is best]
    if best is not RunOutcome.FINISHED or len(able) == 1:
        why = (
            f"no attempt finished; it ended as {best}" if best is not RunOutcome.FINISHED else "only this one finished"
        )
        return Chosen(attempt=able[0].number, why=why, by="outcome", outcomes=outcomes)
    try:
        choice = await _judged(request, able, context, dialect)
    except (ModelError, UnreadableReply, LimitReached) as error:
        return _by_the_journals(able, str(error)).model_copy(update={"outcomes": outcomes})
    return Chosen(attempt=choice.best, why=choice.reason, by="judge", complete=choice.complete, outcomes=outcomes)


async def _judged(request: str, able: Sequence[Contender], context: Context, dialect: ChoiceReply) -> Choice:
    """Ask the judge.

    Raises:
        ModelError: there is no answer, or none in time.
        UnreadableReply: no answer can be read.
        LimitReached: nothing may be spent any more.
    """
    context.scope = Scope(agent=NAME)
    context.limits.check_step(context.view)
    told = [_told(each, context) for each in able]
    numbers = [each.number for each in able]
    with anyio.move_on_after(SECONDS):
        return await ask_until_read(
            context,
            "evaluator",
            (),
            lambda notes: dialect.compose(request, told, notes),
            lambda reply: dialect.read(reply, numbers),
        )
    raise ModelError(f"there was no judgement within {SECONDS:g} s")


def _told(contender: Contender, context: Context) -> Told:
    parts: list[Part] = [part for round_ in contender.view.rounds for part in told_of(round_)]
    if contender.picture is not None and contender.end is not None:
        context.journal.keep(contender.picture)
        parts.append(PicturePart(image=contender.end, of=f"the end of attempt {contender.number}"))
    return Told(contender.number, tuple(parts))


def _by_the_journals(able: Sequence[Contender], trouble: str) -> Chosen:
    """Take the one of whose actions the largest part was seen to work; of equals the one that did the least."""

    def merit(contender: Contender) -> tuple[float, int]:
        acts = [act for round_ in contender.view.rounds for step in round_.steps for act in step.acts]
        seen = sum(act.result is not None and act.result.outcome == "done" for act in acts)
        return (seen / len(acts) if acts else 0.0, -len(acts))

    best = max(able, key=merit)
    share, acts = merit(best)
    why = f"of its {counted(-acts, 'action')} {share:.0%} were seen to work, as much as anywhere; no judge: {trouble}"
    return Chosen(attempt=best.number, why=why, by="journal")
