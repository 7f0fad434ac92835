"""The agent that works in one application."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from deskhand.agents.agent import BasicAgent
from deskhand.agents.states import AgentStateManager, AppAgentStateManager
from deskhand.core.decision import AppDecision
from deskhand.core.event import BlackboardSet, SubtaskEnded
from deskhand.core.status import AgentStatus
from deskhand.processors.app import AppAgentProcessor
from deskhand.processors.context import Context
from deskhand.processors.template import ProcessorTemplate

if TYPE_CHECKING:
    from deskhand.agents.host import HostAgent

RESULT = "result_{}"
"""The blackboard's key for what a subtask yielded, with its number in the session: its meaning never changes."""


class AppAgent(BasicAgent):
    """Carries out subtasks in one application's window, and hands each back to its host."""

    state_manager: ClassVar[type[AgentStateManager]] = AppAgentStateManager
    processor_class: ClassVar[type[ProcessorTemplate]] = AppAgentProcessor

    def __init__(self, name: str, host: HostAgent, window: str = "") -> None:
        super().__init__(name, host)
        self.window = window

    def reason(self, context: Context) -> str:
        decision = context.view.decision_of(self.name)
        if self.status is AgentStatus.FINISH and isinstance(decision, AppDecision):
            return decision.result
        return context.view.reasons.get(self.name, "")

    def archive_subtask(self, context: Context, status: Literal["FINISH", "FAIL", "ERROR"]) -> None:
        """Write down how the subtask ended, and put what it yielded on the blackboard; once for each subtask."""
        round_ = context.view.round
        if round_ is None or round_.subtask is None:
            return
        result = self.reason(context)
        context.record(SubtaskEnded(status=status, result=result))
        if status == "FINISH" and result:
            number = sum(len(each.subtasks) for each in context.view.rounds)
            context.record(BlackboardSet(key=RESULT.format(number), value=result))
