"""One service: what it has shown to take, and one request to it, sent once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.to_thread
from pydantic_core import to_json

from deskhand.core.message import ModelRequest
from deskhand.core.ports import Pictures
from deskhand.models.conversation import conversation, count_pictures
from deskhand.models.judging import Fault, Trouble, judge
from deskhand.models.learning import Lesson, learn
from deskhand.models.options import ModelSettings
from deskhand.models.retry import asked_wait
from deskhand.models.transport import Response, Transport, Unreachable
from deskhand.models.wire import HEADERS, Answer, Call, Shape

Outcome = Answer | Trouble | Lesson | Fault
"""A reply; or try again; or something was learned, so try again at once; or a refusal for good."""


@dataclass
class Service:
    """Keeps what is learned about a service for as long as it lives."""

    model: str
    """What the service calls the model."""
    transport: Transport
    options: ModelSettings
    shape: Shape = field(default_factory=Shape)
    base: int = 0
    """Which of the endpoint's base URLs is in use."""
    found: bool = False
    """Whether an API has answered there."""

    @property
    def url(self) -> str:
        return self.transport.endpoint.shown(self._base, self.transport.wire.operation)

    @property
    def _base(self) -> str:
        return self.transport.endpoint.bases[self.base]

    async def send(self, request: ModelRequest, pictures: Pictures) -> Outcome:
        """Send a request once; its time ends with `options.seconds`, also in the middle of an answer.

        Raises:
            SettingsError: the SDK is not installed.
        """
        shape = self.shape
        fields, body, headers = await anyio.to_thread.run_sync(self._body, request, pictures, abandon_on_cancel=True)
        await self.transport.ready()
        try:
            with anyio.fail_after(self.options.seconds):
                response = await self.transport.post(self._base, body, headers)
        except TimeoutError:
            return Trouble(f"no whole answer within {self.options.seconds:g} s")
        except Unreachable as error:
            return Trouble(f"it cannot be reached ({error})")
        outcome = judge(response, self.transport.wire)
        if not isinstance(outcome, Fault):
            self.found = True
            return outcome
        if self.shape != shape:
            return Lesson(self.shape, "was asked for something else meanwhile")
        return self._lesson(outcome, fields, count_pictures(request)) or _final(outcome, response)

    def _body(self, request: ModelRequest, pictures: Pictures) -> tuple[dict[str, Any], bytes, dict[str, str]]:
        """Give the fields of a request, its bytes and headers; slow, as it reads and writes pictures."""
        options = self.options
        call = Call(
            model=self.model,
            system=request.system.strip(),
            messages=conversation(request, self.shape.pictures, self.options.model),
            shape=self.shape,
            schema=request.reply_schema if options.structured else None,
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            stop=request.stop,
            functions=request.functions,
            platform=request.platform,
            tool=options.tool,
            extra=options.extra,
        )
        fields = self.transport.wire.encode(call, pictures.read)
        # A fourth of the time that `json` takes for pictures, in which every other thread stands.
        headers = fields.pop(HEADERS, {})
        return fields, to_json(fields), headers

    def _lesson(self, fault: Fault, fields: dict[str, Any], pictures: int) -> Lesson | None:
        """See what a refusal teaches: a smaller shape, or that the API is at the next base URL."""
        limit = self.shape.pictures
        sent = pictures if limit is None else min(limit, pictures)
        if (lesson := learn(self.shape, fault, fields, sent)) is not None:
            self.shape = lesson.shape
            return lesson
        if fault.is_elsewhere and not self.found and self.base + 1 < len(self.transport.endpoint.bases):
            self.base += 1
            return Lesson(self.shape, f"is not there; trying {self.url}")
        self.found = self.found or not fault.is_elsewhere
        if not self.found:
            self.base = 0  # none of them is right; the likeliest is the one to talk about
        return None


def _final(fault: Fault, response: Response) -> Fault | Trouble:
    if not fault.trouble:
        return fault
    said = f"{fault.status}: {fault.message}" if fault.status >= 300 else f"no reply but {fault.message!r}"
    return Trouble(said, asked_wait(response.headers))
