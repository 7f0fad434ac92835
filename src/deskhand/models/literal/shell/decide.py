"""The shell's side: one command a clause, all clauses read before the first is run."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deskhand.core.action import ActionResult, RunCommand
from deskhand.core.message import AnswersPart, HistoryPart, ModelRequest, SubtaskPart
from deskhand.models.literal.requested import part
from deskhand.models.literal.shell.clauses import clauses_of, command_for

KNOWN = "list, find, count, show, write, move, copy, rename, make, delete, archive, unpack, measure, install"

_READS = re.compile(r"(?:ls|wc|cat|df|du|pwd|grep|head|tail)\b|find (?!.* -exec )")
"""Commands that may be run twice without harm."""
_YES = frozenset({"yes", "y", "ja", "j", "是", "是的"})


def decide(request: ModelRequest) -> Mapping[str, object]:
    """Decide the next step in a shell from the parts of a request."""
    task, history = part(request, SubtaskPart), part(request, HistoryPart)
    clauses = clauses_of(task.text if task is not None else "")
    commands = [command_for(clause) for clause in clauses]
    if unread := [clause for clause, command in zip(clauses, commands, strict=True) if command is None]:
        return _unread(clauses, unread)
    results, cut_off = _results(history, part(request, AnswersPart))
    if cut_off:
        return {"thought": "nobody knows what became of it", "status": "PENDING", "questions": [_question(cut_off)]}
    last = results[-1] if results else None
    if last is not None and last.outcome == "failed":
        said = f"{last.text}\n{last.value}".strip()
        return {"thought": "the command did not work", "status": "FAIL", "result": said}
    if last is not None and last.outcome == "done" and not last.value and " -v -n " in str(commands[len(results) - 1]):
        said = "nothing was moved or copied: it is not there, or something is in the place already, and stays"
        return {"thought": "the command did nothing", "status": "FAIL", "result": said}
    if len(results) < len(commands):
        command = commands[len(results)]
        call = {"function": "run_command", "arguments": {"command": command}}
        return {"thought": f"“{clauses[len(results)]}”: $ {command}", "status": "CONTINUE", "action": [call]}
    return {"thought": "all is done", "status": "FINISH", "result": _answer(commands, results)}


def _unread(clauses: list[str], unread: list[str]) -> Mapping[str, object]:
    read = [clause for clause in clauses if clause not in unread]
    also = f"; it did read {', '.join(f'“{clause}”' for clause in read)}" if read else ""
    reason = (
        f"“{unread[0]}” cannot be read{also}. In a shell the built-in model only knows how to {KNOWN}; "
        "anything else needs a model of language (--model)"
    )
    return {"thought": "this request cannot be read", "status": "FAIL", "result": reason}


def _results(history: HistoryPart | None, answers: AnswersPart | None) -> tuple[list[ActionResult], str]:
    """Give what came of the commands so far, and the one that was cut off and must be asked about; "" for none.

    One that was cut off and only reads, or is not done as the user says, does not count: it is run again.
    """
    said = dict(answers.answers) if answers is not None else {}
    found: list[ActionResult] = []
    cut_off = ""
    for step in history.steps if history is not None else ():
        for number, action in enumerate(step.actions):
            if not isinstance(action, RunCommand):
                continue
            if number < len(step.results):
                found.append(step.results[number])
            elif (answer := said.get(_question(action.command))) is None:
                cut_off = "" if _READS.match(action.command) else action.command
            elif answer.strip().casefold() in _YES:
                found.append(ActionResult(outcome="unverified", text="done, as the user says"))
    return found, cut_off


def _question(command: str) -> str:
    return f"$ {command} was begun and cut off. Is it done? (yes goes on with the next, no runs it again)"


def _answer(commands: list[str | None], results: list[ActionResult]) -> str:
    last = results[-1] if results else None
    if last is not None and last.value.strip():
        return last.value.strip()
    quiet = "nothing was found" if commands and str(commands[-1]).startswith(("find ", "grep ", "ls ")) else "done"
    return f"{quiet}: $ {commands[-1]}" if commands else quiet
