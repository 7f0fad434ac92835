"""Other people's code, which settings name as `module:Name`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

from deskhand.core.errors import SettingsError


def named(spec: str, what: str) -> Any:
    """Give what `module:Name` stands for; the module may lie in the current folder. `what` it is, is for messages.

    Raises:
        SettingsError: there is no such module, it cannot be imported, or it has no such name.
    """
    module, _, name = spec.partition(":")
    if not (module and name):
        raise SettingsError(f"{spec!r} is no {what}; write it as module:Name")
    _look_here()
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            missing = f"there is no module {error.name}, neither installed nor in the current folder"
            raise SettingsError(f"{spec!r} is no {what}: {missing}") from error
        raise SettingsError(f"{spec!r} is no {what}: its module cannot be imported: {error}") from error
    except Exception as error:  # foreign code: what it raises while it is imported can be anything
        problem = f"its module cannot be imported: {type(error).__name__}: {error}"
        raise SettingsError(f"{spec!r} is no {what}: {problem}") from error
    if not hasattr(found, name):
        raise SettingsError(f"{spec!r} is no {what}: the module {module} has no {name}")
    return getattr(found, name)


def require(package: str, extra: str, what: str) -> None:
    """See that a package is there which not everybody needs.

    Raises:
        SettingsError: it is not; says how it is installed.
    """
    if importlib.util.find_spec(package) is None:
        raise SettingsError(f"{what} needs the package {package}: pip install 'deskhand[{extra}]'")


def is_module(name: str) -> bool:
    """Tell whether there is a module of this name, without importing it."""
    _look_here()
    return name.isidentifier() and importlib.util.find_spec(name) is not None


def _look_here() -> None:
    here = os.getcwd()  # noqa: PTH109  the entry of sys.path
    if here not in sys.path and "" not in sys.path:
        # Behind all else, so that no file there stands in for a library; it stays, as a module may import later.
        sys.path.append(here)
