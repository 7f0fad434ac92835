"""Numbers drawn beside controls, so that a model can say which one it means."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFilter, ImageFont

from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element
from deskhand.perception.picture import Picture, decode, form_of, picture_of, pixels_of

_FIELDS = frozenset({"textbox", "combobox", "spinbutton", "password", "searchbox", "document", "terminal"})
_CHOICES = frozenset({"checkbox", "radio", "switch", "slider", "option", "listitem", "treeitem", "row", "cell"})
_MENUS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio", "tab"})
_BUTTONS = frozenset({"button", "columnheader", "scrollbar"})
_TEXTS = frozenset({"label", "heading", "paragraph", "status", "alert"})
_NEVER = frozenset({"window", "dialog", "group", "toolbar", "menubar", "tablist", "table", "tree", "list", "separator"})
_HOLDERS = frozenset({"row", "cell", "listitem", "treeitem"})
_COLOURS = {
    **dict.fromkeys(_BUTTONS, (198, 20, 76)),
    **dict.fromkeys(_FIELDS, (16, 84, 188)),
    **dict.fromkeys(_CHOICES, (20, 112, 44)),
    **dict.fromkeys(_MENUS, (112, 32, 152)),
}
_OTHERS = (176, 76, 0)
COLOURS_IN_WORDS = "buttons are red, fields blue, choices green, menus and tabs violet, all else is brown"
_WHITE = (255, 255, 255)
_SMALLEST = 15
"""Pixels of a digit's height, on a screen of 1920 x 1080."""
_LOWEST = 9
"""The same in rows that are as low as that: whoever can read them can read it."""
_FOR_BEING_SMALL = 3
_SMALL = 48
"""Up to so many pixels each way, a control is mostly a sign: an icon, an arrow."""
_CELL = 64
"""The side of the squares by which what is near is found."""
_ON_A_NUMBER = 8
_ON_A_TEXT = 2
_ON_ANOTHER = 1
"""A number that touches another control would seem to be that one's."""
_ON_A_SIGN = 5
"""The middle of what is small holds all that tells what it is."""
_ON_INK = 2
_FOR_A_LATER_PLACE = 6
"""Numbers of neighbours are easier to find where they all stand at the same corner."""
_FRAME = 12
"""A frame's line takes at most such a part of what it is drawn around."""
_EDGE = 72
"""Levels of brightness between neighbours from which on something is drawn there."""


class Label(NamedTuple):
    """A number and where it is drawn; `box` is what it names."""

    number: int
    place: Box
    box: Box
    colour: tuple[int, int, int]
    size: int
    """Of its digits, in pixels."""


def number_of(element: Element) -> int | None:
    """Give the number of a control: that of its id, which stays the same as long as it lives; None when it has none."""
    return int(element.id[1:]) if re.fullmatch(r"e\d{1,9}", element.id) else None


def markable(elements: Iterable[Element]) -> list[Element]:
    """Choose the elements that get a number: those that can be seen and acted on.

    Rows and cells that never have the keyboard are left to the controls in them.
    """
    chosen = [e for e in elements if _acts(e) and _seen(e) and number_of(e) is not None]
    parents = {e.id: e.parent for e in elements}
    around: set[str] = set()
    for element in chosen:
        above = element.parent
        while above and above not in around:
            around.add(above)
            above = parents.get(above, "")
    return [e for e in chosen if e.role not in _HOLDERS or "focus" in e.actions or e.id not in around]


def draw_marks(picture: bytes, elements: Sequence[Element]) -> Picture:
    """Draw a frame around every control, and its number where it hides least of anything; keep the file's form.

    `elements` are in the picture's pixels. Takes about a tenth of a second for a full screen, so call it in a thread.
    """
    image = decode(picture)
    size = Size(*image.size)
    labels = place_labels(elements, size, Ink(image))
    _draw(image, labels, _scale(size))
    return picture_of(pixels_of(image), form_of(picture))


