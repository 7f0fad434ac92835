"""An MCP server for tests: over its standard input and output, or by HTTP on the port that is its argument."""

import os
import sys
import time
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("odd things")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def whoami() -> str:
    """Say what the environment holds."""
    return f"{os.environ.get('WORD')} {os.environ.get('PASSPHRASE')} {os.getpid()}"


@server.tool()
def talk(length: int) -> str:
    """Say a lot."""
    return "x" * length


@server.tool()
def picture() -> Image:
    return Image(data=b"12345678", format="png")


@server.tool()
def fail() -> str:
    raise ToolError("no such note: 你好")


@server.tool()
def die() -> str:
    """End the server."""
    os._exit(3)


@server.tool()
def hang() -> str:
    """Never answer."""
    time.sleep(600)
    return "late"


@server.tool()
def flood() -> str:
    """Print without end, and without a line's end."""
    Path(f"/proc/{os.getpid()}/fd/1").write_bytes(b"")
    while True:
        os.write(1, b"y" * 65536)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
