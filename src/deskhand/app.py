"""The composition root: settings and specs to a device, a model, a session."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, closing
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from deskhand import __version__
from deskhand.agents.factory import AgentRegistry
from deskhand.core.action import ActionResult
from deskhand.core.errors import SettingsError
from deskhand.core.event import Record, SessionStarted
from deskhand.core.geometry import Frame, Size
from deskhand.core.message import Role
from deskhand.core.observation import Application
from deskhand.core.plan import Plan
from deskhand.core.ports import Device, Dialect, Grounder, Journal, Model, User
from deskhand.core.secret import Secrets
from deskhand.core.status import RunningMode
from deskhand.core.text import is_blank
from deskhand.devices.linux.applications import Places, installed
from deskhand.devices.wrappers import SecretsDevice
from deskhand.dialects.actions import call_to_action, spell
from deskhand.dialects.grammar import Call
from deskhand.dialects.ground import GroundReply
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.prompt import Platform
from deskhand.journal.file import BLOBS, FileJournal, read_records
from deskhand.journal.folder import run_folder
from deskhand.journal.memory import MemoryJournal
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
from deskhand.processors.grounding import ModelGrounder
from deskhand.processors.interaction import reply_of
from deskhand.processors.policy import Policy
from deskhand.prompt_files import PromptFiles
from deskhand.session.factory import SessionFactory
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import BaseSession, SessionResult
from deskhand.settings import Settings, load

DEVICES = {"linux": "deskhand.devices.linux.device:open_linux"}
"""What opens a device of each kind: takes the whole spec, the environment, and what is set about seeing."""
PLATFORMS: Mapping[str, Platform] = {"linux": "linux", "browser": "web", "android": "android", "shell": "shell"}
"""What models are told of a device of each kind: its actions, and how it is used."""


def settings_from(options: Sequence[str] = (), agent_config: str = "") -> Settings:
    """Read the settings as a user has them: files, environment, then `options` (`key=value`).

    `agent_config` is an agent file of ScaleCUA or UFO, which stands before the options.
    """
    return load(options, os.environ, current_folder(), agent_config)


def current_folder() -> Path:
    """Give the folder this process is in.

    Raises:
        SettingsError: it was removed.
    """
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise SettingsError("the current folder is gone; go to one that is there") from error


def open_device(
    spec: str, secrets: Secrets | None = None, perception: Perception | None = None
) -> AbstractAsyncContextManager[Device]:
    """Open the device of a spec, such as `linux:virtual,size=1280x800`; leaving the block closes it.

    Raises:
        SettingsError: at once, when the spec is wrong.
        DeviceError: on entering, when the device cannot be opened.
    """
    kind = spec.partition(":")[0]
    if kind not in DEVICES:
        raise SettingsError(f"there is no device {spec!r}; {_near(kind, DEVICES)}")
    opened: AbstractAsyncContextManager[Device] = _load(DEVICES[kind])(
        spec, dict(os.environ), perception or Perception()
    )
    return _masking(opened, secrets or Secrets())


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


def runs_folder(settings: Settings) -> Path:
    """Give the folder that runs are kept in; one for passing things where the user has no place to write.

    Raises:
        SettingsError: somebody else has taken that one.
    """
    if settings.runs:
        return Path(os.path.expanduser(settings.runs))  # noqa: PTH111  pathlib refuses users it does not know
    home = os.environ.get("HOME") or "/nonexistent"
    state = Path(os.environ.get("XDG_STATE_HOME") or f"{home}/.local/state")
    if any(os.access(folder, os.W_OK | os.X_OK) for folder in (state, home)):
        return state / "deskhand" / "runs"
    passing = Path(tempfile.gettempdir()) / f"deskhand-runs-{os.getuid()}"
    if os.path.lexists(passing) and (passing.is_symlink() or passing.stat().st_uid != os.getuid()):
        raise SettingsError(f"{passing} is somebody else's; name a folder for runs with -c runs=FOLDER")
    return passing


@asynccontextmanager
async def open_session(
    request: str | Plan = "",
    *,
    settings: Settings | None = None,
    user: User | None = None,
    run_dir: str | Path = "",
    listeners: Sequence[Listener] = (),
) -> AsyncIterator[BaseSession]:
    """Open a device and make a session on it; leaving the block closes both.

    With a request the session has one round; without one, `user` is asked for requests; a plan is followed step by
    step. The setting `mode` can want it otherwise. `settings` are the user's own unless given. `listeners` are told every record as it is written; coroutine functions among them soon after,
    without holding anything up.

    Raises:
        SettingsError: before anything is started, when a setting, a spec or the request is wrong.
        DeviceError: the device cannot be opened.
    """
    settings = settings or settings_from()
    mode = _mode(settings, request, user)
    name = request.task if isinstance(request, Plan) else request
    parts = _Parts(settings, user or NobodyThere(), listeners)
    runs = runs_folder(settings) if not run_dir else Path()
    with run_folder(name, runs, str(run_dir)) as folder:
        async with parts.device(settings.device) as device, opened(parts.models.values()):
            with parts.journal(folder) as journal:
                _check_new(journal)
                started = parts.started(device, mode, request)
                yield SessionFactory.create_session(parts.context(device, journal, mode), started, folder)


def _mode(settings: Settings, request: str | Plan, user: User | None) -> RunningMode:
    """Say how the session gets its requests.

    Raises:
        SettingsError: it would get none, or cannot do with what there is.
    """
    if isinstance(request, Plan):
        if settings.mode not in (None, RunningMode.FOLLOWER):
            raise SettingsError(f"a plan is followed in the mode follower, not {settings.mode}")
        return RunningMode.FOLLOWER
    mode = settings.mode or (RunningMode.REQUEST if request or user is None else RunningMode.NORMAL)
    if mode is RunningMode.FOLLOWER:
        raise SettingsError("the mode follower needs a plan: --plan FILE")
    if is_blank(request) and (mode is RunningMode.REQUEST or request or user is None):
        raise SettingsError("the request is empty; say what is to be done")
    return mode


def _check_new(journal: FileJournal) -> None:
    if not journal.empty:
        raise SettingsError(f"--run-dir {journal.folder}: another run was begun in it; name an empty folder")


@asynccontextmanager
async def reopen_session(
    run_dir: str | Path,
    *,
    settings: Settings | None = None,
    user: User | None = None,
    listeners: Sequence[Listener] = (),
) -> AsyncIterator[tuple[BaseSession, bool]]:
    """Open the session of an earlier run; also say whether its device had to be started anew.

    Raises:
        JournalError: the folder is no run, or another process is writing it.
        SettingsError: the run never began.
    """
    folder = Path(run_dir)
    records = list(read_records(folder))
    started = View.of(records).started
    if started is None:
        raise SettingsError(f"{folder}: this run never began; start it again with deskhand run")
    own = {"agent": started.agent, "device": started.device}
    settings = (settings or settings_from()).model_copy(update=own)
    parts = _Parts(settings, user or NobodyThere(), listeners, records)
    async with parts.device(started.device) as device, opened(parts.models.values()):
        with parts.journal(folder) as journal:
            context = parts.context(device, journal, started.mode)
            session = SessionFactory.create_session(context, started, folder)
            yield session, ":virtual" in started.device


async def run(
    request: str | Plan,
    *,
    settings: Settings | None = None,
    user: User | None = None,
    run_dir: str | Path = "",
    listeners: Sequence[Listener] = (),
) -> SessionResult:
    """Carry out one request, or follow a plan, and say what came of it; raises as `open_session`."""
    async with open_session(request, settings=settings, user=user, run_dir=run_dir, listeners=listeners) as session:
        return await session.run()


async def act(
    device: Device, calls: Sequence[Call], settings: Settings, user: User | None = None
) -> list[tuple[str, ActionResult]]:
    """Do single actions, each judged by the policy like an agent's; stop at the first that fails.

    Coordinates are the screen's pixels. Gives each action as it was done, with what came of it.

    Raises:
        UnreadableReply: a call is no action of the action space.
    """
    parts = _Parts(settings, user or NobodyThere(), ())
    dispatcher = parts.context(device, MemoryJournal(), RunningMode.REQUEST).dispatcher
    size = (await dispatcher.observe()).screen.size
    actions = [call_to_action(call, Frame(size, size)) for call in calls]
    done: list[tuple[str, ActionResult]] = []
    for action in actions:
        done.append((parts.secrets.mask(spell(action)), await dispatcher.dispatch(action)))
        if done[-1][1].outcome == "failed":
            break
    return done


def check_calls(calls: Sequence[Call]) -> None:
    """See whether calls are actions, before a device is opened; raises as `act`."""
    anything = Size(1 << 20, 1 << 20)
    for call in calls:
        call_to_action(call, Frame(anything, anything))


def installed_applications(environment: Mapping[str, str]) -> tuple[Application, ...]:
    """List the applications that can be started here."""
    return tuple(entry.application for entry in installed(Places.of(environment)))


class _Parts:
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
        self.prompts = PromptFiles()
        self.platform = PLATFORMS.get(settings.device.partition(":")[0], "linux")
        self.dialects = {role: self.dialect(role, chosen) for role, chosen in options.items()}
        self.pointing = options["grounder"] if "grounder" in settings.models else None
        self.agents = tuple(map(AgentRegistry.load, settings.agents))

    def device(self, spec: str) -> AbstractAsyncContextManager[Device]:
        return open_device(spec, self.secrets, self.settings.perception)

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
            limits=self.settings.limits,
            mode=mode,
            agents=self.agents,
            listeners=self.listeners,
        )
        policy = Policy(self.settings.policy.rules)
        album = journal.folder / BLOBS if isinstance(journal, FileJournal) else None
        gate = PolicyGate(policy, self.user, context.record, allow_all=self.settings.yes, album=album)
        context.dispatcher = CommandDispatcher(device, context, gate, self.grounder(context))
        return context

    def dialect(self, role: Role, options: ModelSettings) -> Dialect:
        planner = role == "planner" and self.agent == "workflow"
        prompts = self.prompts.at(options.prompts or self.settings.prompts, planner=planner)
        return dialect_for(role, options, self.agent, self.platform, prompts)

    def grounder(self, context: Context) -> Grounder:
        """Give the grounder of the settings, or the built-in one, which reads names."""
        if self.pointing is None:
            return LexiconGrounder()
        points = points_of(self.pointing)
        prompts = self.prompts.at(self.pointing.prompts or self.settings.prompts)
        return ModelGrounder(partial(reply_of, context, "grounder"), GroundReply(points, prompts=prompts))


def _check_there_is_a_planner(agent: Arrangement, planner: ModelSettings) -> None:
    if agent != "host" and planner.model == BUILT_IN:
        wanted = "name one, such as --model openai:NAME (deskhand models list shows services)"
        raise SettingsError(f"the agent {agent} needs a model of language, and {BUILT_IN} is none; {wanted}")


def _load(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def _near(word: str, known: Mapping[str, str]) -> str:
    near = get_close_matches(word, known, 1, 0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
