"""Which agent takes a subtask, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from deskhand.agents.app import AppAgent
from deskhand.agents.operator import OperatorAgent
from deskhand.agents.shell import ShellAgent
from deskhand.core import shell
from deskhand.core.errors import SettingsError
from deskhand.core.foreign import named
from deskhand.core.status import RunningMode

if TYPE_CHECKING:
    from deskhand.agents.agent import BasicAgent
    from deskhand.agents.host import HostAgent

__all__ = ["AgentConfig", "AgentConfigResolver", "AgentFactory", "AgentRegistry", "RunningMode"]

Maker = Callable[[str, "HostAgent", str], "BasicAgent"]
"""Makes an agent from its name, its host and the id of its window."""

APP, OPERATOR, IN_SHELL = "AppAgent", "OperatorAgent", "ShellAgent"
OURS: Mapping[str, Maker] = {APP: AppAgent, OPERATOR: OperatorAgent, IN_SHELL: ShellAgent}
"""The agents that work in applications, by their type."""


WITH_WINDOWS = ("linux", "web")
"""The platforms on which app agents work: one in each window, or tab."""


class AgentConfig(NamedTuple):
    """How one agent is to be made."""

    name: str
    agent_type: str
    """A name in the registry, or of `OURS`."""


class AgentRegistry:
    """Agents of other people, by the name a host assigns subtasks to."""

    _makers: dict[str, Maker] = {}  # noqa: RUF012  (the one registry is its purpose)

    @classmethod
    def register(cls, name: str, maker: Maker) -> None:
        """Make an agent known; a class taking name, host and window is a maker."""
        cls._makers[name] = maker

    @classmethod
    def load(cls, spec: str) -> str:
        """Register the class that `module:Name` stands for; give its name.

        Raises:
            SettingsError: there is no such module or class.
        """
        maker, name = named(spec, "agent"), spec.partition(":")[2]
        if not callable(maker):
            raise SettingsError(f"{spec!r} is no agent: nothing that makes one; write it as module:Name")
        cls.register(name, maker)
        return name

    @classmethod
    def forget(cls, name: str) -> None:
        cls._makers.pop(name, None)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(cls._makers)

    @classmethod
    def maker(cls, name: str) -> Maker | None:
        return cls._makers.get(name)


class AgentConfigResolver:
    """Reads mode, platform and application into what agent is wanted."""

    @staticmethod
    def resolve(mode: RunningMode, platform: str, application: str, taken: Collection[str] = ()) -> AgentConfig:
        """Give the agent for an application; its name is not among those `taken`.

        Raises:
            SettingsError: there is no agent for this mode on this platform.
        """
        if AgentRegistry.maker(application) is not None:
            return AgentConfig(application, application)
        if platform not in (*WITH_WINDOWS, shell.PLATFORM):
            raise SettingsError(f"there is no app agent for mode {mode} on {platform}")
        kind = IN_SHELL if platform == shell.PLATFORM else OPERATOR if mode is RunningMode.OPERATOR else APP
        name = f"{kind}/{application}"
        number = 2
        while name in taken:
            name, number = f"{kind}/{application}#{number}", number + 1
        return AgentConfig(name, kind)


class AgentFactory:
    """Makes agents."""

    @staticmethod
    def create(config: AgentConfig, host: HostAgent, window: str) -> BasicAgent:
        maker = AgentRegistry.maker(config.agent_type) or OURS.get(config.agent_type, AppAgent)
        return maker(config.name, host, window)

    @classmethod
    def restore(cls, name: str, host: HostAgent, window: str) -> BasicAgent:
        """Make an agent again from the name it had."""
        kind, slash, _ = name.partition("/")
        return cls.create(AgentConfig(name, kind if slash and kind in OURS else name), host, window)
