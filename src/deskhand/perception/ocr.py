"""Reading text off pictures: what engines give, and reading again only what has changed."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import dropwhile
from statistics import median
from typing import NamedTuple, Protocol
from zlib import crc32

import anyio

from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.geometry import Box, Size
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels, difference, part_of

_KEPT = 64
"""Readings that are remembered."""
_MARGIN = 6
"""Pixels around what has changed that are read again: a letter is not known by half of it."""
_MOSTLY = 0.6
"""The part of a picture from which on all of it is read again."""
_APART = 0.9
"""The gap, in heights of a line, from which on two words are two texts: entries of a menu bar, cells of a row."""
_NARROWEST_GAP, _WIDEST_GAP = 8, 60
_STRETCH = 16
"""Rows of pixels that are searched together for what a word goes on from."""
_TOO_TALL = 1.6
_QUOTES = frozenset("\"'“”‘’«»|~_")
_ROW = 10
"""Pixels up to which texts count as on one row, when they are put in order."""
_SURE_WORD, _SURE_SIGN = 0.3, 0.8


class Word(NamedTuple):
    """A word as an engine gives it; `sure` is from 0 to 1."""

    text: str
    box: Box
    sure: float


class Line(NamedTuple):
    """A text that stands together."""

    text: str
    box: Box


class Engine(Protocol):
    """Something that reads text."""

    async def read(self, pixels: Pixels) -> Sequence[Word]:
        """Read a picture; boxes are in its pixels. Cancelling ends it at once.

        Raises:
            DeviceError: it cannot be read; says what to do.
        """
        ...


def engine_of(options: OcrOptions) -> Engine | None:
    """Give the engine that is set; None when there is to be none.

    Raises:
        SettingsError: its extra is not installed.
    """
    if options.engine == "none":
        return None
    module = {"tesseract": "deskhand.perception.ocr_tesseract", "fast": "deskhand.perception.ocr_fast"}[options.engine]
    try:
        engine: Engine = import_module(module).make(options)
    except ImportError as error:
        raise SettingsError(
            f"ocr.engine={options.engine} needs the extra `ocr` ({error}): pip install 'deskhand[ocr]'. Its weights "
            "are licensed under AI PUBS OPEN RAIL-M (modified), which limits what they may be used for, also in "
            "business: read that first. ocr.engine=tesseract has no such limits"
        ) from error
    return engine


class Reader:
    """Reads pictures of the same places over and over: what was read before is not read again."""

    def __init__(self, engine: Engine, seconds: float) -> None:
        self._engine = engine
        self._seconds = seconds
        self._known: OrderedDict[tuple[Size, int], tuple[Line, ...]] = OrderedDict()
        self._last: dict[str, tuple[Pixels, tuple[Line, ...]]] = {}

    async def read(self, place: str, pixels: Pixels) -> tuple[Line, ...]:
        """Read a picture of a place, which has the same name each time; boxes are in the picture's pixels.

        Raises:
            DeviceError: it cannot be read, or not in time.
        """
        key = (pixels.size, crc32(pixels.data))
        if (lines := self._known.get(key)) is None:
            lines = await self._read(place, pixels)
        self._known[key] = lines
        self._known.move_to_end(key)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        self._last[place] = (pixels, lines)
        return lines

    async def _read(self, place: str, pixels: Pixels) -> tuple[Line, ...]:
        whole = Box.at(0, 0, *pixels.size)
        before, known = self._last.get(place, (None, ()))
        changed = difference(before, pixels) if before is not None and before.size == pixels.size else whole
        stale = _around(changed or whole, known).clipped(whole)
        if stale.area > _MOSTLY * whole.area:
            return await self._ask(pixels, whole)
        kept = [line for line in known if line.box.clipped(stale).empty]
        return tuple(in_reading_order((*kept, *await self._ask(pixels, stale))))

    async def _ask(self, pixels: Pixels, part: Box) -> tuple[Line, ...]:
        try:
            with anyio.fail_after(self._seconds):
                words = await self._engine.read(part_of(pixels, part))
        except TimeoutError as error:
            raise DeviceError(
                f"its text could not be read within {self._seconds:g} s (ocr.seconds says how long it may take)"
            ) from error
        left, top = part.left, part.top
        return tuple(Line(text, moved(box, left, top)) for text, box in lines_of(words))


def moved(box: Box, right: int, down: int) -> Box:
    return Box(box.left + right, box.top + down, box.right + right, box.bottom + down)


def _around(changed: Box, known: Iterable[Line]) -> Box:
    """Give a box that holds what has changed, and wholly all lines that it touches."""
    stale = Box(changed.left - _MARGIN, changed.top - _MARGIN, changed.right + _MARGIN, changed.bottom + _MARGIN)
    left = list(known)
    while touched := [line for line in left if not line.box.clipped(stale).empty]:
        for line in touched:
            left.remove(line)
            stale = joined(stale, line.box)
    return stale


def joined(one: Box, other: Box) -> Box:
    return Box(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Put words together that stand together, in reading order; drop what is no text, as icons read as letters.

    What engines call a line is of no use on screens: it reaches across columns, or ends at every gap.
    """
    parts: list[list[Word]] = []
    open_at: defaultdict[int, list[list[Word]]] = defaultdict(list)
    for word in sorted(words, key=lambda w: w.box.left):
        if not word.text.strip() or word.box.empty or word.sure < _SURE_WORD:
            continue
        stretches = range(word.box.top // _STRETCH, (word.box.bottom - 1) // _STRETCH + 1)
        part = next((part for at in stretches for part in open_at[at] if _goes_on(part[-1], word)), None)
        if part is None:
            part = []
            parts.append(part)
        part.append(word)
        for at in stretches:
            still_open = (other for other in open_at[at] if other is not part and _gap(other[-1], word) <= _WIDEST_GAP)
            open_at[at] = [*still_open, part]
    found = filter(None, map(_line, parts))
    return in_reading_order(found)


def in_reading_order(lines: Iterable[Line]) -> list[Line]:
    """Put lines from top to bottom, those of one row from left to right."""
    return sorted(lines, key=lambda line: (line.box.center.y // _ROW, line.box.left))


def _gap(before: Word, word: Word) -> int:
    return word.box.left - before.box.right


def _goes_on(before: Word, word: Word) -> bool:
    """Tell whether a word stands right beside another one, on the same line."""
    gap = _gap(before, word)
    if gap > _WIDEST_GAP:
        return False
    shared = min(before.box.bottom, word.box.bottom) - max(before.box.top, word.box.top)
    lower, higher = sorted((before.box.height, word.box.height))
    return 2 * shared >= lower and -higher < gap <= max(_NARROWEST_GAP, _APART * higher)


def _letters(words: Sequence[Word]) -> Sequence[Word]:
    """Leave off the signs at both ends of a line that are none: boxes to tick and icons, read as letters."""
    usual = median(word.box.height for word in words)

    def drawn(word: Word) -> bool:
        nothing = not any(map(str.isalnum, word.text)) and word.sure < _SURE_SIGN
        return len(words) > 1 and (nothing or (len(word.text) < 3 and word.box.height > _TOO_TALL * usual))

    inside = list(dropwhile(drawn, words))
    return list(dropwhile(drawn, inside[::-1]))[::-1]


def _without_stray_quote(text: str) -> str:
    """Leave off a quotation mark that nothing closes: the box or icon before a text."""
    return text[1:].lstrip() if len(text) > 2 and text[0] in _QUOTES and not _QUOTES & set(text[1:]) else text


def _line(words: Sequence[Word]) -> Line | None:
    words = _letters(words)
    if not words:
        return None
    text = _without_stray_quote(" ".join(word.text for word in words))
    letters = sum(map(str.isalnum, text))
    sure = sum(word.sure for word in words) / len(words)
    if (not letters and sure < _SURE_SIGN) or (letters == 1 and sure < (_SURE_SIGN + _SURE_WORD) / 2):
        return None
    box = words[0].box
    for word in words[1:]:
        box = joined(box, word.box)
    return Line(text, box)