def place_labels(elements: Sequence[Element], screen: Size, ink: Ink | None = None) -> list[Label]:
    """Choose a place for every number, the smallest controls first, since they have the least room.

    `ink` is what the picture shows; without it only what elements are known to show is kept free.
    """
    chosen = markable(elements)
    near = _Nearness(ink)
    for element in elements:
        if element.role in _TEXTS and (element.name or element.value) and _seen(element):
            near.add(element.box, _ON_A_TEXT)
    for element in chosen:
        near.add(element.box, _ON_ANOTHER)
        near.add(_core(element.box), _ON_A_SIGN if _is_small(element.box) else _ON_A_TEXT)
    labels = []
    for element in sorted(chosen, key=lambda e: e.box.area):
        label = _best_label(element, near, screen)
        near.add(label.place, _ON_A_NUMBER)
        labels.append(label)
    return labels


def _best_label(element: Element, near: _Nearness, screen: Size) -> Label:
    """Weigh all places for a number, in every size that can still be read."""
    number = int(element.id[1:])
    best: tuple[float, Box, int] = (math.inf, element.box.clipped(Box.at(0, 0, *screen)), _SMALLEST)
    for smaller, size in enumerate(_font_sizes(_scale(screen), element.box)):
        for later, place in enumerate(_places(element.box, _extent(str(number), size))):
            less_good = smaller * _FOR_BEING_SMALL * size + later * _FOR_A_LATER_PLACE
            if less_good >= best[0]:
                break
            if _inside(place, screen):
                cost = less_good + near.cost(place, element.box, best[0] - less_good)
                best = min(best, (cost, place, size), key=lambda each: each[0])
    return Label(number, best[1], element.box, _COLOURS.get(element.role, _OTHERS), best[2])


class Ink:
    """Where a picture shows something: text, signs, lines."""

    def __init__(self, image: PillowImage.Image) -> None:
        self._step = 4 * round(_scale(Size(*image.size)))
        edges = image.convert("L").filter(ImageFilter.FIND_EDGES)
        drawn = edges.point([255 * (level >= _EDGE) for level in range(256)]).reduce(self._step)
        self._across, self._down = drawn.size
        self._sums: list[list[int]] = [[0] * (self._across + 1)]
        shades = drawn.tobytes()
        for row in range(self._down):
            sums = accumulate(shades[row * self._across : (row + 1) * self._across], initial=0)
            self._sums.append([above + so_far for above, so_far in zip(self._sums[-1], sums, strict=True)])

    def under(self, place: Box) -> int:
        """Give how much is drawn under a place, in pixels."""
        step = self._step
        left, right = (max(0, min(self._across, round(x / step))) for x in (place.left, place.right))
        top, bottom = (max(0, min(self._down, round(y / step))) for y in (place.top, place.bottom))
        upper, lower = self._sums[top], self._sums[bottom]
        return (lower[right] - lower[left] - upper[right] + upper[left]) * step * step // 255


class _Nearness:
    """Finds out how much of what matters a place would hide."""

    def __init__(self, ink: Ink | None) -> None:
        self._ink = ink
        self._cells: defaultdict[tuple[int, int], list[tuple[Box, int]]] = defaultdict(list)

    def add(self, box: Box, weight: int) -> None:
        for cell in _cells(box):
            self._cells[cell].append((box, weight))

    def cost(self, place: Box, own: Box, most: float) -> int:
        """Weigh a place for the number of `own`, whose margin it may cover; no further than to `most`."""
        cost = -_ON_ANOTHER * _overlap(place, own)
        cells = [*_cells(place)]
        if len(cells) == 1:
            hidden: Iterable[tuple[Box, int]] = self._cells.get(cells[0], ())
        else:
            hidden = {item for cell in cells for item in self._cells.get(cell, ())}
        for box, weight in hidden:
            cost += weight * _overlap(place, box)
            if cost >= most:
                return cost
        return cost + (_ON_INK * self._ink.under(place) if self._ink else 0)


