"""What there is to say of a call while it is waited for: tries, waits, what a service does not take, who steps in."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from deskhand.core.message import Usage


class Remark(NamedTuple):
    """What is said of a call, and, of one that comes to nothing, what it cost."""

    text: str
    model: str = ""
    """The model that costs something."""
    usage: Usage = Usage()


Hearer = Callable[[Remark], object]

_logger = logging.getLogger(__package__)
_hearer: ContextVar[Hearer | None] = ContextVar("hearer", default=None)


@contextmanager
def heard_by(hearer: Hearer) -> Iterator[None]:
    """Have everything remarked within this block, by this task, told to `hearer` instead of the log."""
    before = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(before)


def remark(text: str, model: str = "", usage: Usage | None = None) -> None:
    """Tell whoever asked the model; where nobody hears, the log has it as a warning."""
    hearer = _hearer.get()
    _logger.log(logging.WARNING if hearer is None else logging.INFO, "%s", text)
    if hearer is not None:
        hearer(Remark(text, model, usage or Usage()))
