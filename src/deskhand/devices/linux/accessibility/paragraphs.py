"""The text around the caret of a document whose paragraphs are controls of their own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from deskhand.devices.linux.accessibility.acts import Control, comes_true
from deskhand.devices.linux.accessibility.apps import Program
from deskhand.devices.linux.accessibility.bus import Answer, Failure
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    TEXT,
    Ref,
    ask,
    number_of,
    numbers_of,
    prop,
    refs_of,
    relations_of,
    text_of,
)
from deskhand.devices.linux.accessibility.roles import Role
from deskhand.devices.linux.accessibility.wire import Call

SOFT_BREAK = "\u2028"
"""Stands for a line break within a paragraph."""
_FLOWS_TO, _FLOWS_FROM = 10, 11
"""Relations: to the paragraph after this one and to the one before, also when that is out of sight."""
_LONGEST = 1.5
"""Seconds after which no more paragraphs are read; each takes half a millisecond."""


class Around(NamedTuple):
    """What stands around the caret, or around what is selected, in pieces, the nearest first.

    A paragraph comes in as many pieces as there are pages that it is on. Far away some are empty that are not so:
    LibreOffice keeps the text of 350 at a time.
    """

    place: tuple[Ref, int]
    """The piece that has the caret, and where in it that is."""
    before: tuple[str, ...]
    selected: str
    after: tuple[str, ...]


class _Piece(NamedTuple):
    text: str
    start: int
    end: int
    """What is selected of it: characters. Both the caret when nothing is, -1 when that is elsewhere."""


def read_around(control: Control, before: int, after: int) -> Around | None:
    """Read at least so many characters before and after the paragraph with the caret, as far as there are any.

    `control` is that paragraph, or the document it is in. None when it has no caret, or so much cannot be read in time.
    """
    until = min(control.until, time.monotonic() + _LONGEST)
    ref = _with_caret(control, until) if control.role == Role.DOCUMENT_TEXT else control.ref
    back = _chain(control.program, ref, (_FLOWS_FROM, before), until) if ref else []
    forth = _chain(control.program, ref, (_FLOWS_TO, after), until) if ref and back else []
    if ref is None or not forth or forth[0].start < 0:
        return None
    own, first, last = forth[0], _farthest_selected(back), _farthest_selected(forth)
    selected = [*back[first:0:-1], own, *forth[1 : last + 1]]
    return Around(
        (ref, own.start),
        (back[first].text[: back[first].start], *(piece.text for piece in back[first + 1 :])),
        "".join(piece.text[piece.start : piece.end] for piece in selected if piece.start >= 0),
        (forth[last].text[forth[last].end :], *(piece.text for piece in forth[last + 1 :])),
    )


def select_all(control: Control) -> bool:
    """Select what a paragraph holds; true when it says so afterwards."""
    size = number_of(control.prop(TEXT, "CharacterCount"))
    if not size:
        return size == 0
    control.interface(TEXT, "AddSelection", "ii", 0, size)
    return comes_true(control, lambda: control.interface(TEXT, "GetSelection", "i", 0) == (0, size))


def _with_caret(document: Control, until: float) -> Ref | None:
    """Find the paragraph with the caret. After scrolling LibreOffice takes some that can be seen for out of sight."""
    refs = refs_of(document.interface(ACCESSIBLE, "GetChildren"))
    carets = document.program.line.calls([prop(ref, TEXT, "CaretOffset") for ref in refs], until)
    return next((ref for ref, caret in zip(refs, carets, strict=True) if (numbers_of(caret) or (-1,))[0] >= 0), None)


def _chain(program: Program, ref: Ref, wanted: tuple[int, int], until: float) -> list[_Piece]:
    """Read a piece and those in a relation to it, at least so many characters; nothing if that takes too long."""
    found: list[_Piece] = []
    (kind, least), size, selected = wanted, -1, True
    while size < least:
        text, relations, *places = program.line.calls(_questions(ref, selected), until)
        if isinstance(text, Failure) or isinstance(relations, Failure):
            return []
        found.append(_piece(text_of(text), *places))
        selected = selected and (not found[-1].text or found[-1].start < found[-1].end)
        size += len(found[-1].text) if len(found) > 1 else 1
        following = relations_of(relations, kind)
        if not following:
            break
        ref = following[0]
    return found


def _questions(ref: Ref, selected: bool) -> list[Call]:
    """Ask for a piece and what is beside it; for what is selected of it only where something may be."""
    text, beside = ask(ref, TEXT, "GetText", "ii", 0, -1), ask(ref, ACCESSIBLE, "GetRelationSet")
    places = [ask(ref, TEXT, "GetSelection", "i", 0), prop(ref, TEXT, "CaretOffset")]
    return [text, beside, *(places if selected else ())]


def _piece(text: str, selection: Answer = (), caret: Answer = ()) -> _Piece:
    places = numbers_of(selection)
    if len(places) != 2 or places[0] >= places[1]:
        at = number_of(caret)
        places = (-1, -1) if at is None else (at, at)
    start, end = (_characters(text, place) for place in places)
    return _Piece(text.replace("\n", SOFT_BREAK), start, end)


def _characters(text: str, place: int) -> int:
    """LibreOffice counts in UTF-16."""
    return place if place < 0 else len(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le", "ignore"))


def _farthest_selected(pieces: Sequence[_Piece]) -> int:
    return max((at for at, piece in enumerate(pieces) if piece.start < piece.end), default=0)
