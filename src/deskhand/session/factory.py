"""Which session a platform and a mode ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from deskhand.agents.agent import BasicAgent
from deskhand.agents.follower import FollowerAgent
from deskhand.agents.host import HostAgent
from deskhand.agents.shell import LinuxAgent
from deskhand.agents.single import SingleAgent
from deskhand.core import shell
from deskhand.core.errors import SettingsError
from deskhand.core.event import SessionStarted
from deskhand.core.status import RunningMode
from deskhand.core.text import is_blank
from deskhand.processors.context import Context
from deskhand.session.session import BaseSession, FollowerSession, Session

ROOTS: Mapping[str, Callable[[], BasicAgent]] = {
    "host": HostAgent,
    "native": lambda: SingleAgent("NativeAgent"),
    "workflow": lambda: SingleAgent("AgenticWorkflow"),
}
"""The agent that takes requests up, by the arrangement's name."""


def _session(context: Context, started: SessionStarted, run_dir: Path | None) -> BaseSession:
    return _with(ROOTS[started.agent](), context, started, run_dir)


def _in_shell(context: Context, started: SessionStarted, run_dir: Path | None) -> BaseSession:
    return _with(LinuxAgent(), context, started, run_dir)


def _with(agent: BasicAgent, context: Context, started: SessionStarted, run_dir: Path | None) -> BaseSession:
    if context.mode is RunningMode.REQUEST and is_blank(started.request) and not context.view.rounds:
        raise SettingsError("the request is empty; say what is to be done")
    return Session(context, started, run_dir, agent)


def _follower(context: Context, started: SessionStarted, run_dir: Path | None) -> BaseSession:
    if started.plan is None or not started.plan.steps:
        raise SettingsError("there is no plan to follow; give one with steps")
    if started.agent != "host":
        raise SettingsError(f"a plan is followed by app agents below a host; {started.agent!r} works alone")
    return FollowerSession(context, started, run_dir, FollowerAgent(started.plan), plan=started.plan)


def _follower_in_shell(context: Context, started: SessionStarted, run_dir: Path | None) -> BaseSession:
    session = _follower(context, started, run_dir)
    assert started.plan is not None  # a follower has one
    where = started.plan.object or shell.PLATFORM
    if where.casefold() not in (shell.PLATFORM, "bash", "terminal"):
        raise SettingsError(
            f"the plan is for {where!r}, which a shell cannot open; leave its object out, or name another --device"
        )
    session.host = FollowerAgent(started.plan.model_copy(update={"object": shell.PLATFORM}))
    return session


def _operator(context: Context, started: SessionStarted, run_dir: Path | None) -> BaseSession:
    if started.agent != "host":
        raise SettingsError(f"an operator works below a host; {started.agent!r} works alone")
    return _session(context, started, run_dir)


Maker = Callable[[Context, SessionStarted, Path | None], BaseSession]
_WITH_WINDOWS: Mapping[RunningMode, Maker] = {
    RunningMode.REQUEST: _session,
    RunningMode.NORMAL: _session,
    RunningMode.FOLLOWER: _follower,
    RunningMode.OPERATOR: _operator,
    RunningMode.SERVICE: _session,
}
SESSIONS: Mapping[str, Mapping[RunningMode, Maker]] = {
    "linux": _WITH_WINDOWS,
    "web": _WITH_WINDOWS,  # tabs are its windows
    shell.PLATFORM: {
        **dict.fromkeys((RunningMode.REQUEST, RunningMode.NORMAL, RunningMode.SERVICE), _in_shell),
        RunningMode.FOLLOWER: _follower_in_shell,
    },
}
"""What makes the session of a platform and a mode. A batch is no session: it is a pool of them."""


class SessionFactory:
    """Makes sessions; what does not exist says so."""

    @staticmethod
    def create_session(context: Context, started: SessionStarted, run_dir: Path | None = None) -> BaseSession:
        """Make the session for the context's platform and mode.

        Raises:
            SettingsError: there is no such session, or `started` lacks the request or plan that there must be, or has
                one that nothing can be done with.
        """
        _check_it_can_be_passed_on(started)
        if (makers := SESSIONS.get(context.platform)) is None:
            known = ", ".join(SESSIONS)
            raise SettingsError(f"there are no sessions on {context.platform!r} yet; there are on {known}")
        if (maker := makers.get(context.mode)) is None:
            raise SettingsError(
                f"there is no session of the mode {context.mode} on {context.platform}; there are {', '.join(makers)}"
            )
        return maker(context, started, run_dir)


def _check_it_can_be_passed_on(started: SessionStarted) -> None:
    """Refuse a NUL, which no keyboard has and no command may hold: the session would stumble over it half-way."""
    plan = started.plan
    texts = (started.request, *((plan.task, plan.object, *plan.steps) if plan is not None else ()))
    if any("\0" in text for text in texts):
        raise SettingsError("the request holds a NUL character, which can be neither typed nor run; take it out")
