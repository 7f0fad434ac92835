"""Points and boxes in all the forms in which models write them, as numbers of the model's own space."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

Pair = tuple[float, float]

NUMBER = r"[-+]?(?:\d+\.\d+|\d+\.?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])"
_NUMBERS = re.compile(rf"(?<![\w.])(?:{NUMBER})")
_ONLY_NUMBERS = re.compile(rf"(?:[\s,;:()\[\]{{}}'\"xXyY=]|<[^<>\d]*>|<\|[^<>\d]*\|>|{NUMBER})*")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {ord("、"): ","}
_CORNERS = (("x1", "y1", "x2", "y2"), ("left", "top", "right", "bottom"), ("xmin", "ymin", "xmax", "ymax"))
_EXTENT = ("left", "top", "width", "height")
_INNER = ("point", "point_2d", "bbox_2d", "bbox", "box", "coordinate", "coordinates", "position", "center")


def point_of(value: object) -> Pair | None:
    """Read a value as a point: two numbers, or four that are a box, whose centre counts; None when it is neither.

    Lists, nested lists, objects with x and y, and texts of these, with tags around or without, are all read.
    """
    match value:
        case str():
            return _of_text(value)
        case Mapping():
            return _of_object(value)
        case list() | tuple():
            return _of_numbers(_flat(value))
    return None


def number_of(text: str) -> float | None:
    """Read a text that is one number; None when it is none. Whole numbers stay whole."""
    plain = text.translate(_FULL_WIDTH).strip()
    if not re.fullmatch(NUMBER, plain):
        return None
    return int(plain.rstrip(".")) if re.fullmatch(r"[-+]?\d{1,18}\.?", plain) else float(plain)


def _of_text(text: str) -> Pair | None:
    plain = text.translate(_FULL_WIDTH)
    if not _ONLY_NUMBERS.fullmatch(plain):
        return None
    return _of_numbers([number for found in _NUMBERS.findall(plain) if (number := number_of(found)) is not None])


def _of_object(value: Mapping[object, object]) -> Pair | None:
    fields = {str(key).lower(): inner for key, inner in value.items()}
    if "x" in fields and "y" in fields:
        return _of_numbers(_flat([fields["x"], fields["y"]]))
    for corners in _CORNERS:
        if fields.keys() >= set(corners):
            return _of_numbers(_flat([fields[key] for key in corners]))
    if fields.keys() >= set(_EXTENT) and (numbers := _flat([fields[key] for key in _EXTENT])):
        left, top, width, height = numbers
        return _of_numbers([left, top, left + width, top + height])
    return next((point for key in _INNER if key in fields and (point := point_of(fields[key]))), None)


def _flat(values: Sequence[object]) -> list[float] | None:
    """Give the numbers of a list, or of a list of lists; None when something else is in it."""
    flat: list[float] = []
    for value in values:
        inner = value if isinstance(value, list | tuple) else (value,)
        for number in inner:
            read = number_of(number) if isinstance(number, str) else number
            if isinstance(read, bool) or not isinstance(read, int | float):
                return None
            flat.append(finite(read))
    return flat


def finite(number: float) -> float:
    """Give a number that arithmetic can be done with: one beyond all screens is infinite."""
    return number if abs(number) < 10**15 else math.inf if number > 0 else -math.inf


def _of_numbers(numbers: Sequence[float] | None) -> Pair | None:
    match numbers:
        case [x, y]:
            return x, y
        case [left, top, right, bottom]:
            return _middle(left, right), _middle(top, bottom)
    return None


def _middle(one: float, other: float) -> float:
    middle = (one + other) / 2
    return int(middle) if middle.is_integer() and isinstance(one, int) and isinstance(other, int) else middle
