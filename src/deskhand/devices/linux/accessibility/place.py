"""Where accessibles are on the screen: toolkits count in their own pixels, from their own corners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.protocol import SCREEN, WINDOW

_WIDEST_SHADOW = 64
_ARROW = 10
_SHADOW = 80
"""By how much a pop-up's window can be larger than what is drawn in it, both ways together."""

Extents = tuple[int, int, int, int]
"""Left, top, width and height in the toolkit's pixels."""


class Place(NamedTuple):
    """How the extents of one top-level window become screen pixels."""

    corner: int
    """What to ask extents against: `SCREEN` or `WINDOW`."""
    scale: float
    left: int
    top: int
    window: str
    """The id of the X window."""
    client: Box
    """The X window."""
    clip: Box
    """What can be seen of it."""

    def box(self, extents: Extents) -> Box:
        """Convert; the result is not clipped."""
        left, top, width, height = extents
        return Box(
            self.left + round(left * self.scale),
            self.top + round(top * self.scale),
            self.left + round((left + width) * self.scale),
            self.top + round((top + height) * self.scale),
        )

    def moved(self, right: int, down: int) -> Place:
        return self._replace(left=self.left + right, top=self.top + down)

    def come_to(self, client: Box, screen: Box) -> Place:
        """Follow the X window to where it is now."""
        if client == self.client:
            return self
        along = (
            self if self.corner == SCREEN else self.moved(client.left - self.client.left, client.top - self.client.top)
        )
        return along._replace(client=client, clip=client.clipped(screen))

    def toolkit_point(self, x: int, y: int) -> tuple[int, int]:
        """Convert a pixel of the screen the other way round."""
        return int((x - self.left) / self.scale), int((y - self.top) / self.scale)


def find_place(frame: Extents | None, filling: Extents | None, window: str, client: Box, screen: Box) -> Place:
    """Work out the place of a top-level from its extents and those, on the screen, of what fills it.

    Extents against the screen are believed when, scaled, they are where the X window is.
    """
    scale = _scale(frame, client)
    clip = client.clipped(screen)
    on_screen = Place(SCREEN, scale, 0, 0, window, client, clip)
    if filling and _fits(on_screen.box(filling), client):
        return on_screen
    # GTK 4 counts from inside of the shadow that it draws around windows whose title bar is its own.
    shadow = (client.width - round(frame[2] * scale)) // 2 if frame else 0
    shadow = shadow if 0 < shadow <= _WIDEST_SHADOW else 0
    return Place(WINDOW, scale, client.left + shadow, client.top + shadow, window, client, clip)


def _scale(frame: Extents | None, client: Box) -> float:
    """Tell how many screen pixels one of the toolkit's is; a frame may be a little wider than the X window."""
    if not frame or frame[2] <= 0 or client.width <= 0:
        return 1.0
    ratio = client.width / frame[2]
    whole = round(ratio)
    if whole and abs(ratio - whole) < 0.08 * whole:
        return float(whole)
    return ratio if ratio > 1.1 else 1.0


def _fits(box: Box, client: Box) -> bool:
    slack = 8
    return (
        client.left - slack <= box.left
        and client.top - slack <= box.top
        and box.right <= client.right + slack
        and box.bottom <= client.bottom + slack
    )


def popover_place(place: Place, extents: Extents, owner: Box, pop_ups: Sequence[Box]) -> Place | None:
    """Work out the place of a GTK 4 popover that belongs to the control at `owner`.

    GTK 4 counts as though the popover's window lay at its owner's corner. Where it does lie is that one's of
    `pop_ups` that has its extent; None when there is no such window.
    """
    box = place.box(extents)
    likest = min(pop_ups, key=lambda each: _unlikeness(each, box), default=None)
    if not likest or _unlikeness(likest, box) > _SHADOW:
        return None
    return place.moved(likest.left - owner.left, likest.top - owner.top)


def guessed_place(place: Place, content: Extents, owner: Box) -> Place:
    """Take a GTK 4 popover's content to hang centred below what it belongs to, as it does where there is room."""
    box = place.box(content)
    return place.moved(owner.center.x - box.width // 2 - box.left, owner.bottom + _ARROW - box.top)


def _unlikeness(one: Box, other: Box) -> int:
    return abs(one.width - other.width) + abs(one.height - other.height)
