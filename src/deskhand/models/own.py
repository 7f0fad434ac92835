"""Models that are classes of other people's modules."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from deskhand.core.errors import DeskhandError, ModelError, SettingsError
from deskhand.core.foreign import named
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Model, Pictures
from deskhand.models.around import Around


@dataclass
class OwnModel(Around):
    """A model of somebody's own; what it does wrong is said with its name."""

    spec: str
    inner: Any

    @property
    def name(self) -> str:
        return str(getattr(self.inner, "name", self.spec))

    @property
    def inside(self) -> tuple[object, ...]:
        return (self.inner,)

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Answer once.

        Raises:
            ModelError: it raised something, or its answer is no Reply.
        """
        try:
            reply = await self.inner.ask(request, pictures)
        except DeskhandError:
            raise
        except Exception as error:  # foreign code; only who wrote it can put it right
            raise ModelError(f"{request.role}: {self.spec} raised {type(error).__name__}: {error}") from error
        if not isinstance(reply, Reply):
            wanted = "`ask` gives a deskhand.core.message.Reply, such as Reply(text=...)"
            raise ModelError(f"{request.role}: {self.spec} answered with a {type(reply).__name__}; {wanted}")
        return reply


def own_model(spec: str) -> Model:
    """Make the model that `module:Name` stands for.

    Raises:
        SettingsError: there is no such class, it cannot be made, or is no model.
    """
    maker = named(spec, "model")
    try:
        inner = maker()
    except Exception as error:  # foreign code: a constructor can raise anything
        raise SettingsError(f"{spec!r} is no model: making it raised {type(error).__name__}: {error}") from error
    if not inspect.iscoroutinefunction(getattr(inner, "ask", None)):
        raise SettingsError(f"{spec!r} is no model: it has no `async def ask(self, request, pictures)`")
    return OwnModel(spec, inner)
