"""Which sessions there are, and what is said of those that there are not."""

from __future__ import annotations

import pytest

from deskhand.core.errors import SettingsError
from deskhand.core.event import SessionStarted
from deskhand.core.plan import Plan
from deskhand.core.status import RunningMode
from deskhand.session.factory import SESSIONS, SessionFactory
from deskhand.session.session import BaseSession, FollowerSession, Session
from deskhand.testing import ScriptedModel
from tests.paper import context

PLAN = Plan(task="t", steps=("a",))


def made(mode: RunningMode, platform: str = "linux", **fields: object) -> BaseSession:
    around = context(ScriptedModel(), mode=mode)
    around.platform = platform
    given = {"version": "0", "device": "paper", "models": {}, "mode": mode, **fields}
    return SessionFactory.create_session(around, SessionStarted.model_validate(given))


@pytest.mark.parametrize("mode", [m for m in RunningMode if m is not RunningMode.BATCH])
def test_each_mode_has_its_session(mode: RunningMode) -> None:
    session = made(mode, request="do it", plan=PLAN)

    assert type(session) is (FollowerSession if mode is RunningMode.FOLLOWER else Session)


def test_the_modes_are_called_as_they_are_known() -> None:
    assert {"normal", "batch", "follower", "operator", "service"} <= {str(mode) for mode in RunningMode}


def test_a_batch_is_no_session() -> None:
    with pytest.raises(SettingsError, match=r"no session of the mode batch on linux; there are request, normal"):
        made(RunningMode.BATCH, request="do it")


def test_a_platform_without_sessions_says_which_have_some() -> None:
    with pytest.raises(SettingsError, match=f"no sessions on 'toaster' yet; there are on {', '.join(SESSIONS)}"):
        made(RunningMode.REQUEST, "toaster", request="do it")


@pytest.mark.parametrize(
    ("mode", "fields", "said"),
    [
        (RunningMode.REQUEST, {}, "request is empty"),
        (RunningMode.REQUEST, {"request": " "}, "request is empty"),
        (RunningMode.FOLLOWER, {}, "no plan"),
        (RunningMode.FOLLOWER, {"plan": Plan(task="t")}, "no plan"),
        (RunningMode.FOLLOWER, {"plan": PLAN, "agent": "native"}, "works alone"),
        (RunningMode.OPERATOR, {"request": "a", "agent": "workflow"}, "works alone"),
    ],
)
def test_what_a_session_lacks_is_said(mode: RunningMode, fields: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        made(mode, "linux", **fields)
