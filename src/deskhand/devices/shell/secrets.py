"""Secrets in commands: each becomes part of one word, whatever signs it holds."""

from __future__ import annotations

from shlex import quote

from deskhand.core.errors import TargetNotFound
from deskhand.core.secret import PLACEHOLDER, Secrets


def with_secrets(command: str, secrets: Secrets) -> str:
    """Put values where placeholders stand, quoted as the place asks for.

    Raises:
        TargetNotFound: there is no secret of that name, or it stands where nothing can be quoted.
    """
    pieces, at = [], 0
    inside = _Quotes()
    for found in PLACEHOLDER.finditer(command):
        before = command[at : found.start()]
        inside.read(before)
        if "<<" in command[: found.start()]:
            raise TargetNotFound("a secret cannot stand in or behind a here-document; put it into an argument before")
        pieces += [before, inside.quoted(secrets.expand(found.group()))]
        at = found.end()
    return "".join([*pieces, command[at:]])


class _Quotes:
    """Which quotes are open, innermost last; brackets of `$(` begin anew."""

    def __init__(self) -> None:
        self._open: list[str] = []

    @property
    def _last(self) -> str:
        return self._open[-1] if self._open else ""

    def read(self, text: str) -> None:
        at = 0
        while at < len(text):
            sign = text[at]
            if self._last == "'":
                self._close(sign)
            elif sign == "\\":
                at += 1
            elif text.startswith("$(", at):
                self._open.append("(")
                at += 1
            elif sign == self._last or (sign == ")" and self._last == "("):
                self._open.pop()
            elif sign == '"' or (sign == "'" and self._last != '"'):
                self._open.append(sign)
            at += 1

    def _close(self, sign: str) -> None:
        if sign == "'":
            self._open.pop()

    def quoted(self, value: str) -> str:
        match self._last:
            case "'":
                return value.replace("'", "'\"'\"'")
            case '"':
                return "".join(f"\\{sign}" if sign in '\\"$`' else sign for sign in value)
            case _:
                return quote(value)
