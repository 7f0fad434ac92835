"""Does on a computer what a person asks for in plain words.

The public names are imported when they are asked for, so that `import deskhand` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deskhand.agents.factory import AgentRegistry as AgentRegistry
    from deskhand.agents.predict import AgenticWorkflow as AgenticWorkflow
    from deskhand.agents.predict import NativeAgent as NativeAgent
    from deskhand.agents.predict import UIGroundingAgent as UIGroundingAgent
    from deskhand.app import open_session as open_session
    from deskhand.app import reopen_session as reopen_session
    from deskhand.app import run as run
    from deskhand.app import run_sync as run_sync
    from deskhand.app import settings_from as settings_from
    from deskhand.core.errors import DeskhandError as DeskhandError
    from deskhand.core.event import Record as Record
    from deskhand.core.plan import Plan as Plan
    from deskhand.core.ports import Device as Device
    from deskhand.core.ports import Model as Model
    from deskhand.core.ports import User as User
    from deskhand.core.status import RunningMode as RunningMode
    from deskhand.core.status import RunOutcome as RunOutcome
    from deskhand.journal.file import read_records as read_records
    from deskhand.journal.view import View as View
    from deskhand.session.pool import SessionPool as SessionPool
    from deskhand.session.session import SessionResult as SessionResult
    from deskhand.settings import Settings as Settings
    from deskhand.viewer.page import write_page as write_page
    from deskhand.wiring import make_model as make_model
    from deskhand.wiring import open_device as open_device

__version__ = "0.1.0"

_HOMES = {
    "AgentRegistry": "deskhand.agents.factory",
    "AgenticWorkflow": "deskhand.agents.predict",
    "DeskhandError": "deskhand.core.errors",
    "Device": "deskhand.core.ports",
    "Model": "deskhand.core.ports",
    "NativeAgent": "deskhand.agents.predict",
    "Plan": "deskhand.core.plan",
    "Record": "deskhand.core.event",
    "RunOutcome": "deskhand.core.status",
    "RunningMode": "deskhand.core.status",
    "SessionPool": "deskhand.session.pool",
    "SessionResult": "deskhand.session.session",
    "Settings": "deskhand.settings",
    "UIGroundingAgent": "deskhand.agents.predict",
    "User": "deskhand.core.ports",
    "View": "deskhand.journal.view",
    "make_model": "deskhand.wiring",
    "open_device": "deskhand.wiring",
    "open_session": "deskhand.app",
    "read_records": "deskhand.journal.file",
    "reopen_session": "deskhand.app",
    "run": "deskhand.app",
    "run_sync": "deskhand.app",
    "settings_from": "deskhand.app",
    "write_page": "deskhand.viewer.page",
}
"""The module that defines each public name."""

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
