"""Finds the calls in what a model wrote: between prose, fences, numbers, comments and each other."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.core.errors import UnreadableReply
from deskhand.dialects.grammar import Call, parse_call, shown
from deskhand.dialects.mending import mend_call
from deskhand.dialects.signatures import is_action, signature_named
from deskhand.dialects.unreadable import Unreadable

_CANDIDATE = re.compile(
    r"^[ \t]*(?:\#|//)[^\n]*|(?<![\w.@/\\-])(?P<name>[A-Za-z_][\w.]*)(?P<gap>[ \t]*)(?P<open>[(（])", re.MULTILINE
)
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\#[^\n]*|[()\[\]{}"\']',
    re.DOTALL,
)
_LEAD = re.compile(
    r"[\s;,`*>•|\"“'(-]*(?:(?:\d+|step\s*\d+)\s*[.):、：-]\s*)?(?:\w+(?:[ _]\w+)?[\s*]*[:：=]\s*)?[\s`*\"“'(-]*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r".*[.!?。！？:：;…]\s+", re.DOTALL)
_REST = re.compile(r"[\s;.!。,，`*)）\]\"”']*(?:\n|\Z|\#|//|<)")
_JOIN = re.compile(r"[\s;,，.&>-]*(?:(?:and|then|and then)\s+)?(?P<name>[A-Za-z_][\w.]*)[(（]")
_CODE = re.compile(r"\s*(?:for|while|if|elif|else|unless|lambda|def|with|try|async|class)\b[^\n]*:", re.IGNORECASE)
_CONDITION = re.compile(r"[ \t]*(?:if|unless|or)\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:\s|;|\#[^\n]*|^[ \t]*```[^\n`]*$|```)+", re.MULTILINE)
_BARE = re.compile(
    r"(?P<before>(?:\s|(?:\#|//)[^\n]*\n|```[^\n`]*\n)*)[`*\"']*(?P<name>[A-Za-z_]+)[`*\"'.!。]*"
    r"(?P<after>\s*(?:```\s*)?)"
)
"""Nothing but a word, comments before it and a fence around it."""
_WITHOUT_CALL = frozenset(
    ("wait", "terminate", "call_user", "go_backward", "go_forward", "navigate_home", "navigate_back")
)
"""Actions that a word alone is enough for."""
_INDENT = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"(?:[ \t;]*(?:\#|//)[^\n]*)?")
_AT_MOST = 50
_LINE_AT_MOST = 300


class Calls(NamedTuple):
    """The calls of a text, and what stands before, between and behind them."""

    calls: tuple[Call, ...]
    gaps: tuple[str, ...]
    """One more than there are calls."""
    mended: bool
    """A call was not written as it should be."""
    repaired: bool
    """So it was, or something else than comments and fences stands around the calls."""


def find_calls(text: str, *, loose: bool = False, cut: bool = False) -> Calls:
    """Read the calls of a text, in order.

    With `loose`, a call counts only at the start of a line or sentence, since prose may speak of calls. `cut` says
    that the reply breaks off where the text ends.

    Raises:
        UnreadableReply: what is surely meant as a call cannot be read.
    """
    found: list[tuple[Call, int, int]] = []
    any_mended, at, misses = False, 0, 0
    while (candidate := _CANDIDATE.search(text, at)) is not None:
        at = candidate.end()
        if candidate["name"] is None or not _may_be_meant(text, candidate, found[-1][2] if found else 0, loose):
            continue
        try:
            call, end, mended = _read(text, candidate, cut)
        except UnreadableReply:
            misses += 1
            if candidate["gap"] and misses < _AT_MOST:
                continue  # "Wait (for the dialog)" is prose
            raise
        _check_unconditional(text, candidate, end)
        if _is_meant(text, candidate, end, found[-1][2] if found else 0):
            if len(found) == _AT_MOST:
                raise Unreadable("syntax_error", f"the reply holds more than {_AT_MOST} actions; give fewer")
            found.append((call, candidate.start("name"), end))
            any_mended |= mended or "." in candidate["name"]
            at = _COMMENT.match(text, end).end()  # type: ignore[union-attr]  # it matches anywhere
    if not found and (bare := _BARE.fullmatch(text)) and signature_named(bare["name"]) in _WITHOUT_CALL:
        return Calls((Call(bare["name"], (), {}),), (bare["before"], bare["after"]), True, True)
    edges = [0, *(edge for _, start, end in found for edge in (start, end)), len(text)]
    gaps = tuple(text[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2))
    surrounded = any(gap and not _NOTHING.fullmatch(gap) for gap in gaps) or _unparted(gaps)
    return Calls(tuple(call for call, _, _ in found), gaps, any_mended, any_mended or surrounded)


def _unparted(gaps: tuple[str, ...]) -> bool:
    """Tell whether two calls stand on one line with nothing that parts them."""
    return any("\n" not in gap and ";" not in gap for gap in gaps[1:-1])


def _line_before(text: str, candidate: re.Match[str], since: int) -> str:
    start = candidate.start("name")
    earliest = max(since, start - _LINE_AT_MOST)
    return text[max(earliest, text.rfind("\n", earliest, start) + 1) : start]


def _at_start(before: str) -> bool:
    return bool(_LEAD.fullmatch(before))


def _may_be_meant(text: str, candidate: re.Match[str], since: int, loose: bool) -> bool:
    """Judge by what stands before it; an unknown name is one that surely stands for an action."""
    known = is_action(candidate["name"])
    before = _line_before(text, candidate, since)
    if not known:
        return not candidate["gap"] and _at_start(before)
    if _at_start(before):
        return True
    sentence = _SENTENCE.match(before)
    if sentence is not None and _at_start(before[sentence.end() :]):
        return True
    return not loose and not candidate["gap"]


def _check_unconditional(text: str, candidate: re.Match[str], end: int) -> None:
    """See whether a call is to be made in any case.

    Raises:
        UnreadableReply: it hangs on a condition or a loop, which nobody here can judge.
    """
    if _hangs_on_code(text, candidate) or (is_action(candidate["name"]) and _CONDITION.match(text, end)):
        line = text[text.rfind("\n", 0, candidate.start()) + 1 : end]
        problem = "actions cannot hang on conditions or loops; decide, then write the calls one a line"
        raise Unreadable("syntax_error", f"{shown(line.strip())}: {problem}")


def _hangs_on_code(text: str, candidate: re.Match[str]) -> bool:
    """Tell whether a condition, a loop or the like stands before a call, or above it and further left."""
    before = _line_before(text, candidate, 0)
    if _CODE.match(before):
        return True
    indent, at = len(_INDENT.match(before)[0]), candidate.start("name") - len(before)  # type: ignore[index]  # it matches anywhere
    if not indent or before.strip():
        return False
    above = text[max(0, at - _LINE_AT_MOST) : at].rstrip().rpartition("\n")[2]
    return len(_INDENT.match(above)[0]) < indent and bool(_CODE.match(above))  # type: ignore[index]


def _is_meant(text: str, candidate: re.Match[str], end: int, since: int) -> bool:
    """Judge by what stands behind it: inside a sentence that goes on, a call is only spoken of."""
    if is_action(candidate["name"]) and _at_start(_line_before(text, candidate, since)):
        return True
    follows = _JOIN.match(text, end)
    return bool(_REST.match(text, end) or (follows and is_action(follows["name"])))


def _read(text: str, candidate: re.Match[str], cut: bool) -> tuple[Call, int, bool]:
    """Read the call of a candidate; also say where it ends and whether it was mended."""
    start, opening = candidate.start("name"), candidate.start("open")
    end = _end(text, opening) if candidate["open"] == "(" else None
    if end is not None:
        try:
            return parse_call(text[start:end]), end, False
        except SyntaxError:
            pass  # then it is mended
    call, end = mend_call(text, start, opening, cut=cut)
    return call, end, True


def _end(text: str, opening: int) -> int | None:
    """Find where the bracket is closed, going by Python's rules; None when it is not."""
    depth = 0
    for token in _TOKEN.finditer(text, opening):
        sign = token[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign in "\"'":
            return None
        if depth == 0:
            return token.end()
    return None
