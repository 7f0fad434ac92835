"""What a model wants, read from its reply."""

from __future__ import annotations

from pydantic import Field

from deskhand.core.action import Action
from deskhand.core.status import AppAgentStatus, HostAgentStatus
from deskhand.core.value import Value


class HostDecision(Value):
    """A host agent's reply: which application is to do what next, or how the round ends."""

    observation: str = ""
    thought: str = ""
    status: HostAgentStatus
    application: str = ""
    """For ASSIGN: a window's id, or the id or name of an application, of a registered agent."""
    subtask: str = ""
    """For ASSIGN: what is to be done there."""
    message: tuple[str, ...] = ()
    """Tips for whoever takes the subtask."""
    plan: tuple[str, ...] = ()
    """The subtasks that come after this one."""
    questions: tuple[str, ...] = ()
    """For PENDING: what the user is asked."""
    result: str = ""
    """For FINISH the answer to the user, for FAIL the reason."""


class AppDecision(Value):
    """An app agent's reply: the actions of this step, then how it goes on."""

    observation: str = ""
    thought: str = ""
    status: AppAgentStatus
    actions: tuple[Action, ...] = ()
    plan: tuple[str, ...] = ()
    """The steps that come after this one."""
    questions: tuple[str, ...] = ()
    """For PENDING: what the user is asked. For CONFIRM: what the user is to know before agreeing."""
    result: str = ""
    """For FINISH what the subtask yields (a value that was read, say), for FAIL the reason."""
    blackboard: dict[str, str] = Field(default_factory=dict)
    """Values to be kept for the agents that come after, by name."""


Decision = HostDecision | AppDecision
