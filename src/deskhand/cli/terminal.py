"""The user at the terminal."""

from __future__ import annotations

import sys
import termios
from contextlib import suppress
from dataclasses import dataclass, field

import anyio.to_thread

from deskhand.cli.signals import INTERRUPTION
from deskhand.core.errors import NeedsUser, SettingsError
from deskhand.core.ports import User
from deskhand.core.text import is_blank, shown
from deskhand.session.nobody import NobodyThere


class TerminalUser:
    """Asks on stderr and reads from stdin, a line each; end of input means that nobody is there any more."""

    async def next_request(self) -> str | None:
        while (line := await self._line("What is to be done? (empty line or Ctrl-D ends) ")) is not None:
            return line or None
        return None

    async def answer(self, question: str) -> str:
        """Put a question.

        Raises:
            NeedsUser: the input has ended.
        """
        if (line := await self._line(f"{question} ")) is None:
            raise NeedsUser(question)
        return line

    async def confirm(self, question: str) -> bool | None:
        _forget_what_was_typed_ahead()
        line = await self._line(f"{question} [y/N] ")
        return None if line is None else line.lower() in ("y", "yes", "j", "ja", "o", "oui", "s", "si", "sí")

    async def enter(self, prompt: str) -> None:
        """Wait for the Enter key, or the end of the input."""
        _forget_what_was_typed_ahead()
        await self._line(prompt)

    async def _line(self, prompt: str) -> str | None:
        line = ""
        try:
            with INTERRUPTION.at_once():
                print(shown(prompt), end="", file=sys.stderr, flush=True)
                # Abandoned on Ctrl-C: a thread that waits for a line cannot be stopped, and the process ends anyway.
                line = await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
        except OSError:  # the terminal has hung up
            return None
        finally:
            if not line:  # nobody has pressed Enter: what is said next begins a line of its own
                with suppress(OSError):
                    print(file=sys.stderr)
        return line.strip() if line else None


def _forget_what_was_typed_ahead() -> None:
    """Leave is given to a question that was read, not by a key that was pressed before it."""
    with suppress(termios.error):  # a terminal that has hung up
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def user_at(*, silent: bool) -> User:
    """Give the person at the terminal, or nobody when there is no terminal or nothing may be asked."""
    return TerminalUser() if is_somebody_there(silent=silent) else NobodyThere()


def is_somebody_there(*, silent: bool) -> bool:
    """Tell whether there is a terminal to ask at, and may be."""
    return not silent and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


@dataclass
class PipedRequests(NobodyThere):
    """Requests from a pipe, a line each; questions are not asked."""

    _some: bool = field(default=False, init=False)

    async def next_request(self) -> str | None:
        """Read on until a line says something; None where the input ends.

        Raises:
            SettingsError: it ended before any line that did.
        """
        while line := await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True):
            if not is_blank(line):
                self._some = True
                return str(line.strip())
        if not self._some:
            raise SettingsError("there is no request, and none came in by the input; give one")
        return None
