"""Places on a screen: device pixels, origin at the top left, y down. There is no other unit."""

from __future__ import annotations

import math
from typing import NamedTuple


class Size(NamedTuple):
    """An extent in pixels."""

    width: int
    height: int


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
        width, height = self.shown
        if not (math.isfinite(x) and math.isfinite(y) and 0 <= x <= width and 0 <= y <= height):
            raise ValueError(f"({x:g}, {y:g}) lies outside 0..{width} x 0..{height}")
        return Point(
            min(self.device.width - 1, int(x * self.device.width / width)),
            min(self.device.height - 1, int(y * self.device.height / height)),
        )

    def to_shown(self, point: Point) -> tuple[float, float]:
        """Map a device pixel's centre into the model's grid, for retelling past actions."""
        return (
            (point.x + 0.5) * self.shown.width / self.device.width,
            (point.y + 0.5) * self.shown.height / self.device.height,
        )
