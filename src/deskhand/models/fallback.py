"""A model that has another to step in for it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from time import monotonic
from types import TracebackType
from typing import Self

from deskhand.core.errors import ModelBusy, ModelError
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Model, Pictures
from deskhand.models.remarks import remark

REST = 300.0
"""Seconds in which a model that gave no answer is not asked again; each call would cost all its tries."""


@dataclass
class FallbackModel:
    """Asks the first; when it cannot answer, the second."""

    first: Model
    second: Model
    _rests_until: float = 0.0
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def name(self) -> str:
        return self.first.name

    async def __aenter__(self) -> Self:
        for model in (self.first, self.second):
            if isinstance(model, AbstractAsyncContextManager):
                await self._stack.enter_async_context(model)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Answer once; the reply says which model gave it.

        Raises:
            ModelError: neither can answer; the reason of each.
        """
        if monotonic() < self._rests_until:
            return await self.second.ask(request, pictures)
        try:
            return await self.first.ask(request, pictures)
        except ModelError as error:
            remark(f"{error}; asking {self.second.name} instead")
            if isinstance(error, ModelBusy):
                self._rests_until = monotonic() + REST
            try:
                return await self.second.ask(request, pictures)
            except ModelError as second:
                raise type(error)(f"{error}; and its fallback: {second}") from second
