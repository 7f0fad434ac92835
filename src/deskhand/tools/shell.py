"""A shell as a tool, for agents that work on a desktop."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from deskhand.core import shell
from deskhand.core.action import RunCommand
from deskhand.core.errors import ToolFailed
from deskhand.core.message import ToolSpec
from deskhand.core.ports import Device

_ABOUT = ToolSpec(
    name=shell.PLATFORM,
    description=(
        "Run a command line in bash. Folder, variables and functions stay from one call to the next. A command has no "
        "input, and is stopped after `seconds`; `background` leaves it running. `>` makes new files and replaces none."
    ),
    arguments={
        "type": "object",
        "properties": {
            "command": {"type": "string"},
            "seconds": {"type": "number", "default": 60},
            "background": {"type": "boolean", "default": False},
        },
        "required": ["command"],
        "additionalProperties": False,
    },
)


class ShellTool:
    """Runs commands on a shell device. The policy judges them before they come here, as it does elsewhere."""

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def about(self) -> ToolSpec:
        return _ABOUT

    async def call(self, arguments: dict[str, Any]) -> str:
        """Run a command and give what it printed, or what became of it where it printed nothing.

        Raises:
            ToolFailed: its exit code is not 0, it was stopped, or the arguments do not fit.
        """
        wanted = {name: value for name, value in arguments.items() if name in ("command", "seconds", "background")}
        if odd := arguments.keys() - wanted.keys():
            raise ToolFailed(f"the tool shell takes no {', '.join(sorted(odd))}; it takes command, seconds, background")
        try:
            action = RunCommand(**wanted)
        except ValidationError as error:
            wrong = "; ".join(f"{e['loc'][0]}: {e['msg']}" for e in error.errors(include_url=False))
            raise ToolFailed(f"the tool shell: {wrong}") from error
        result = await self._device.perform(action)
        if result.outcome == "failed":
            raise ToolFailed(f"{result.text}\n{result.value}".strip())
        return (
            result.value
            if result.value.strip() and result.outcome == "done"
            else f"{result.text}\n{result.value}".strip()
        )
