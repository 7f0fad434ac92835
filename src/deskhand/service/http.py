"""The service's requests and answers, all JSON."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.text import is_blank
from deskhand.service.guard import Guard, refused
from deskhand.service.job import Asked, Job
from deskhand.service.queues import QueueFull, Queues
from deskhand.service.stream import EventStream
from deskhand.session.plans import plan_of

LARGEST = 1 << 18
"""Bytes of a request's body."""
SLOWEST = 30.0
"""Seconds for a body to arrive."""
MOST_STREAMS = 64
MOST_LISTED = 1000

Answer = Callable[[Request, Job], Awaitable[ASGIApp]]


class Refused(Exception):
    """A request that cannot be done; `status` is the HTTP code."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def application(queues: Queues, token: str, *, loopback: bool = True) -> ASGIApp:
    """Make the ASGI application in front of the queues."""
    service = _Service(queues)
    routes = [
        Route("/jobs", service.submit, methods=["POST"]),
        Route("/jobs", service.list, methods=["GET"]),
        Route("/jobs/{id}", service.on_job(service.status), methods=["GET"]),
        Route("/jobs/{id}/events", service.on_job(service.events), methods=["GET"]),
        Route("/jobs/{id}/cancel", service.on_job(service.cancel), methods=["POST"]),
        Route("/jobs/{id}/pause", service.on_job(partial(service.hold, on=True)), methods=["POST"]),
        Route("/jobs/{id}/unpause", service.on_job(partial(service.hold, on=False)), methods=["POST"]),
        Route("/jobs/{id}/resume", service.on_job(service.resume), methods=["POST"]),
        Route("/jobs/{id}/answer", service.on_job(service.answer), methods=["POST"]),
    ]
    handlers = {Refused: _refused, 404: partial(_said, 404), 405: partial(_said, 405)}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), token, loopback=loopback)  # type: ignore[arg-type]  # its handlers are typed for Exception only


async def _refused(_request: Request, error: Refused) -> JSONResponse:
    return refused(error.status, str(error))


async def _said(status: int, request: Request, _error: Exception) -> JSONResponse:
    return refused(status, f"there is no {request.method} {request.url.path}")


class _Service:
    def __init__(self, queues: Queues) -> None:
        self._queues = queues
        self._streams = 0

    def on_job(self, answer: Answer) -> Callable[[Request], Awaitable[ASGIApp]]:
        """Make an endpoint that is given the job of its path."""

        async def endpoint(request: Request) -> ASGIApp:
            if (job := self._queues.jobs.get(request.path_params["id"])) is None:
                raise Refused(404, "there is no such job")
            return await answer(request, job)

        return endpoint

    async def submit(self, request: Request) -> ASGIApp:
        asked = _asked(await _fields(request), self._queues.devices[0])
        try:
            job = self._queues.submit(asked)
        except QueueFull as error:
            raise Refused(503, str(error)) from error
        except SettingsError as error:
            raise Refused(400, str(error)) from error
        except OSError as error:
            raise Refused(507, f"the job cannot be written down: {error}") from error
        return JSONResponse(job.in_brief(), 201, {"location": f"/jobs/{job.id}"})

    async def list(self, request: Request) -> ASGIApp:
        jobs = list(self._queues.jobs.values())[-MOST_LISTED:]
        return JSONResponse({"jobs": [job.in_brief() for job in jobs], "devices": self._queues.devices})

    async def status(self, request: Request, job: Job) -> ASGIApp:
        try:
            return JSONResponse(await anyio.to_thread.run_sync(job.described))
        except JournalError as error:
            raise Refused(500, str(error)) from error

    async def events(self, request: Request, job: Job) -> ASGIApp:
        after = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
        if not after.isdecimal() or len(after) > 12:
            raise Refused(400, f"after is the number of a record, not {after[:40]!r}")
        if self._streams >= MOST_STREAMS:
            raise Refused(503, f"{MOST_STREAMS} clients read events already; try again later")
        return self._counted(EventStream(job, int(after)))

    def _counted(self, stream: ASGIApp) -> ASGIApp:
        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            self._streams += 1
            try:
                await stream(scope, receive, send)
            finally:
                self._streams -= 1

        return respond

    async def cancel(self, request: Request, job: Job) -> ASGIApp:
        if not self._queues.cancel(job):
            raise Refused(409, f"the job is {job.state}; there is nothing to cancel")
        return JSONResponse(job.in_brief(), 202)

    async def hold(self, request: Request, job: Job, *, on: bool) -> ASGIApp:
        if not job.hold(on=on):
            raise Refused(409, f"the job is {job.state}; only one that runs can be held")
        return JSONResponse(job.in_brief(), 202)

    async def resume(self, request: Request, job: Job) -> ASGIApp:
        if not self._queues.resume(job):
            raise Refused(409, f"the job is {job.state}; only one that was begun and cut off can be resumed")
        return JSONResponse(job.in_brief(), 202)

    async def answer(self, request: Request, job: Job) -> ASGIApp:
        said = (await _fields(request)).get("answer")
        if not isinstance(said, str):
            raise Refused(400, 'write the answer as {"answer": "..."}')
        if wrong := job.user.reply(said):
            raise Refused(409, wrong)
        return JSONResponse(job.in_brief())


def _asked(fields: dict[str, object], device: str) -> Asked:
    if unknown := set(fields) - {"request", "plan", "device"}:
        raise Refused(400, f"a job has no {sorted(unknown)[0]!r}; there are request or plan, and device")
    request, plan, device_ = fields.get("request"), fields.get("plan"), fields.get("device", device)
    if (request is None) == (plan is None):
        raise Refused(400, 'say what is to be done: {"request": "..."} or {"plan": {...}}')
    if not isinstance(device_, str):
        raise Refused(400, "device is a text")
    if plan is None:
        if not isinstance(request, str) or is_blank(request):
            raise Refused(400, "request is a text that says what is to be done")
        return Asked(request=request, device=device_)
    try:
        followed = plan_of(plan, "plan")
    except SettingsError as error:
        raise Refused(400, str(error)) from error
    if not followed.steps:
        raise Refused(400, "plan: steps is missing; a plan to follow has at least one")
    return Asked(plan=followed, device=device_)


async def _fields(request: Request) -> dict[str, object]:
    """Read the JSON object of a body, which is bounded in size and time."""
    try:
        with anyio.fail_after(SLOWEST):
            data = await _body(request)
    except TimeoutError as error:
        raise Refused(408, f"the body did not arrive within {SLOWEST:g} s") from error
    except ClientDisconnect as error:
        raise Refused(400, "the body is not whole") from error
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body is no JSON: {error}") from error
    if not isinstance(fields, dict):
        raise Refused(400, f"the body is a JSON object, not a {type(fields).__name__}")
    return fields


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST:
            raise Refused(413, f"the body is larger than {LARGEST} bytes")
    return bytes(data)
