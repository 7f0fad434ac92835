"""Pictures of a run without what was scrubbed from its texts: painted over, or wholly left out."""

from __future__ import annotations

from typing import NamedTuple

import PIL.Image
from rapidfuzz import fuzz

from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Image, Observation
from deskhand.journal.scrubbing import Scrubbing
from deskhand.perception.ocr import Reader, moved
from deskhand.perception.picture import Picture, decode, form_of, picture_of, pixels_of

_LIKE = 80.0
"""How alike, of 100, a text that was read off a picture is to one that was scrubbed: engines misread."""
_TITLE = 48
"""Pixels above and below the upper edge of a window in which its title stands."""
_SHORT = 5
"""Characters up to which a text is too short to be alike."""
_MARGIN = 3
"""Pixels around a text that belong to it."""
_INK = (70, 70, 74)


class Told(NamedTuple):
    """What is known of a picture: the boxes of what was scrubbed from the texts that came with it."""

    exactly: tuple[Box, ...] = ()
    """Of elements that hold no others: painted as they are."""
    within: tuple[Box, ...] = ()
    """Of whatever else: painted where text is found in them that was scrubbed, else wholly."""

    def together(self, other: Told) -> Told:
        return Told((*self.exactly, *other.exactly), (*self.within, *other.within))

    def within_window(self, window: Box) -> Told:
        """Give the same for a picture of the window alone."""
        left, top = -window.left, -window.top
        return Told(*(tuple(moved(box, left, top) for box in boxes) for boxes in self))


NOTHING_TOLD = Told()


def told(before: Observation, after: Observation) -> Told:
    """Compare a look with what is left of it when it was scrubbed."""
    parents = {element.parent for element in before.elements}
    changed = [one for one, other in zip(before.elements, after.elements, strict=True) if _said(one) != _said(other)]
    titles = (
        Box(one.box.left, one.box.top - _TITLE, one.box.right, one.box.top + _TITLE)
        for one, other in zip(before.windows, after.windows, strict=True)
        if one.title != other.title
    )
    return Told(
        tuple(element.box for element in changed if element.id not in parents),
        (*(element.box for element in changed if element.id in parents), *titles),
    )


def _said(element: Element) -> tuple[str, ...]:
    return (element.name, element.value, element.drawn)


async def painted(data: bytes, known: Told, scrubbing: Scrubbing, reader: Reader) -> Picture:
    """Paint over what was scrubbed from texts, and what reads like it.

    Raises:
        DeviceError: the picture cannot be read.
    """
    picture = decode(data)
    lines = await reader.read("screen", pixels_of(picture))
    boxes = [*known.exactly, *(line.box for line in lines if _is_personal(line.text, scrubbing))]
    boxes += [box for box in known.within if all(one.clipped(box).empty for one in boxes)]
    whole = Box.at(0, 0, *picture.size)
    for box in boxes:
        wider = Box(box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + _MARGIN)
        picture.paste(_INK, wider.clipped(whole))
    return picture_of(pixels_of(picture), form_of(data))


def left_out(image: Image, data: bytes) -> Picture:
    """Give a plain picture in another's place, so that it can still be shown where on it was aimed."""
    return picture_of(pixels_of(PIL.Image.new("RGB", image.size, _INK)), form_of(data))


def _is_personal(line: str, scrubbing: Scrubbing) -> bool:
    """Tell whether a text read off a picture holds what is scrubbed, or what is taken for a part of that."""
    if scrubbing.text(line) != line:
        return True
    read = line.casefold()
    longer = (each.casefold() for each in scrubbing.originals if len(each) > _SHORT)
    return len(read) > _SHORT and any(fuzz.partial_ratio(each, read) >= _LIKE for each in longer)
