"""A written plan: steps that are followed in order."""

from __future__ import annotations

from pydantic import Field

from deskhand.core.value import Value


class Plan(Value):
    """What is to be done, step by step, and where.

    A plan without steps is a mere request, its task; only a batch has use for one.
    """

    task: str = Field(min_length=1)
    """What all of it is for, in words; the agents are told."""
    steps: tuple[str, ...] = ()
    """One request each."""
    object: str = ""
    """The application in which every step is done, by name; without one, a host chooses for each step."""
