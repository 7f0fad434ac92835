"""The tools that can be called, as models are told of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from deskhand.core.message import Part, ToolsPart, ToolSpec
from deskhand.dialects.quoting import cut

_MOST_TOOLS = 60
_LONGEST_DESCRIPTION = 600
_LONGEST_SCHEMA = 2000


def with_tools(told: Callable[[tuple[str, ...]], str], parts: Sequence[Part]) -> str:
    """Give what is `told` of the actions, with `call_tool` and the tools it can call where there are some."""
    tools = [tool for part in parts if isinstance(part, ToolsPart) for tool in part.tools]
    if not tools:
        return told(())
    more = [f"... {len(tools) - _MOST_TOOLS} more"] if len(tools) > _MOST_TOOLS else []
    return "\n".join([told(("call_tool",)), "Its tools:", *map(_row, tools[:_MOST_TOOLS]), *more])


def _row(tool: ToolSpec) -> str:
    meaning = cut(" ".join(tool.description.split()), _LONGEST_DESCRIPTION)
    schema = cut(json.dumps(tool.arguments, ensure_ascii=False), _LONGEST_SCHEMA)
    arguments = f"arguments by the schema {schema}" if tool.arguments.get("properties") else "no arguments"
    return f"- {tool.name}: {meaning} ({arguments})" if meaning else f"- {tool.name} ({arguments})"
