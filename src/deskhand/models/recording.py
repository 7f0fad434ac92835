"""Replies kept in a file, and given again instead of a service's."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from deskhand.core.errors import ModelError, ReplayDiverged, SettingsError
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Model, Pictures
from deskhand.core.value import Value
from deskhand.models.around import Around


class Recorded(Value):
    """One line of a recording."""

    key: str
    """The hash of what was asked."""
    role: str
    model: str
    reply: Reply


def key_of(request: ModelRequest) -> str:
    """Hash what a model is told: instructions, turns, schema; pictures by their own hashes.

    The parts count only where there are no turns: a model of language does not see them.
    """
    told = request if not request.turns else request.model_copy(update={"parts": ()})
    canonical = json.dumps(told.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class RecordingModel(Around):
    """Asks another model and appends every request's hash and reply to a file."""

    inner: Model
    path: Path

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def inside(self) -> tuple[object, ...]:
        return (self.inner,)

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Ask the other model.

        Raises:
            ModelError: it gives no answer, or the file cannot be written.
        """
        reply = await self.inner.ask(request, pictures)
        line = Recorded(key=key_of(request), role=request.role, model=self.name, reply=reply).model_dump_json()
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise ModelError(f"{request.role}: the recording {self.path} cannot be written: {error}") from error
        return reply


class ReplayModel:
    """Gives recorded replies: those of equal requests, or, by order, those of the same role."""

    def __init__(self, path: Path, by: Literal["request", "order"] = "request") -> None:
        self.name = f"replay:{path}"
        self._path, self._by = path, by
        self._replies: defaultdict[str, deque[Reply]] = defaultdict(deque)
        for line in _read(path):
            self._replies[line.key if by == "request" else line.role].append(line.reply)

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Give the next reply that was recorded for this; each is given once.

        Raises:
            ReplayDiverged: there is none left.
        """
        replies = self._replies[key_of(request) if self._by == "request" else request.role]
        if not replies:
            what = "this request" if self._by == "request" else f"the {request.role}"
            raise ReplayDiverged(f"{request.role}: {self._path} holds no further reply to {what}")
        return replies.popleft()


def _read(path: Path) -> list[Recorded]:
    try:
        return [Recorded.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    except (OSError, ValidationError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no recording"
        raise SettingsError(f"the recording {path} cannot be read: {reason}") from error
