"""What goes from one application to another: whole texts, values of a page, what a terminal is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskhand.models.literal.applications import Desktop
from deskhand.models.literal.clauses import Clause, read_clause
from deskhand.models.literal.pieces import Piece
from deskhand.models.literal.saving import usual_folder
from deskhand.models.literal.shell.clauses import command_for
from deskhand.perception.quoting import mask, quote

_WHOLE = re.compile(
    r"^(?:(?:whole|entire|full|complete)\s+)?(?:text|content|contents)(?:\s+of\s+(?:the|my|these|this)\s+.+?)?"
    r"(?:\s+(?:that|which)\s+(?:is|are)\s+open)?\s+in\s+(?P<app>.+)$|"
    r"^(?:text|notes?|document|file|list)\s+(?:(?:that|which)\s+(?:is|are)\s+)?open\s+in\s+(?P<other>.+)$",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^(?:whole|entire|full|complete|all)\s+(?:(?:of\s+)?the\s+)?(?:text|content|contents)$", re.IGNORECASE
)
_INTO = re.compile(
    r"^(?:(?:a|the)\s+)?(?P<new>new\s+|blank\s+|empty\s+)?(?P<app>.+?)(?:\s+(?:document|file|window))?$", re.I
)
_FIRST = re.compile(
    r"^(?:in|with|using|on)\s+(?P<app>(?:the|a|my)\s+[\w ]+?),\s*(?P<do>.+)$", re.IGNORECASE | re.DOTALL
)
_LAST = re.compile(r"^(?P<do>.+?)\s+(?:in|with|using|on)\s+(?P<app>(?:the|a|my)\s+[\w ]+)$", re.IGNORECASE | re.DOTALL)
_INTO_IT = re.compile(r"(?<=\binto) (?:it|there|that|this)\b|(?<=\bto) (?:it|there)\b", re.IGNORECASE)
_SOME_THING = re.compile(r"\b(?:it|there|that|this|them|these|those)$", re.IGNORECASE)
_COUNTING = re.compile(r"\bwc -")
_OWN = frozenset(
    {"write", "press", "run", "click", "read", "menu", "open", "close", "set", "toggle", "command", "save"}
)
"""What is done to a terminal as to any window, not by a command."""


def whole_text(clause: Clause, desktop: Desktop) -> Sequence[Piece]:
    """Take "copy the text that is open in the editor into Writer" apart; nothing where something else is meant."""
    found, into = _WHOLE.match(mask(clause.target).plain), _INTO.match(mask(clause.to).plain)
    source = (found["app"] or found["other"]) if found else ""
    if clause.old and _ALL.match(mask(clause.target).plain):
        source = clause.old
    if not source or into is None or not (desktop.meant(source) and desktop.meant(into["app"])):
        return ()
    begin = ("start a new document",) if into["new"] else ()
    here = [(text, source) for text in ("select all", "copy")]
    there = [(text, into["app"]) for text in (*begin, "paste")]
    return tuple(Piece(text, read_clause(text), place) for text, place in (*here, *there))


def in_terminal(piece: Piece, desktop: Desktop, before: Sequence[Piece]) -> Sequence[Piece]:
    """Have what a terminal is asked for done by a command; what that counts is read then."""
    there = _at_home(_placed(piece), before)
    meant = desktop.meant(there.place) if there.place else None
    if meant is None or not desktop.fits(meant, "terminal") or (there.clause and there.clause.kind in _OWN):
        return (piece,)
    command = command_for(there.text)
    if command is None or _SOME_THING.search(there.text):
        return (piece,)
    running = (f"run {quote(command)}", *(("read the output",) if _COUNTING.search(command) else ()))
    return tuple(Piece(text, read_clause(text), there.place) for text in running)


def _placed(piece: Piece) -> Piece:
    """Take the terminal off a piece that no rule reads, or that would be about two places without it."""
    if piece.place or (piece.clause is not None and piece.clause.kind not in ("transfer", "copy_file")):
        return piece
    phrase = mask(piece.text)
    found = _FIRST.match(phrase.text) or _LAST.match(phrase.text)
    return Piece(phrase.part(found["do"]).spelled, None, phrase.part(found["app"]).plain) if found else piece


def _at_home(piece: Piece, before: Sequence[Piece]) -> Piece:
    """Put the path of a folder that was just made at home where "it" is said."""
    made = before[-1].clause if before else None
    if made is None or made.kind != "new_folder_in" or not _INTO_IT.search(piece.text):
        return piece
    path = f"{usual_folder(mask(made.target).plain)}/{made.value}"
    return piece._replace(text=_INTO_IT.sub(f" {quote(path)}", piece.text))
