"""The agent that sees the whole desktop and hands out subtasks."""

from __future__ import annotations

from typing import ClassVar

from deskhand.agents.agent import BasicAgent
from deskhand.agents.factory import AgentConfigResolver, AgentFactory, AgentRegistry
from deskhand.agents.states import AgentStateManager, HostAgentStateManager
from deskhand.core.action import FocusWindow, OpenApp
from deskhand.core.decision import HostDecision
from deskhand.core.event import Noted, SubtaskEnded, SubtaskStarted
from deskhand.core.observation import WHOLE_DESKTOP, Observation, Window
from deskhand.core.status import AgentStatus, RunningMode
from deskhand.perception.applications import belongs, named
from deskhand.processors.context import Context
from deskhand.processors.host import HostAgentProcessor
from deskhand.processors.template import ProcessorTemplate

_AFTER_ANY = {
    AgentStatus.FINISH: AgentStatus.CONTINUE,
    AgentStatus.FAIL: AgentStatus.CONTINUE,
    AgentStatus.ERROR: AgentStatus.ERROR,
}
"""The status that a host goes on in after a subtask: it plans on, also anew, until something is broken."""
_AFTER = {(RunningMode.FOLLOWER, AgentStatus.FINISH): AgentStatus.FINISH}
"""The same for modes in which it is another one: a step of a plan is over with its subtask."""


class HostAgent(BasicAgent):
    """Chooses applications, hands subtasks to app agents, and answers the user in the end."""

    state_manager: ClassVar[type[AgentStateManager]] = HostAgentStateManager
    processor_class: ClassVar[type[ProcessorTemplate]] = HostAgentProcessor

    def __init__(self, name: str = "HostAgent") -> None:
        super().__init__(name)
        self.appagent_dict: dict[str, BasicAgent] = {}
        """The agents that have worked for this host, by window; registered agents without a window by name."""
        self._active_appagent: BasicAgent | None = None

    def after(self, ended: AgentStatus, context: Context) -> AgentStatus:
        """Give the status to go on in after a subtask has `ended` so; the running mode decides."""
        return _AFTER.get((context.mode, ended), _AFTER_ANY[ended])

    def get_active_appagent(self) -> BasicAgent | None:
        return self._active_appagent

    def reason(self, context: Context) -> str:
        decision = context.view.decision_of(self.name)
        if self.status in (AgentStatus.FINISH, AgentStatus.FAIL) and isinstance(decision, HostDecision):
            return decision.result or _last_result(context)
        if self.status is AgentStatus.FINISH:  # a followed plan ends without another word of the host
            return _last_result(context)
        return _last_result(context) or context.view.reasons.get(self.name, "")

    async def create_subagent(self, context: Context) -> None:
        """Bring up the application of the subtask assigned last, and make the agent for it, or find it again.

        When it cannot be brought up, the subtask is reported as failed and this host goes on instead.
        """
        subtask = context.view.round.subtask if context.view.round is not None else None
        if subtask is None:
            context.record(Noted(text="there was no subtask to hand out; give one with ASSIGN"))
            self._stay(context)
            return
        window = ""
        if subtask.application not in AgentRegistry.names():
            window, trouble = await self._bring_up(subtask.application, context)
            if trouble:
                context.record(SubtaskEnded(status="FAIL", result=trouble))
                self._stay(context)
                return
        agent = self._agent_for(window, subtask.application, context)
        agent.status = AgentStatus.CONTINUE
        self._active_appagent = agent
        context.record(SubtaskStarted(window=window), agent=agent.name)

    @property
    def below(self) -> tuple[BasicAgent, ...]:
        return tuple(self.appagent_dict.values())

    def restore(self, name: str, window: str) -> BasicAgent:
        """Make an agent known again that worked before the session was interrupted."""
        agent = AgentFactory.restore(name, self, window)
        self.appagent_dict[window or name] = agent
        self._active_appagent = agent
        return agent

    def _stay(self, context: Context) -> None:
        self._active_appagent = None
        self.status = self.after(AgentStatus.FAIL, context)

    def _agent_for(self, window: str, application: str, context: Context) -> BasicAgent:
        key = window or application
        if (known := self.appagent_dict.get(key)) is not None:
            return known
        taken = {agent.name for agent in self.appagent_dict.values()}
        config = AgentConfigResolver.resolve(context.mode, context.platform, application, taken)
        agent = AgentFactory.create(config, self, window)
        self.appagent_dict[key] = agent
        return agent

    async def _bring_up(self, application: str, context: Context) -> tuple[str, str]:
        """Give the id of the application's window, or what is in the way.

        It is looked for where the host has just seen it; if it is no longer there, on the desktop as it is now.
        """
        dispatcher = context.dispatcher
        seen = dispatcher.seen
        if seen is not None and seen.applications and (there := open_window(application, seen)) is not None:
            result = await dispatcher.dispatch(FocusWindow(window=there.id))
            if result.outcome != "failed":
                return result.value or there.id, ""
            seen = None
        if seen is None or not seen.applications:
            seen = await dispatcher.observe(WHOLE_DESKTOP)
        window = open_window(application, seen)
        action = FocusWindow(window=window.id) if window is not None else OpenApp(app_name=application)
        result = await dispatcher.dispatch(action)
        if result.outcome == "failed":
            return "", f"{application} cannot be brought up: {result.text}"
        return result.value or (window.id if window is not None else ""), ""


def open_window(application: str, seen: Observation) -> Window | None:
    """Find the window that an application's id, name or kind, or a window's id or title, stands for.

    The topmost of several. Tabs of a browser are windows whose title is that of their page, with its address behind it.
    """
    if (exact := next((w for w in seen.windows if w.id == application), None)) is not None:
        return exact
    wanted = application.casefold()
    # As the device would, which is asked to open it when no window is found.
    entry = named(seen.applications, application)
    if entry is not None:
        return next((w for w in seen.windows if belongs(w, entry) and not w.dialog_of), None)
    own = [w for w in seen.windows if not w.dialog_of]
    called = [w for w in own if w.app.casefold() == wanted]
    titled = [w for w in own if wanted and f"{w.title} - ".casefold().startswith(f"{wanted} - ")]
    return next(iter((*called, *titled)), None)


def _last_result(context: Context) -> str:
    reports = context.view.round.reports if context.view.round is not None else ()
    return reports[-1].result if reports else ""
