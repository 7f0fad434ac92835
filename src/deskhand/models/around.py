"""Models around other models, which are entered and left with them."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


@dataclass
class Around:
    """Enters what is inside, where it wants to be entered, and leaves it in the end."""

    _stack: AsyncExitStack = field(default_factory=AsyncExitStack, init=False, kw_only=True)

    @property
    @abstractmethod
    def inside(self) -> tuple[object, ...]:
        """The models that this one asks."""

    async def __aenter__(self) -> Self:
        for model in self.inside:
            if isinstance(model, AbstractAsyncContextManager):
                await self._stack.enter_async_context(model)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._stack.aclose()
