"""Does on a computer what a person asks for in plain words.

The public names are imported when they are asked for, so that `import deskhand` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deskhand.core.errors import DeskhandError as DeskhandError
    from deskhand.core.status import RunningMode as RunningMode
    from deskhand.core.status import RunOutcome as RunOutcome

__version__ = "0.1.0"

_HOMES = {
    "DeskhandError": "deskhand.core.errors",
    "RunOutcome": "deskhand.core.status",
    "RunningMode": "deskhand.core.status",
}
"""The module that defines each public name."""

__all__ = ["DeskhandError", "RunOutcome", "RunningMode", "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
