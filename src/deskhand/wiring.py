"""What settings and specs stand for: devices, models, dialects, tools, and the context they make up."""

from __future__ import annotations

import importlib
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    closing,
)
from functools import partial
from pathlib import Path

from deskhand import __version__
from deskhand.agents.evaluation import EvaluationAgent
from deskhand.agents.factory import AgentRegistry
from deskhand.core.errors import SettingsError
from deskhand.core.event import Record, SessionStarted
from deskhand.core.foreign import is_module, named, require
from deskhand.core.message import Role
from deskhand.core.nearest import hint
from deskhand.core.plan import Plan
from deskhand.core.ports import Device, Dialect, Grounder, Journal, Model, Tool, User
from deskhand.core.secret import Secrets
from deskhand.core.status import RunningMode
from deskhand.devices.wrappers import SecretsDevice
from deskhand.dialects.evaluation import EvaluationReply
from deskhand.dialects.ground import GroundReply
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.prompt import Platform
from deskhand.dialects.reflection import ReflectionReply
from deskhand.journal.file import BLOBS, FileJournal
from deskhand.journal.spent import spent
from deskhand.journal.view import View
from deskhand.models.choice import BUILT_IN, points_of
from deskhand.models.factory import Makers, make, opened
from deskhand.models.options import ModelSettings
from deskhand.perception.ground import LexiconGrounder
from deskhand.perception.options import Perception
from deskhand.processors.arrangement import Arrangement, arrangement_for, dialect_for
from deskhand.processors.context import Context, Listener
from deskhand.processors.dispatcher import CommandDispatcher
from deskhand.processors.gate import PolicyGate
from deskhand.processors.grounding import ModelGrounder, SecondLook
from deskhand.processors.interaction import reply_of
from deskhand.processors.policy import Policy
from deskhand.processors.reflection import Reflection
from deskhand.processors.strategy import BaseProcessingStrategy
from deskhand.prompt_files import PromptFiles
from deskhand.session.factory import SESSIONS, SessionFactory
from deskhand.session.session import BaseSession
from deskhand.settings import Settings
from deskhand.tools.function import FunctionTool
from deskhand.tools.shell import ShellTool

DEVICES = {
    "linux": "deskhand.devices.linux.device:open_linux",
    "browser": "deskhand.devices.browser.device:open_browser",
    "shell": "deskhand.devices.shell.device:open_shell",
}
"""What opens a device of each kind: takes the whole spec, the environment, and what is set about seeing."""
LEASES = {"linux": "deskhand.devices.linux.desktops.lease:leased"}
"""What keeps a device of a kind for one session; others are opened anew for each."""
PLATFORMS: Mapping[str, Platform] = {"linux": "linux", "browser": "web", "android": "android", "shell": "shell"}
"""What models are told of a device of each kind: its actions, and how it is used."""
HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "USER", "LOGNAME", "SHELL", "TMPDIR", "XDG_RUNTIME_DIR")
"""Variables that servers of tools are given; none that could hold a key."""


def open_device(
    spec: str, secrets: Secrets | None = None, perception: Perception | None = None
) -> AbstractAsyncContextManager[Device]:
    """Open the device of a spec, such as `linux:virtual,size=1280x800`; leaving the block closes it.

    Raises:
        SettingsError: at once, when the spec is wrong.
        DeviceError: on entering, when the device cannot be opened.
    """
    return _masking(_opener(spec, perception or Perception()), secrets or Secrets())


def _opener(spec: str, perception: Perception) -> AbstractAsyncContextManager[Device]:
    """Give what opens a device: one of ours, or what `module:Name` of somebody else makes of the spec."""
    kind, _, rest = spec.partition(":")
    if kind in DEVICES:
        ours: AbstractAsyncContextManager[Device] = named(DEVICES[kind], "device")(spec, dict(os.environ), perception)
        return ours
    if not (rest and ("." in kind or is_module(kind))):
        meant = kind.partition(",")[0]
        near = f"write {spec.replace(',', ':', 1)!r}" if meant in DEVICES else hint(kind, DEVICES)
        raise SettingsError(f"there is no device {spec!r}; {near}, or module:Name of your own")
    opened = named(spec.partition(",")[0], "device")(spec)
    if not isinstance(opened, AbstractAsyncContextManager):
        raise SettingsError(f"{spec!r} is no device: it gave a {type(opened).__name__}, not what opens one")
    return opened


