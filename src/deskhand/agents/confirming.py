"""Leave for the actions of a decision, asked before any of them is done."""

from __future__ import annotations

from deskhand.agents.agent import BasicAgent
from deskhand.core.decision import AppDecision
from deskhand.core.event import Noted, UserAnswered, UserAsked
from deskhand.core.observation import Observation
from deskhand.core.status import AgentStatus
from deskhand.processors.acting import do_in_order
from deskhand.processors.context import Context
from deskhand.processors.key import ContextNames
from deskhand.processors.wording import in_words


async def confirm(agent: BasicAgent, context: Context) -> AgentStatus:
    """Ask for leave, then do the actions of the agent's last decision; without leave, note that and give FAIL.

    Raises:
        DeviceError: the device is broken.
    """
    decision = context.view.decision_of(agent.name)
    assert isinstance(decision, AppDecision)
    steps = context.view.steps_of(agent.name)
    seen = steps[-1].observation if steps else None
    window = context.get(ContextNames.APPLICATION_WINDOW)
    question = _question(decision, seen, window)
    if not await _confirmed(question, seen, context):
        context.record(Noted(text=f"refused: {question}"))
        return AgentStatus.FAIL
    await do_in_order(context, decision.actions, window, approved=True)
    return AgentStatus.CONTINUE


async def _confirmed(question: str, seen: Observation | None, context: Context) -> bool:
    """Put the question to the user; nobody there means no, unless every ask is answered with yes beforehand."""
    gate = context.dispatcher.gate
    if gate.allow_all:
        return True
    context.record(UserAsked(question=question))
    answer = await gate.confirmed(question, seen)
    said = {True: "yes", False: "no", None: "nobody is there to confirm"}[answer]
    context.record(UserAnswered(answer=said))
    return answer is True


def _question(decision: AppDecision, seen: Observation | None, window: str) -> str:
    does = "; ".join(in_words(action, seen, window) for action in decision.actions) or "go on"
    why = " - ".join(filter(None, (decision.thought, *decision.questions))) or "this may not be undone"
    return f"{does} - {why} - go ahead?"
