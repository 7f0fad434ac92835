"""Pictures of a run inside its page: each is there once, drawn over with what was aimed at."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import PIL.Image

from deskhand.core.errors import JournalError
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Image
from deskhand.journal.file import read_blob
from deskhand.viewer.markup import tag, text
from deskhand.viewer.story import Shot

SMALL_ENOUGH = 120_000
"""Bytes of a picture that is embedded as it is."""
WIDTH = 960
"""Pixels to which a larger one is scaled down."""
MARGIN = 24
"""Pixels that are shown around what was looked at."""


class Shots:
    """Draws pictures; one that was drawn before is only referred to."""

    def __init__(self, run_dir: Path) -> None:
        self._run_dir = run_dir
        self._drawn: set[str] = set()

    def draw(self, shot: Shot, title: str) -> str:
        """Give an SVG in the device's pixels, cut down to what was looked at."""
        view = _view(shot)
        marks = "".join(_mark(mark, view.width) for mark in shot.marks)
        svg = tag(
            "svg",
            tag("title", text(title)),
            self._picture(shot.image),
            marks,
            viewBox=f"{view.left} {view.top} {view.width} {view.height}",
            role="img",
        )
        return tag("figure", svg)

    def _picture(self, image: Image) -> str:
        name = f"picture-{image.sha256[:16]}"
        if name in self._drawn:
            return tag("use", href=f"#{name}")
        try:
            source = data_uri(read_blob(self._run_dir, image.sha256), image.media_type)
        except (JournalError, OSError, ValueError) as error:
            return tag("text", text(f"This picture cannot be shown: {error}"), x="20", y="60", class_="missing")
        self._drawn.add(name)
        width, height = image.size
        return tag("image", id=name, href=source, width=f"{width}", height=f"{height}", preserveAspectRatio="none")


def data_uri(data: bytes, media_type: str) -> str:
    """Put a picture in a URI, scaled down if it is large.

    Raises:
        OSError: it is no picture.
    """
    if len(data) > SMALL_ENOUGH:
        data, media_type = _smaller(data), "image/webp"
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _smaller(data: bytes) -> bytes:
    with PIL.Image.open(io.BytesIO(data)) as picture:
        small = picture.convert("RGB")
        small.thumbnail((WIDTH, WIDTH * 2), PIL.Image.Resampling.BOX)
        out = io.BytesIO()
        small.save(out, "WEBP", quality=60, method=0)
    return out.getvalue()


def _view(shot: Shot) -> Box:
    """Give the part of the screen that holds what was looked at and aimed at; all of it when that is most of it."""
    screen = Box.at(0, 0, *shot.image.size)
    if not shot.boxes:
        return screen
    points = (Box(*mark, *mark) if isinstance(mark, Point) else mark for mark in shot.marks)
    boxes = [*shot.boxes, *points]
    view = Box(
        min(box.left for box in boxes) - MARGIN,
        min(box.top for box in boxes) - MARGIN,
        max(box.right for box in boxes) + MARGIN,
        max(box.bottom for box in boxes) + MARGIN,
    ).clipped(screen)
    return view if 0 < view.area < screen.area * 0.6 else screen


def _mark(mark: Box | Point, width: int) -> str:
    if isinstance(mark, Point):
        return tag("circle", cx=f"{mark.x}", cy=f"{mark.y}", r=f"{width // 100}", class_="mark")
    box = {"x": mark.left, "y": mark.top, "width": mark.width, "height": mark.height}
    return tag("rect", class_="mark", **{key: str(value) for key, value in box.items()})
