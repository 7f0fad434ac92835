"""Asking a model and reading its reply, with what was wrong quoted back to it when it cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.errors import UnreadableReply
from deskhand.core.event import Corrected, Decided, ModelAsked, ModelRemarked, ModelReplied
from deskhand.core.geometry import Frame, Size
from deskhand.core.message import ModelRequest, NotesPart, Part, Reply, Role
from deskhand.core.status import AppAgentStatus
from deskhand.core.text import whole
from deskhand.journal.writing import json_of
from deskhand.models.remarks import heard_by
from deskhand.processors.context import Context

T = TypeVar("T")

READING_ATTEMPTS = 3
"""How often a model is asked in one step until its reply can be read; a service's own retries do not count."""


async def ask(context: Context, role: Role, parts: tuple[Part, ...], screen: Size) -> HostDecision | AppDecision:
    """Ask the model of `role` for a decision until its reply can be read; raises as `ask_until_read`."""
    frame, dialect = Frame(screen, screen), context.dialect_of(role)
    decision, reply = await ask_until_read(
        context,
        role,
        parts,
        lambda parts: dialect.compose(role, parts),
        lambda reply: (dialect.parse(role, reply, frame), reply),
    )
    for check in reply.checks:
        context.record(ModelRemarked(role=role, text=check))  # it shows even where every question is answered with yes
    decision = _checked(decision, reply.checks)
    context.record(Decided(decision=decision, reply=reply if reply.verbatim is not None else None))
    return decision


def _checked(decision: HostDecision | AppDecision, checks: tuple[str, ...]) -> HostDecision | AppDecision:
    """Leave what the service wants to be made sure of to the user, whatever the reply itself says of how it goes on."""
    if not checks or not isinstance(decision, AppDecision) or not decision.actions:
        return decision
    return decision.model_copy(update={"status": AppAgentStatus.CONFIRM, "questions": checks})


async def ask_until_read(
    context: Context,
    role: Role,
    parts: tuple[Part, ...],
    compose: Callable[[tuple[Part, ...]], ModelRequest],
    read: Callable[[Reply], T],
) -> T:
    """Ask the model of `role` until its reply can be read.

    Raises:
        UnreadableReply: the last of the attempts could not be read either.
        ModelError: the model gives no answer.
    """
    for attempt in range(1, READING_ATTEMPTS + 1):
        reply = await reply_of(context, role, compose(parts))
        try:
            return read(reply)
        except UnreadableReply as error:
            if attempt == READING_ATTEMPTS:
                raise
            written = context.record(Corrected(text=str(error))).event  # as written down: without secrets
            said = written.text if isinstance(written, Corrected) else str(error)
            parts = (*parts, NotesPart(notes=(f"Your last reply could not be read: {said}",)))
    raise AssertionError("the last attempt returns or raises")


async def reply_of(context: Context, role: Role, request: ModelRequest) -> Reply:
    """Put one request to the model of `role`, and write down what was asked, said and spent.

    Raises:
        ModelError: it gives no answer.
    """
    model = context.model(role)
    blob = context.journal.keep(json_of(request).encode())
    context.record(ModelAsked(role=role, model=model.name, request=blob))
    started = perf_counter()
    with heard_by(lambda said: context.record(ModelRemarked(role=role, **said._asdict()))):
        reply = await model.ask(request, context.journal)
    reply = reply.model_copy(update={"text": whole(reply.text)})
    seconds = round(perf_counter() - started, 4)
    answered = reply.model or model.name
    context.record(ModelReplied(role=role, text=reply.text, usage=reply.usage, seconds=seconds, model=answered))
    return reply
