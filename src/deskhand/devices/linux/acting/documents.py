"""Text that goes into a document of paragraphs: what of it stands there, across their borders."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import anyio

from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.paragraphs import SOFT_BREAK, Around
from deskhand.devices.linux.acting.verify import POLL
from deskhand.devices.linux.input.text import Contents
from deskhand.devices.linux.rig import Rig

_CONTEXT = 300
"""Characters on either side that have to stay as they were."""
_LONGEST_LINE = 4500
"""Characters of a line that are pasted at once."""
_FIRST_READ = 2048
"""Units of UTF-16 that Writer reads first of what is pasted."""
_TOLD = 200
"""Lines that can be read back at once: LibreOffice keeps the text of 350 paragraphs around the caret."""
_READING = 2.0
"""Seconds that finding the document may take."""
_LAYING_OUT = 8.0
"""Seconds that its program may be busy with a text."""
_MOVING = 1.5
"""Seconds within which the caret is somewhere again."""
LABEL = r"(?:[^\w\s]|\w{1,5}[.)])[ \t]"
"""What stands before an item of a list: a bullet or a number."""
_PARAGRAPHS = frozenset({"paragraph", "heading"})
WRITER, DRAWINGS = "libreoffice-writer", ("libreoffice-impress", "libreoffice-draw")
"""What windows are called in which paragraphs are controls; the first hold one document, in which the caret is."""


def is_paragraph(window: Window, element: Element | None) -> bool:
    """Tell whether an element is one of the paragraphs of a document, each of which is a control.

    A word processor does not always say which of them has the keyboard.
    """
    app = window.app.casefold()
    return element.role in _PARAGRAPHS and app in (WRITER, *DRAWINGS) if element else app == WRITER


def to_paste(window: Window, text: str) -> list[str]:
    """Cut a text so that it arrives as it is when its parts are pasted into a document.

    Writer leaves out the last line break of what is pasted, and makes one in lines of more than 9,900 units of UTF-16.
    """
    if window.app.casefold() != WRITER:
        return [text]
    parts = [""]
    for line in _lines(text):
        first, *others = (line[at : at + _LONGEST_LINE] for at in range(0, len(line), _LONGEST_LINE))
        parts[-1] += first
        parts += others
    return [piece for part in parts for piece in _with_last_break(part)]


def _with_last_break(part: str) -> list[str]:
    """Have a part arrive with its last line break; where that ends its first read, Writer leaves out none."""
    if not part.endswith("\n"):
        return [part]
    if len(part.encode("utf-16-le")) // 2 + 1 != _FIRST_READ:
        return [f"{part}\n"]
    return [*_with_last_break(part[:-1]), "\n\n"]


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def in_blocks(text: str) -> list[str]:
    """Cut a text into parts that can be read back, each with its last line break."""
    lines = _lines(text) or [text]
    return ["".join(lines[at : at + _TOLD]) for at in range(0, len(lines), _TOLD)]


class Paragraphs:
    """Where a text goes into a document: at the caret, or in place of the paragraph with the caret if `replace`."""

    def __init__(self, rig: Rig, window: Window, text: str, *, replace: bool) -> None:
        self._rig = rig
        self._window = window
        self._text = text
        self._replace = replace
        self._first: Around | None = None

    async def read(self) -> Contents | None:
        """Give the text with some of what is around it; when it replaces a paragraph, without.

        None when nothing has the caret, or there is more to read than there is time for.
        """
        now = await self._around()
        if now is None:
            return None
        first = self._first = self._first or now
        if self._replace:
            first = _emptied(first)
        found = _aligned(now, self._text) if now != self._first else None
        if found is None:
            return _plain(now, alone=self._replace)
        if not (_agree(found.before, first.before, from_end=True) and _agree(now.after, first.after, from_end=False)):
            return _plain(now, alone=False)
        if self._replace:
            return Contents(self._text, gaps=found.gaps)
        return Contents(_clipped(first.before) + self._text + _tail(first.after), gaps=found.gaps)

    async def before_caret(self) -> str | None:
        """Give what stands before the caret, each paragraph a line; None when nothing has it, or something is selected.

        A paragraph on two pages is told as two.
        """
        now = await self._around()
        return None if now is None or now.selected else "\n".join(reversed(now.before))

    async def _around(self) -> Around | None:
        """Read around the caret, which is nowhere for a moment while paragraphs are moved about."""
        await self._rig.keyboard.kept_up(_LAYING_OUT)
        deadline = time.monotonic() + _MOVING
        while (found := await self._at_once()) is None and time.monotonic() < deadline:  # noqa: ASYNC110
            await anyio.sleep(POLL)
        return found

    async def _at_once(self) -> Around | None:
        element = await self._rig.controls.focused(self._window.pid)
        if not is_paragraph(self._window, element):
            return None
        found = await self._read(element.id) if element else None
        return found or await self._read(await self._document())

    async def _read(self, place: str) -> Around | None:
        found = await self._rig.controls.around(place, len(self._text) + _CONTEXT, _CONTEXT)
        return _in_lines(found) if found and self._window.app.casefold() in DRAWINGS else found

    async def _document(self) -> str:
        reading = await self._rig.read(self._window, self._rig.windows(), _READING)
        return next((each.id for each in reading.elements if each.role == "document"), "")


def _in_lines(found: Around) -> Around:
    """Tell of lines as of paragraphs: in titles of slides all line breaks are within one."""
    before = [line for piece in found.before for line in reversed(piece.split(SOFT_BREAK))]
    after = [line for piece in found.after for line in piece.split(SOFT_BREAK)]
    return found._replace(before=tuple(before), after=tuple(after))


def _plain(now: Around, *, alone: bool) -> Contents:
    before, after = (now.before[0], now.after[0]) if alone else (_clipped(now.before), _tail(now.after))
    start = len(before)
    return Contents(before + now.selected + after, start, start + len(now.selected))


def _emptied(now: Around) -> Around:
    """Give what is left around a paragraph when all that it holds is gone."""
    return now._replace(before=("", *now.before[1:]), selected="", after=("", *now.after[1:]))


def _clipped(before: Sequence[str]) -> str:
    return "".join(reversed(before))[-_CONTEXT:]


def _tail(after: Sequence[str]) -> str:
    return "".join(after)[:_CONTEXT]


def _agree(now: Sequence[str], first: Sequence[str], *, from_end: bool) -> bool:
    """Tell whether the surroundings are what they were, as far as can be known: up to a piece that may not be told."""
    known, was = _known(now), _known(first)
    shorter, longer = sorted((_clipped(each) if from_end else _tail(each) for each in (known, was)), key=len)
    if len(known) == len(now) and len(was) == len(first):
        return shorter == longer
    return longer.endswith(shorter) if from_end else longer.startswith(shorter)


def _known(pieces: Sequence[str]) -> list[str]:
    return [*pieces[:1], *takewhile(bool, pieces[1:])]


class _Aligned(NamedTuple):
    """What stands before a text, as pieces, the nearest first."""

    before: list[str]
    gaps: int
    """Lines of the text of which nothing is told."""


def _aligned(now: Around, text: str) -> _Aligned | None:
    """Find the text right before the caret; None if it is not there.

    Its line breaks have to lie between pieces. Between two of one paragraph there is none.
    """
    gaps = 0
    for at, told in enumerate(now.before):
        if at:
            text = text.removesuffix("\n")
        line = text.rpartition("\n")[2]
        piece = line if "\n" in text and re.sub(f"^{LABEL}", "", told) == line else told
        if at and line and not piece:
            gaps += 1
            text = text[: len(text) - len(line)]
            continue
        if len(text) <= len(piece) and "\n" not in text:
            before = [piece[: len(piece) - len(text)], *now.before[at + 1 :]]
            return _Aligned(before, gaps) if piece.endswith(text) else None
        if not text.endswith(piece):
            return None
        text = text[: len(text) - len(piece)]
    return None if text else _Aligned([""], gaps)
