"""One request to a service over the official SDK, which is imported when the first is sent."""

from __future__ import annotations

import gc
import importlib
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread

from deskhand.core.errors import SettingsError
from deskhand.models.endpoint import Endpoint
from deskhand.models.wire import Wire

CONNECT_SECONDS = 10.0
_importing = threading.Lock()
"""Held by the thread that imports an SDK, so that no other's end turns the collector on before."""
SENT = frozenset({"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"})
"""Headers that go out beside the key's and those that start with `x-stainless-` or `anthropic-`."""
_OURS = "x-deskhand-"
"""Stands before headers that we give the SDK, so that they are told from those that it finds in the environment."""


class Unreachable(Exception):
    """The service was not there, or hung up in the middle."""


@dataclass(frozen=True)
class Response:
    """What came back, with any status."""

    status: int
    headers: Mapping[str, str]
    """With names in lower case."""
    text: str


@dataclass
class Transport:
    """Sends requests to one service. The SDK tries once, without a limit of time: both are the caller's."""

    wire: Wire
    endpoint: Endpoint
    key: str = field(default="", repr=False)
    _client: Any = None
    _sdk: Any = None
    _loop: object = None
    """The event loop that the client's connections belong to."""

    async def post(self, base: str, body: bytes, headers: Mapping[str, str] | None = None) -> Response:
        """Send a body, with more `headers`, to the operation under `base` and read the whole answer.

        Raises:
            Unreachable: there was none, or only a part of one.
            SettingsError: the SDK is not installed.
        """
        await self.ready()
        # The SDKs give any class of theirs for an answer; this one is the answer as it came.
        response_class = self._sdk.httpx2.Response
        try:
            options = {"headers": {_OURS + name: value for name, value in (headers or {}).items()}}
            response = await self._client.post(
                base + self.wire.operation, cast_to=response_class, content=body, options=options
            )
        except self._sdk.status_error as error:
            response = error.response
        except self._sdk.connection_error as error:
            raise Unreachable(_cause(error)) from error
        given = {name.lower(): value for name, value in response.headers.items()}
        return Response(response.status_code, given, response.text)

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop == anyio.lowlevel.current_token():
            await client.close()

    async def ready(self) -> None:
        """Import the SDK and make its client, where that has not been done; raises as `post`."""
        token = anyio.lowlevel.current_token()
        if self._client is None or self._loop != token:
            # Importing takes up to seconds on a busy machine, and reading certificates some more.
            client, sdk = await anyio.to_thread.run_sync(self._open, abandon_on_cancel=True)
            self._client, self._sdk, self._loop = client, sdk, token

    def _open(self) -> tuple[Any, Any]:
        sdk = load_sdk(self.wire)
        headers = self.endpoint.headers(self.key)

        async def only_ours(request: Any) -> None:
            # The SDKs also send what variables of the environment tell them to, keys among it.
            more = {name[len(_OURS) :]: value for name, value in request.headers.items() if name.startswith(_OURS)}
            for name in list(request.headers):
                if name.lower() not in SENT and not name.lower().startswith(("x-stainless-", "anthropic-version")):
                    del request.headers[name]
            request.headers.update(headers | more)

        http = sdk.httpx2.AsyncClient(
            timeout=sdk.httpx2.Timeout(None, connect=CONNECT_SECONDS),
            follow_redirects=False,
            trust_env=not self.endpoint.local,
            verify=not self.endpoint.plain,
            event_hooks={"request": [only_ours]},
        )
        client = sdk.client(
            api_key=self.key or "none",
            base_url=self.endpoint.bases[0],
            max_retries=0,
            timeout=sdk.httpx2.Timeout(None, connect=CONNECT_SECONDS),
            default_query=dict(self.endpoint.query),
            http_client=http,
        )
        return client, sdk


@dataclass(frozen=True)
class Sdk:
    """What is used of an SDK."""

    client: Any
    status_error: type[Exception]
    connection_error: type[Exception]
    httpx2: Any


def load_sdk(wire: Wire) -> Sdk:
    """Import the SDK of a wire; slow the first time.

    Raises:
        SettingsError: it is not installed.
    """
    try:
        with _importing:
            if wire.sdk not in sys.modules:
                _import_at_once(wire.sdk)
            module, httpx2 = (importlib.import_module(name) for name in (wire.sdk, "httpx2"))
    except ModuleNotFoundError as error:
        raise SettingsError(f"{error.name} is not installed: pip install 'deskhand[{wire.sdk}]'") from error
    return Sdk(getattr(module, wire.client), module.APIStatusError, module.APIConnectionError, httpx2)


def _import_at_once(name: str) -> None:
    """Import without garbage collections: looking at all that is new takes up to 200 ms, in which every thread stands.

    What was imported lives as long as the process, so that the collector need never look at it.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        importlib.import_module(name)
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


def _cause(error: BaseException) -> str:
    """Give the innermost reason: the SDK's own says no more than `Connection error.`."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return str(error) or type(error).__name__