@asynccontextmanager
async def _masking(opened: AbstractAsyncContextManager[Device], secrets: Secrets) -> AsyncIterator[Device]:
    async with opened as device:
        yield SecretsDevice(device, secrets)


def make_model(spec: str, options: ModelSettings | None = None) -> Model:
    """Make the model of a spec: SERVICE[:NAME], or the class of a module, as package.module:Name.

    Raises:
        SettingsError: there is no such service, or an option does not fit it.
    """
    return make((options or ModelSettings()).model_copy(update={"model": spec}), os.environ)


def make_models(settings: Settings) -> tuple[dict[Role, Model], dict[str, str]]:
    """Make a model for each role; also give the spec of each. Roles with the same options share one."""
    makers = makers_of(settings)
    models = makers.models()
    return models, {str(role): makers.options(role).model for role in models}


def makers_of(settings: Settings, records: Iterable[Record] = ()) -> Makers:
    """Give what makes models by these settings; what the records say was used counts against their budgets."""
    named = settings.model if "model" in settings.model_fields_set else ""
    return Makers(settings.models, os.environ, named, spent(records))


class Wiring:
    """What a session is made of, all checked before a device is opened."""

    def __init__(
        self, settings: Settings, user: User, listeners: Sequence[Listener], records: Iterable[Record] = ()
    ) -> None:
        self.settings = settings
        self.user = user
        self.listeners = list(listeners)
        self.secrets = Secrets(settings.secrets)
        makers = makers_of(settings, records)
        self.models, self.backup = makers.models(), makers.backup()
        options = {role: makers.options(role) for role in self.models}
        self.specs = {str(role): chosen.model for role, chosen in options.items()}
        self.agent: Arrangement = settings.agent or arrangement_for(options["planner"])
        _check_there_is_a_planner(self.agent, options["planner"])
        _check_evaluator_and_operator(settings, options)
        self.prompts = PromptFiles()
        self.platform = PLATFORMS.get(settings.device.partition(":")[0], "linux")
        self.dialects = {role: self.dialect(role, chosen) for role, chosen in options.items()}
        self.judging = options["evaluator"]
        self.pointing = options["grounder"] if "grounder" in settings.models else None
        self.agents = tuple(map(AgentRegistry.load, settings.agents))
        if settings.shell.partition(":")[0] not in ("", "shell"):
            raise SettingsError(f"shell={settings.shell}: it is a shell, written like shell:sandbox,cwd=DIR")
        functions = [FunctionTool(named(spec, "function")) for spec in settings.functions]
        self.tools: dict[str, Tool] = {tool.about.name: tool for tool in functions}

    @asynccontextmanager
    async def opened(self, spec: str, folder: Path) -> AsyncIterator[Device]:
        """Open the device of a spec, the models' connections and the servers of tools; leaving the block closes all.

        What servers of tools print as errors goes to `tools.log` in `folder`.

        Raises:
            SettingsError: a spec is wrong, or a server of tools does not come up.
            DeviceError: the device cannot be opened, or another session works on it.
        """
        device = open_device(spec, self.secrets, self.settings.perception)
        async with AsyncExitStack() as stack:
            if lease := LEASES.get(spec.partition(":")[0]):
                await stack.enter_async_context(named(lease, "lease")(spec, os.environ))
            await stack.enter_async_context(self.connected(folder))
            yield await stack.enter_async_context(device)

    @asynccontextmanager
    async def connected(self, folder: Path) -> AsyncIterator[None]:
        """Open all that works on a device: the models' connections and the servers of tools. Raises as `opened`."""
        backup = [self.backup] if self.backup is not None else []
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(opened([*self.models.values(), *backup]))
            if self.settings.shell:
                shell = open_device(self.settings.shell, self.secrets)
                tool = ShellTool(await stack.enter_async_context(shell))
                self.tools[tool.about.name] = tool
            if self.settings.tools:
                self.tools |= await stack.enter_async_context(self._servers(folder))
            yield

    @asynccontextmanager
    async def _servers(self, folder: Path) -> AsyncIterator[dict[str, Tool]]:
        require("mcp", "mcp", "the setting `tools`")
        mcp = importlib.import_module("deskhand.tools.mcp")
        variables = {name: os.environ[name] for name in HANDED_ON if name in os.environ}
        with (folder / "tools.log").open("ab") as log:
            async with mcp.mcp_tools(self.settings.tools, mcp.Place(variables, log, self.secrets)) as tools:
                yield tools

    def journal(self, folder: Path) -> AbstractContextManager[FileJournal]:
        return closing(FileJournal(folder, secrets=self.secrets, fsync=self.settings.fsync))

    def started(self, device: Device, mode: RunningMode, request: str | Plan) -> SessionStarted:
        plan = request if isinstance(request, Plan) else None
        return SessionStarted(
            version=__version__,
            device=device.name,
            models=self.specs,
            mode=mode,
            agent=self.agent,
            request="" if isinstance(request, Plan) else request,
            plan=plan,
        )

    def context(self, device: Device, journal: Journal, mode: RunningMode) -> Context:
        context = Context(
            journal=journal,
            view=View.of(journal.records()),
            user=self.user,
            models=self.models,
            dialect=JsonReply(),
            dialects=self.dialects,
            backup=self.backup,
            speculation=self.settings.speculation,
            snap=self.settings.grounding.snap,
            limits=self.settings.limits,
            mode=mode,
            platform=self.platform if self.platform in SESSIONS else "linux",
            chosen=self._strategies(),
            agents=self.agents,
            listeners=self.listeners,
        )
        policy = Policy(self.settings.policy.rules)
        album = journal.folder / BLOBS if isinstance(journal, FileJournal) else None
        gate = PolicyGate(policy, self.user, context.record, allow_all=self.settings.yes, album=album)
        context.dispatcher = CommandDispatcher(device, context, gate, self.grounder(context), self.tools)
        return context

    def _strategies(self) -> tuple[BaseProcessingStrategy, ...]:
        """Give the strategies by choice."""
        if not self.settings.reflection:
            return ()
        prompts = self.prompts.at(self.judging.prompts or self.settings.prompts)
        return (Reflection(ReflectionReply(prompts) if self.settings.reflection == "model" else None),)

    def dialect(self, role: Role, options: ModelSettings) -> Dialect:
        planner = role == "planner" and self.agent == "workflow"
        prompts = self.prompts.at(options.prompts or self.settings.prompts, planner=planner)
        return dialect_for(role, options, self.agent, self.platform, prompts)

    def session(self, context: Context, started: SessionStarted, folder: Path) -> BaseSession:
        """Make the session, with the evaluator where one is wanted."""
        session = SessionFactory.create_session(context, started, folder)
        if self.settings.evaluate:
            prompts = self.prompts.at(self.judging.prompts or self.settings.prompts)
            session.evaluator = EvaluationAgent(EvaluationReply(prompts))
        return session

    def grounder(self, context: Context) -> Grounder:
        """Give the grounder of the settings, or the built-in one, which reads names."""
        if self.pointing is None:
            return LexiconGrounder()
        points = points_of(self.pointing)
        prompts = self.prompts.at(self.pointing.prompts or self.settings.prompts)
        zoom = self.settings.grounding.zoom
        closer = SecondLook(context.journal, zoom) if zoom else None
        return ModelGrounder(partial(reply_of, context, "grounder"), GroundReply(points, prompts=prompts), closer)


def _check_there_is_a_planner(agent: Arrangement, planner: ModelSettings) -> None:
    if agent != "host" and planner.model == BUILT_IN:
        wanted = "name one, such as --model openai:NAME (deskhand models list shows services)"
        raise SettingsError(f"the agent {agent} needs a model of language, and {BUILT_IN} is none; {wanted}")


def _check_evaluator_and_operator(settings: Settings, options: Mapping[Role, ModelSettings]) -> None:
    wanted = "name one with -c models.{}.model=SERVICE:NAME"
    judging = "evaluate" if settings.evaluate else "reflection=model" if settings.reflection == "model" else ""
    if judging and options["evaluator"].model == BUILT_IN:
        raise SettingsError(f"{judging} needs a model that can judge; {BUILT_IN} is none: {wanted.format('evaluator')}")
    if settings.running_mode is RunningMode.OPERATOR and options["operator"].model == BUILT_IN:
        raise SettingsError(
            f"the mode operator needs a model made for using computers; {BUILT_IN} is none: {wanted.format('operator')}"
        )
