"""Errors that went through a task group."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def as_it_was() -> Iterator[None]:
    """Raise what a task group has wrapped as it was, where it is one error; several stay a group."""
    try:
        yield
    except BaseExceptionGroup as wrapped:
        if len(wrapped.exceptions) > 1:
            raise
        (error,) = wrapped.exceptions
        raise error from error.__cause__
