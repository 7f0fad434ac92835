"""A model that has another to step in for it."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from deskhand.core.errors import ModelBusy, ModelError
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Model, Pictures
from deskhand.models.around import Around
from deskhand.models.remarks import remark

REST = 300.0
"""Seconds in which a model that gave no answer is not asked again; each call would cost all its tries."""


@dataclass
class FallbackModel(Around):
    """Asks the first; when it cannot answer, the second."""

    first: Model
    second: Model
    _rests_until: float = 0.0

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def inside(self) -> tuple[object, ...]:
        return (self.first, self.second)

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
