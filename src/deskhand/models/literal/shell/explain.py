"""What the built-in model understands of a request for a shell, without running anything."""

from __future__ import annotations

from typing import NamedTuple

from deskhand.models.literal.shell.clauses import clauses_of, command_for


class Line(NamedTuple):
    """One clause of a request, and the command that would be run for it."""

    text: str
    command: str
    understood: bool

    def __str__(self) -> str:
        return f"“{self.text}” means $ {self.command}" if self.understood else f"“{self.text}” is not understood"


def explain(request: str) -> tuple[Line, ...]:
    """Read a request: one line a clause."""
    commands = [(clause, command_for(clause)) for clause in clauses_of(request)]
    return tuple(Line(clause, command or "", command is not None) for clause, command in commands)
