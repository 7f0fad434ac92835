"""Sessions as a user opens them: settings, a request, a folder for the run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from anyio.from_thread import start_blocking_portal

from deskhand.core.errors import SettingsError
from deskhand.core.observation import Application
from deskhand.core.plan import Plan
from deskhand.core.ports import User
from deskhand.core.status import RunningMode
from deskhand.core.text import is_blank
from deskhand.devices.linux.applications.catalogue import Places, installed
from deskhand.journal.file import FileJournal, read_records
from deskhand.journal.folder import run_folder
from deskhand.journal.view import View
from deskhand.processors.context import Listener
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import BaseSession, SessionResult
from deskhand.settings import Settings, load
from deskhand.wiring import Wiring


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
    step. The setting `running_mode` can want it otherwise. `settings` are the user's own unless given. `listeners` are
    told every record as it is written; coroutine functions among them soon after, without holding anything up.

    Raises:
        SettingsError: before anything is started, when a setting, a spec or the request is wrong.
        DeviceError: the device cannot be opened.
    """
    settings = settings or settings_from()
    mode = _mode(settings, request, user)
    name = request.task if isinstance(request, Plan) else request
    parts = Wiring(settings, user or NobodyThere(), listeners)
    runs = runs_folder(settings) if not run_dir else Path()
    with run_folder(name, runs, str(run_dir), keep=settings.keep_runs) as folder:
        async with parts.opened(settings.device, folder) as device:
            with parts.journal(folder) as journal:
                _check_new(journal)
                started = parts.started(device, mode, request)
                yield parts.session(parts.context(device, journal, mode), started, folder)


def _mode(settings: Settings, request: str | Plan, user: User | None) -> RunningMode:
    """Say how the session gets its requests.

    Raises:
        SettingsError: it would get none, or cannot do with what there is.
    """
    if isinstance(request, Plan):
        if settings.running_mode not in (None, RunningMode.FOLLOWER):
            raise SettingsError(f"a plan is followed in the mode follower, not {settings.running_mode}")
        return RunningMode.FOLLOWER
    mode = settings.running_mode or (RunningMode.REQUEST if request or user is None else RunningMode.NORMAL)
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
    parts = Wiring(settings, user or NobodyThere(), listeners, records)
    async with parts.opened(started.device, folder) as device:
        with parts.journal(folder) as journal:
            context = parts.context(device, journal, started.mode)
            session = parts.session(context, started, folder)
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


def run_sync(
    request: str | Plan,
    *,
    settings: Settings | None = None,
    user: User | None = None,
    run_dir: str | Path = "",
    listeners: Sequence[Listener] = (),
) -> SessionResult:
    """Do as `run` for callers that are no coroutines, such as scripts and notebooks; raises the same.

    The session has an event loop of its own, in a thread of its own, so that it does not matter whether one runs here;
    `user` and `listeners` are called there. An exception that is raised here meanwhile, such as KeyboardInterrupt,
    cancels the session: it can be resumed.
    """
    with start_blocking_portal() as portal:
        task = partial(run, request, settings=settings, user=user, run_dir=run_dir, listeners=listeners)
        future = portal.start_task_soon(task)
        try:
            return future.result()
        finally:
            future.cancel()


def installed_applications(environment: Mapping[str, str]) -> tuple[Application, ...]:
    """List the applications that can be started here."""
    return tuple(entry.application for entry in installed(Places.of(environment)))
