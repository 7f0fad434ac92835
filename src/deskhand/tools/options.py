"""What is set about a server of tools."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from deskhand.core.value import Value


class ToolServer(Value):
    """An MCP server whose tools agents may call: a program to start, or an address where one listens."""

    command: tuple[str, ...] = ()
    """The program and its arguments; it is spoken to over its standard input and output."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Variables for the program, beyond search path, home and language; `{{secret:NAME}}` stands for a secret."""
    url: str = ""
    """Where a server listens instead, as http://127.0.0.1:8000/mcp."""
    key: str = ""
    """What that one wants as bearer token; `{{secret:NAME}}` stands for a secret."""
    applications: tuple[str, ...] = ()
    """The ids or names of the applications in whose windows its tools are offered; in all when there are none."""
    seconds: float = Field(default=30, gt=0, le=3600)
    """How long its start, and each call, may take."""
    characters: int = Field(default=20_000, ge=100, le=1_000_000)
    """How much of an answer is handed on."""

    @model_validator(mode="after")
    def _one_way_to_reach_it(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("a server of tools has either a command or a url")
        return self
