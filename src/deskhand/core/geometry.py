"""Places on a screen: device pixels, origin at the top left, y down. There is no other unit."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from typing import NamedTuple


class Size(NamedTuple):
    """An extent in pixels."""

    width: int
    height: int

    @classmethod
    def read(cls, text: str) -> Size | None:
        """Read an extent as people write it, such as 1280x800; None when it is not, or nothing can be so large."""
        found = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", text.lower())
        return cls(int(found[1]), int(found[2])) if found else None


class Point(NamedTuple):
    """A device pixel."""

    x: int
    y: int


class Box(NamedTuple):
    """A half-open rectangle: `left <= x < right` and `top <= y < bottom`."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def at(cls, x: int, y: int, width: int, height: int) -> Box:
        return cls(x, y, x + width, y + height)

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def area(self) -> int:
        return max(0, self.width) * max(0, self.height)

    @property
    def empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    def holds(self, point: Point) -> bool:
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def clipped(self, to: Box) -> Box:
        """Cut off what lies outside `to`; the result is `empty` when nothing is left."""
        return Box(
            max(self.left, to.left),
            max(self.top, to.top),
            min(self.right, to.right),
            min(self.bottom, to.bottom),
        )


class Frame(NamedTuple):
    """The map from a model's coordinates to the device's: the one place where they are converted.

    `shown` is the extent of the model's own grid: the size of the picture it was shown, `Size(1000, 1000)` for
    models that answer in thousandths, `Size(1, 1)` for ratios.
    """

    device: Size
    shown: Size

    def to_device(self, x: float, y: float) -> Point:
        """Map a model's point onto a device pixel. The far edge is the last pixel.

        Raises:
            ValueError: the point lies outside `shown` or is not a number. It is not clamped: a wrong answer
                must show.
        """
        self.fraction(x, y)
        return Point(
            min(self.device.width - 1, int(x * self.device.width / self.shown.width)),
            min(self.device.height - 1, int(y * self.device.height / self.shown.height)),
        )

    def fraction(self, x: float, y: float) -> tuple[float, float]:
        """Give a model's point as parts of the whole extent; raises as `to_device`."""
        width, height = self.shown
        if not (0 <= x <= width and 0 <= y <= height):  # which nothing but numbers are
            raise ValueError(f"({_short(x)}, {_short(y)}) lies outside 0..{width} x 0..{height}")
        return x / width, y / height

    def to_shown(self, point: Point) -> tuple[float, float]:
        """Map a device pixel's centre into the model's grid, for retelling past actions."""
        return (
            (point.x + 0.5) * self.shown.width / self.device.width,
            (point.y + 0.5) * self.shown.height / self.device.height,
        )


def _short(number: float) -> str:
    return f"{number:g}" if abs(number) < 1e300 else "a huge number"


def smart_resize(
    width: int, height: int, factor: int = 28, min_pixels: int = 3136, max_pixels: int = 2_109_744
) -> Size:
    """Give the size to which model families bring a picture before they look at it, as their own code does.

    Sides become multiples of `factor`, halves going to the even one, and the area comes between the two limits.

    Raises:
        ValueError: a side is not positive, or one is more than 200 times the other.
    """
    if min(width, height) <= 0 or max(width, height) > 200 * min(width, height):
        raise ValueError(f"a picture of {width} x {height} is not resized: sides are positive and at most 200 to 1")
    wide = max(factor, round(width / factor) * factor)
    high = max(factor, round(height / factor) * factor)
    if wide * high > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        wide = max(factor, math.floor(width / shrink / factor) * factor)
        high = max(factor, math.floor(height / shrink / factor) * factor)
    elif wide * high < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        wide = math.ceil(width * grow / factor) * factor
        high = math.ceil(height * grow / factor) * factor
    return Size(wide, high)


class Space(NamedTuple):
    """What a family of models counts in when it points into a picture it is shown.

    By default the pixels of the picture; else a `fixed` extent, whatever the picture's size, or the pixels of the
    picture as `smart_resize` makes it with `factor` (above 0) and the two limits; with `floor` sides are cut to
    multiples of the factor, not rounded, where the picture is not too large. With `longest` it is made smaller, keeping
    its shape, until no side is longer and at most `patches` squares of `factor` pixels cover it: so it must be sent.
    """

    fixed: Size | None = None
    factor: int = 0
    min_pixels: int = 3136
    max_pixels: int = 2_109_744
    floor: bool = False
    longest: int = 0
    patches: int = 0

    def grid(self, picture: Size) -> Size:
        """Give the extent to which the points in a picture of this size belong; `Frame` takes it as `shown`."""
        if self.fixed is not None:
            return self.fixed
        if self.longest:
            return self.fitted(picture, max(picture))
        if self.floor and picture.width * picture.height <= self.max_pixels and min(picture) >= self.factor:
            return Size(*(side // self.factor * self.factor for side in picture))
        if self.factor:
            return smart_resize(*picture, self.factor, self.min_pixels, self.max_pixels)
        return picture

    def fitted(self, picture: Size, longest: int) -> Size:
        """Give the largest size of the shape of a picture that is within the limits and no longer than that."""
        if picture.height > picture.width:
            height, width = self.fitted(Size(picture.height, picture.width), longest)
            return Size(width, height)
        widths = range(1, min(longest, self.longest) + 1)
        wide = bisect_right(widths, self.patches, key=lambda width: self._covering(_of_shape(picture, width)))
        return _of_shape(picture, max(wide, 1))

    def _covering(self, size: Size) -> int:
        """Count the squares that cover a picture."""
        return math.ceil(size.width / self.factor) * math.ceil(size.height / self.factor)

    @property
    def name(self) -> str:
        """Say how it is called where it does not depend on the picture: `0-1`, `0-1000`, else ""."""
        return {RATIO.fixed: "0-1", THOUSANDTHS.fixed: "0-1000"}.get(self.fixed, "")


def _of_shape(picture: Size, width: int) -> Size:
    return picture if width == picture.width else Size(width, max(1, round(width * picture.height / picture.width)))


PICTURE_PIXELS = Space()
RATIO = Space(fixed=Size(1, 1))
THOUSANDTHS = Space(fixed=Size(1000, 1000))
