"""Tools of MCP servers: each server is started once, asked what it has, and called within limits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import IO, Any, NamedTuple

import anyio
import httpx2
from anyio.abc import TaskGroup, TaskStatus
from mcp import types
from mcp.client import Client, Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from deskhand import __version__
from deskhand.core.errors import SettingsError, ToolFailed
from deskhand.core.groups import as_it_was
from deskhand.core.message import ToolSpec
from deskhand.core.ports import Tool
from deskhand.core.secret import Secrets
from deskhand.core.text import counted, whole
from deskhand.tools.options import ToolServer
from deskhand.tools.pipe import spoken_to

RESTARTS = 1
"""How often a server that failed is started again, in one session."""

_TROUBLE = (
    OSError,
    MCPError,
    TimeoutError,
    ValueError,
    httpx2.HTTPError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
    ExceptionGroup,  # of these; task groups wrap what their tasks raise
)


class Place(NamedTuple):
    """Where the programs of servers run: their variables, where their errors go, and the user's secrets."""

    environment: Mapping[str, str]
    log: IO[bytes]
    secrets: Secrets


@asynccontextmanager
async def mcp_tools(servers: Mapping[str, ToolServer], place: Place) -> AsyncIterator[dict[str, Tool]]:
    """Start or reach all servers; give their tools as SERVER.TOOL. Leaving the block ends them.

    Raises:
        SettingsError: one does not come up, or is no MCP server.
    """
    with as_it_was():
        async with anyio.create_task_group() as group:
            links = [Link(name, options, place, group) for name, options in servers.items()]
            for link in links:
                await _up(link)
            yield {tool.about.name: tool for link in links for tool in link.tools()}
            group.cancel_scope.cancel()


async def _up(link: Link) -> None:
    try:
        await link.connect()
    except _TROUBLE as error:
        raise SettingsError(f"tools.{link.name}: it does not come up ({_reason(error)})") from error


class Link:
    """The connection to one server, and what it offers."""

    def __init__(self, name: str, options: ToolServer, place: Place, group: TaskGroup) -> None:
        self.name = name
        self.options = options
        self._place = place
        self._group = group
        self._offers: list[types.Tool] = []
        self._client: Client | None = None
        self._held = anyio.CancelScope()
        self._restarts = 0
        self._lock = anyio.Lock()

    async def connect(self) -> None:
        """Connect and ask what there is, in a task that lasts as long as the connection."""
        with anyio.fail_after(self.options.seconds):
            self._client = await self._group.start(self._hold)

    def tools(self) -> list[Tool]:
        return [McpTool(self, offer) for offer in self._offers]

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool; one call at a time.

        Raises:
            ToolFailed: it said so, gave no answer in time, or its server ended; then what it did is not known.
        """
        async with self._lock:
            client = await self._connected()
            try:
                with anyio.fail_after(self.options.seconds):
                    result = await client.call_tool(tool, arguments)
            except TimeoutError as error:
                self._drop()
                why = f"gave no answer within {self.options.seconds:g} s"
                raise ToolFailed(f"the tool server {self.name!r} {why}; whether it did it is not known") from error
            except MCPError as error:
                if error.code != types.CONNECTION_CLOSED:
                    raise ToolFailed(f"{tool}: {self._short(str(error))}") from error
                self._drop()
                ended = f"the tool server {self.name!r} ended during the call; whether it did it is not known"
                raise ToolFailed(ended) from error
            except _TROUBLE as error:
                self._drop()
                raise ToolFailed(f"the tool server {self.name!r} failed ({_reason(error)})") from error
        text = self._short(_text(result))
        if result.is_error:
            raise ToolFailed(text or f"{tool} failed without a word")
        return text

    async def _connected(self) -> Client:
        """Give the connection, made again where it was dropped.

        Raises:
            ToolFailed: it was dropped once too often, or does not come up again.
        """
        if self._client is None:
            if self._restarts >= RESTARTS:
                raise ToolFailed(f"the tool server {self.name!r} has failed again; it is not called any more")
            self._restarts += 1
            try:
                await self.connect()
            except _TROUBLE as error:
                raise ToolFailed(f"the tool server {self.name!r} does not come up again ({_reason(error)})") from error
        assert self._client is not None  # connect sets it
        return self._client

    def _drop(self) -> None:
        self._client = None
        self._held.cancel()

    async def _hold(self, *, task_status: TaskStatus[Client]) -> None:
        """Keep a connection until it is dropped. Entered and left in one task, as its cancel scopes want it."""
        begun = False
        try:
            with anyio.CancelScope() as self._held:
                async with Client(self._transport(), cache=None, client_info=_US) as client:
                    self._offers = await _offers(client)
                    begun = True
                    task_status.started(client)
                    await anyio.sleep_forever()
        except _TROUBLE:
            if not begun:
                raise
            self._client = None  # it went by itself; the next call says so and starts it again

    def _transport(self) -> Transport:
        expand = self._place.secrets.expand
        if self.options.url:
            return _reached(self.options.url, expand(self.options.key))
        added = {name: expand(value) for name, value in self.options.environment.items()}
        return spoken_to(self.options.command, {**self._place.environment, **added}, self._place.log)

    def _short(self, text: str) -> str:
        if (more := len(text) - self.options.characters) <= 0:
            return text
        return f"{text[: self.options.characters]}… ({counted(more, 'character')} more, left out)"


class McpTool:
    """One tool of a server."""

    def __init__(self, link: Link, offer: types.Tool) -> None:
        self._link = link
        self._offer = offer

    @property
    def about(self) -> ToolSpec:
        return ToolSpec(
            name=f"{self._link.name}.{self._offer.name}",
            description=whole(self._offer.description or self._offer.title or ""),
            arguments=self._offer.input_schema,
            applications=self._link.options.applications,
        )

    async def call(self, arguments: dict[str, Any]) -> str:
        return await self._link.call(self._offer.name, arguments)


_US = types.Implementation(name="deskhand", version=__version__)


@asynccontextmanager
async def _reached(url: str, key: str) -> AsyncIterator[Any]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30, read=300)) as client:
        streams: AbstractAsyncContextManager[Any] = streamable_http_client(url, http_client=client)
        async with streams as both:
            yield both


async def _offers(client: Client) -> list[types.Tool]:
    """List a server's tools, page by page; a hundred pages are enough for anybody."""
    found: list[types.Tool] = []
    cursor: str | None = None
    for _ in range(100):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _text(result: types.CallToolResult) -> str:
    """Put an answer into words; of what is no text it is said what it is."""
    parts = [_part(item) for item in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return whole("\n".join(parts))


def _part(item: types.ContentBlock) -> str:
    match item:
        case types.TextContent():
            return item.text
        case types.EmbeddedResource(resource=types.TextResourceContents(text=text)):
            return text
        case types.ImageContent() | types.AudioContent():
            return f"[{item.mime_type}, {counted(len(item.data) * 3 // 4, 'byte')}]"
        case _:
            return f"[{item.type}]"


def _reason(error: Exception) -> str:
    """Give the innermost reason, in words."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return str(error) or type(error).__name__
