"""The policy gate: which actions pass, which need leave, which never happen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from deskhand.core import shell
from deskhand.core.action import Action, CallTool, RunCommand
from deskhand.core.observation import Observation
from deskhand.processors.commands import CATASTROPHIC, is_one, reasons_against
from deskhand.processors.landing import Case, cases_of, chord_of, paths_in, spellings, unseen
from deskhand.processors.rules import BUILT_IN, Rule, Verdict


class Judgement(NamedTuple):
    """A verdict and the rule it follows from."""

    verdict: Verdict
    rule: str


ALLOWED = Judgement("allow", "")
UNSEEN = Judgement("ask", "using what was not seen")
_ORDER = ("deny", "ask", "allow")


class Policy:
    """Judges actions. A deny holds before all else, then the user's rules in order, then the built-in ones."""

    def __init__(self, rules: Sequence[Rule] = (), built_in: Sequence[Rule] = BUILT_IN) -> None:
        self._rules = (*rules, *built_in)

    def judge(self, action: Action, seen: Observation | None, window: str = "") -> Judgement:
        """Judge an action by where it would land, as far as that can be told from what was `seen`.

        Clicks at a point are judged by what lies under it, keys that trigger by what has the focus; in a dialog they
        are judged by its riskiest button, unless the focus says which one they trigger.
        """
        command = _command_of(action)
        judgements = [self._verdict(case) for case in cases_of(command or action, seen, window)]
        if command is not None:
            judgements = [_of_command(command, seen, ruled) for ruled in judgements]
            judgements += [self._verdict(case) for case in cases_of(action, seen, window) if command is not action]
        if unseen(action, seen):
            judgements.append(UNSEEN)
        return min(judgements, key=lambda j: _ORDER.index(j.verdict), default=ALLOWED)

    def _verdict(self, case: Case) -> Judgement:
        fitting = [rule for rule in self._rules if _fits(rule, case)]
        first = next((r for r in fitting if r.verdict == "deny"), fitting[0] if fitting else None)
        return Judgement(first.verdict, first.name) if first is not None else ALLOWED


def _command_of(action: Action) -> RunCommand | None:
    """Give the command that an action runs, also by way of the tool for it; None when it runs none."""
    match action:
        case RunCommand():
            return action
        case CallTool(tool=shell.PLATFORM, arguments=arguments):
            return RunCommand(command=str(arguments.get("command", "")))
        case _:  # the others run no commands
            return None


def _of_command(action: RunCommand, seen: Observation | None, ruled: Judgement) -> Judgement:
    """Judge a command, given what the rules say.

    A rule that allows lifts what is asked for one command alone: what is strung together is more than it says.
    """
    found = reasons_against(action.command, shell.folders_of(seen))
    if action.terminal:
        found.add("a program that is used with keys, which are not judged")
    if CATASTROPHIC in found:
        return Judgement("deny", CATASTROPHIC)
    if not found or ruled.verdict == "deny" or (ruled.rule and ruled.verdict == "allow" and is_one(action.command)):
        return ruled
    return Judgement("ask", "; ".join(sorted(found)))


def _fits(rule: Rule, case: Case) -> bool:
    if case.replaces_own_file and rule.name == "replacing a file":
        return False
    return (
        (not rule.action or case.action.kind in rule.action)
        and (not rule.application or _found(rule.application, case.application))
        and (not rule.keys or chord_of(rule.keys) in case.chords)
        and (not rule.path or any(fnmatchcase(path, rule.path) for path in paths_in(case.text)))
        and _fits_place(rule, case)
    )


def _fits_place(rule: Rule, case: Case) -> bool:
    """See whether role and text fit the same element, or the text alone what the action carries."""
    if not rule.role and not rule.text:
        return True
    if any(
        (not rule.role or e.role in rule.role)
        and (not rule.text or any(_found(rule.text, spelled) for spelled in spellings(e.name)))
        for e in case.elements
    ):
        return True
    return not rule.role and bool(rule.text) and _found(rule.text, case.text)


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
