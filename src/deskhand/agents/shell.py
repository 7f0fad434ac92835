"""The agents that work in a shell: one alone, without a host and applications, and one for the steps of a plan."""

from __future__ import annotations

from typing import ClassVar

from deskhand.agents.agent import BasicAgent
from deskhand.agents.app import AppAgent
from deskhand.agents.single import (
    ConfirmSingleAgentState,
    ContinueSingleAgentState,
    ErrorSingleAgentState,
    FailSingleAgentState,
    FinishSingleAgentState,
    PendingSingleAgentState,
    ScreenshotSingleAgentState,
    SingleAgent,
    SingleAgentState,
)
from deskhand.agents.states import AgentStateManager
from deskhand.processors.shell import LinuxAgentProcessor, ShellAgentProcessor
from deskhand.processors.template import ProcessorTemplate


class ShellAgent(AppAgent):
    """Carries out, with commands, the step of a plan that it was handed; in an app agent's states."""

    processor_class: ClassVar[type[ProcessorTemplate]] = ShellAgentProcessor


class LinuxAgentStateManager(AgentStateManager):
    """The states of shell agents."""


class LinuxAgent(SingleAgent):
    """Carries out the request with commands."""

    state_manager: ClassVar[type[AgentStateManager]] = LinuxAgentStateManager
    processor_class: ClassVar[type[ProcessorTemplate]] = LinuxAgentProcessor

    def __init__(self, name: str = "LinuxAgent") -> None:
        super().__init__(name)


class LinuxAgentState(SingleAgentState):
    """A state of a shell agent; what it does is what it does for every agent that works alone."""

    @classmethod
    def agent_class(cls) -> type[BasicAgent]:
        return LinuxAgent


@LinuxAgentStateManager.register
class ContinueLinuxAgentState(LinuxAgentState, ContinueSingleAgentState):
    """Run the next command."""


@LinuxAgentStateManager.register
class ScreenshotLinuxAgentState(LinuxAgentState, ScreenshotSingleAgentState):
    """Look anew, as at a program that takes its time, then go on."""


@LinuxAgentStateManager.register
class PendingLinuxAgentState(LinuxAgentState, PendingSingleAgentState):
    """Ask the user, then go on with the answer."""


@LinuxAgentStateManager.register
class ConfirmLinuxAgentState(LinuxAgentState, ConfirmSingleAgentState):
    """Ask before the commands of the last decision are run."""


@LinuxAgentStateManager.register
class FinishLinuxAgentState(LinuxAgentState, FinishSingleAgentState):
    """The request is fulfilled."""


@LinuxAgentStateManager.register
class FailLinuxAgentState(LinuxAgentState, FailSingleAgentState):
    """The request cannot be fulfilled."""


@LinuxAgentStateManager.register
class ErrorLinuxAgentState(LinuxAgentState, ErrorSingleAgentState):
    """Something broke that the agent cannot mend."""
