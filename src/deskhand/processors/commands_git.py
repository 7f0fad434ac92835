"""What speaks against a call of git."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.processors.commands_options import has_option
from deskhand.processors.commands_programs import GIT_NETWORK, GIT_READING, GIT_RISKY
from deskhand.processors.commands_words import Word

UNSAID = "a command of git that is only known when it runs"


def against_git(arguments: Sequence[Word]) -> set[str]:
    """Say what speaks against a call of git with these arguments."""
    at = next((i for i, word in enumerate(arguments) if not word.start.startswith("-")), len(arguments))
    command, rest = (arguments[at] if at < len(arguments) else None), arguments[at + 1 :]
    found = set()
    if at or has_option(rest, GIT_RISKY):
        found.add("an option of git that may run or write something")
    if command is None or not command.whole:
        found.add(UNSAID)
    elif command.text in GIT_NETWORK:
        found.add("network")
    elif command.text not in GIT_READING or _forgets(command, rest):
        found.add("changing a repository, which may run its hooks")
    return found


def _forgets(command: Word, rest: Sequence[Word]) -> bool:
    """Tell whether a call of `reflog` does more than show it."""
    first = next(iter(rest), None)
    return command.text == "reflog" and first is not None and first.text in ("expire", "delete", "drop", "write")
