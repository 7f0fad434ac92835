"""The pieces of a request, and the words by which one of them is about another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deskhand.models.literal.clauses import POINTED, Clause, read_clause
from deskhand.models.literal.seeking import among, read_looking
from deskhand.perception.quoting import mask, quote

_FOUND = re.compile(r"^(?:find|locate|look for|search for)\s+(?P<what>[^\s].*)$", re.IGNORECASE | re.DOTALL)
_EACH = re.compile(r"^(?:for|of) (?:each|every|all)\s+(?:of\s+)?(?:the\s+)?[\w ]+$", re.IGNORECASE)
_IT = re.compile(r"^\w+(?: on)? (?:it|that|this)$", re.IGNORECASE)


_WHOSE = re.compile(
    r"^(?:find|locate|look up|look for|search for|go to|open)\s+(?:the\s+(?:contact|person|entry|user|name)\s+)?"
    r"(?P<who>\S.*?)(?:['’]s\s+(?:entry|contact|page|name))?(?:\s+in\s+(?:the|my|your)\s+[\w -]+)?$",
    re.IGNORECASE,
)
_THEIR = re.compile(r"^(?:click|tap|press)(?:\s+on)?\s+(?:their|his|her|its)\s+(?P<what>\S.*)$", re.IGNORECASE)


class Piece(NamedTuple):
    """A clause of a request and what was read in it; None when no rule fits."""

    text: str
    clause: Clause | None
    place: str = ""
    """Where it is to be done, when that was said first: "In the dialog, ..."."""


def joined(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Put what is said about where to look, and "it" for what was to be found, into the clauses they are about."""
    return tuple(_looking(list(_found_first(list(_theirs(list(_for_each(pieces))))))))


def _for_each(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Take "for each number, say whether it is odd" for "say for each number whether it is odd"."""
    first = ""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if first:
            verb, _, rest = piece.text.partition(" ")
            said = f"{verb} {first} {rest}"
            piece, first = (Piece(said, clause, piece.place) if (clause := read_clause(said)) else piece), ""
        if piece.clause is None and following is not None and _EACH.match(piece.text):
            first = piece.text
            continue
        yield piece


def _theirs(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Take "find Anna in the book and click on her address" for a clause about the entry of Anna."""
    whose = ""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        phrase = mask(piece.text)
        found = _WHOSE.match(phrase.text)
        their = _THEIR.match(phrase.text) if whose else None
        if found and following is not None and _THEIR.match(mask(following.text).text):
            whose = phrase.part(found["who"]).plain
            continue
        if their:
            text = f"click the entry {quote(phrase.part(their['what']).plain)} of {quote(whose)}"
            piece, whose = Piece(text, read_clause(text), piece.place), ""
        yield piece


def _found_first(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Take "find the link “A” and click it" for "click the link “A”"."""
    what = ""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if what:
            text = re.sub(r"(?:it|that|this)$", "", piece.text) + what
            piece, what = Piece(text, read_clause(text), piece.place), ""
        if following is not None and piece.clause is not None and piece.clause.kind == "find":
            found = _FOUND.match(mask(piece.text).text)
            pointed = following.clause is not None and following.clause.kind in POINTED
            if found and pointed and _IT.match(following.text):
                what = mask(piece.text).part(found["what"]).spelled
                continue
        yield piece


def _looking(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Take "look through the tabs" for a word about the clause after it."""
    kind = ""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        looked = read_looking(mask(piece.text).text)
        if looked and not looked[1] and following and following.clause and following.clause.kind in POINTED:
            kind = looked[0]
        elif kind and not (piece.clause and piece.clause.among):
            text, kind = among(piece.text, kind), ""
            yield Piece(text, read_clause(text), piece.place)
        else:
            yield piece
