"""Terminals: commands that are run in them, and what those print."""

from __future__ import annotations

import re

from deskhand.core.action import OnElement, Press, Wait, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Done, Fail, Move, Turn
from deskhand.models.literal.sight import look_again

_LOOKS = 3


def run(turn: Turn) -> Move:
    """Type a command into a terminal, see that it stands there, start it, and see that the terminal takes it."""
    command, shell = turn.clause.value, terminal(turn)
    if shell is None and len(turn.scene.elements) > 1:
        return look_again(turn, "a terminal") or Fail("there is no terminal here to run a command in")
    if turn.failed:
        return Fail(f"the command was not entered: {turn.failed}")
    if turn.memo.get("sent"):
        return _after_starting(turn, shell)
    if turn.memo.get("typed"):
        if shell is not None and _unbroken(command) not in _unbroken(shell.value):
            return look_again(turn, "the command") or Fail("the terminal does not show the command; it was not started")
        before = shell.value if shell is not None else ""
        return turn.act(Press(keys=("enter",)), thought="start it by Return", sent="1", before=_unbroken(before))
    target = OnElement(id=shell.id) if shell is not None else None
    return turn.act(Write(message=command, target=target), thought=f"type {command!r}", typed="1")


def _after_starting(turn: Turn, shell: Element | None) -> Move:
    taken = turn.done if shell is None else _unbroken(shell.value) != turn.memo["before"]
    if taken:
        return Done(f"ran {turn.clause.value!r}")
    if turn.count("waited") < _LOOKS:
        return turn.again(Wait(seconds=0.3), "looking whether it runs", waited=str(turn.count("waited") + 1))
    return Fail("the command was typed, and nothing has happened on Return")


def terminal(turn: Turn) -> Element | None:
    """Give the terminal of the window, if it shows what stands in it."""
    return next((e for e in turn.scene.top if e.role == "terminal"), None)


def last_output(text: str) -> str | None:
    """Give what stands between the last two prompts of a terminal; None when there are no two that are alike."""
    lines = text.rstrip("\n").splitlines()
    prompt = lines[-1].strip() if lines else ""
    asked = [at for at, line in enumerate(lines[:-1]) if prompt and line.startswith(prompt)]
    return "\n".join(lines[asked[-1] + 1 : -1]) if asked else None


def _unbroken(text: str) -> str:
    """Take out the line breaks that a narrow terminal puts into a command."""
    return re.sub(r"\s", "", text)
