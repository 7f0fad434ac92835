"""A typed Python function as a tool."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from pydantic import TypeAdapter, ValidationError, validate_call
from pydantic.errors import PydanticUserError

from deskhand.core.errors import SettingsError, ToolFailed
from deskhand.core.message import ToolSpec

SECONDS = 60.0
"""How long a call may take. A plain function runs in a thread, which nothing can end; it is left behind then."""


class FunctionTool:
    """Calls a function, or a coroutine function, by what its signature and docstring say.

    Arguments are checked and converted by their annotations; what it gives is handed on as text.

    Raises:
        SettingsError: it is no function, or its annotations cannot be put into a JSON schema.
    """

    def __init__(self, function: Callable[..., Any], name: str = "") -> None:
        try:
            schema = TypeAdapter[Any](function).json_schema()  # type: ignore[arg-type]  # functions are taken, too
            self._call: Callable[..., Any] = validate_call(function)
        except (PydanticUserError, NameError, TypeError, AttributeError) as error:
            raise SettingsError(f"{function!r} cannot be a tool: {error}") from error
        if schema.get("type") != "object":
            raise SettingsError(f"{function!r} cannot be a tool: its parameters need names to be called by")
        self._waits = inspect.iscoroutinefunction(function)
        self._about = ToolSpec(
            name=name or function.__name__, description=inspect.getdoc(function) or "", arguments=schema
        )

    @property
    def about(self) -> ToolSpec:
        return self._about

    async def call(self, arguments: dict[str, Any]) -> str:
        """Call it.

        Raises:
            ToolFailed: the arguments do not fit, it raised something, or it takes too long.
        """
        work = partial(self._call, **arguments)
        try:
            with anyio.fail_after(SECONDS):
                given = await (work() if self._waits else anyio.to_thread.run_sync(work, abandon_on_cancel=True))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False))
            raise ToolFailed(f"{self._about.name}: {wrong}") from error
        except TimeoutError as error:
            raise ToolFailed(f"{self._about.name} gave no answer within {SECONDS:g} s") from error
        except Exception as error:  # whatever somebody else's function raises is news for the model
            raise ToolFailed(f"{self._about.name}: {error or type(error).__name__}") from error
        return "" if given is None else str(given)