def _overlap(one: Box, other: Box) -> int:
    """Give the pixels that two boxes share. Without calls: it is asked for a hundred thousand times."""
    left, top, right, bottom = one
    other_left, other_top, other_right, other_bottom = other
    across = (right if right < other_right else other_right) - (left if left > other_left else other_left)
    if across <= 0:
        return 0
    down = (bottom if bottom < other_bottom else other_bottom) - (top if top > other_top else other_top)
    return across * down if down > 0 else 0


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for across in range(box.left // _CELL, (box.right - 1) // _CELL + 1):
        for down in range(box.top // _CELL, (box.bottom - 1) // _CELL + 1):
            yield across, down


def _acts(element: Element) -> bool:
    if element.source in ("ocr", "detector"):  # what can be done with it is not known
        return True
    if element.role in _NEVER or element.role in _TEXTS:
        return False
    return bool(element.actions) or element.role in _COLOURS or element.role == "link"


def _seen(element: Element) -> bool:
    return not element.box.empty and not {"offscreen", "covered"} & set(element.states)


def _is_small(box: Box) -> bool:
    return box.width <= _SMALL and box.height <= _SMALL


def _core(box: Box) -> Box:
    """Give the middle of a control, where its text or sign is."""
    part = 8 if _is_small(box) else 5
    across, down = box.width // part, box.height // part
    return Box(box.left + across, box.top + down, box.right - across, box.bottom - down)


def _places(box: Box, extent: Size) -> Iterator[Box]:
    """Give the places for a number, the best first: outside, over an edge, in a corner."""
    wide, high = extent
    lefts = (box.left, box.right - wide)
    for left in lefts:
        yield Box.at(left, box.top - high, wide, high)
    yield Box.at(box.left - wide, box.top, wide, high)
    for left in lefts:
        yield Box.at(left, box.bottom, wide, high)
    yield Box.at(box.right, box.top, wide, high)
    yield Box.at(box.left - wide, box.bottom - high, wide, high)
    yield Box.at(box.right, box.bottom - high, wide, high)
    for left in lefts:
        yield Box.at(left, box.top - high // 2, wide, high)
        yield Box.at(left, box.bottom - high + high // 2, wide, high)
    for left in lefts:
        yield Box.at(left, box.top, wide, high)
        yield Box.at(left, box.bottom - high, wide, high)


def _inside(place: Box, screen: Size) -> bool:
    return place.left >= 0 and place.top >= 0 and place.right <= screen.width and place.bottom <= screen.height


def _scale(screen: Size) -> float:
    """Say how much larger than on a screen of 1920 x 1080 things are to be drawn: it may be shown made smaller."""
    return max(1.0, min(screen.width / 1920, screen.height / 1080))


def _font_sizes(scale: float, box: Box) -> list[int]:
    """Give the sizes to choose from, the largest first; smaller ones where controls are crowded, or low themselves."""
    sizes = {max(_SMALLEST, round(_SMALLEST * scale * part)) for part in (1.0, 0.8, 0.65)}
    low = {max(_LOWEST, box.height - 1)} if box.height <= min(sizes) else set[int]()
    return sorted(sizes | low, reverse=True)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


@cache
def _extent(text: str, size: int) -> Size:
    left, top, right, bottom = _font(size).getbbox(text)
    return Size(int(right - left) + size // 2, int(bottom - top) + size // 3)


def _draw(image: PillowImage.Image, labels: Sequence[Label], scale: float) -> None:
    draw = ImageDraw.Draw(image)
    widest = max(1, round(1.5 * scale))
    for label in labels:
        left, top, right, bottom = label.box
        line = max(1, min(widest, (bottom - top) // _FRAME))
        draw.rectangle((left - line, top - line, right + line - 1, bottom + line - 1), outline=label.colour, width=line)
    for label in labels:
        left, top, right, bottom = label.place
        draw.rectangle((left, top, right - 1, bottom - 1), fill=label.colour, outline=_WHITE)
        middle = ((left + right) / 2, (top + bottom) / 2)
        draw.text(middle, str(label.number), fill=_WHITE, font=_font(label.size), anchor="mm")
