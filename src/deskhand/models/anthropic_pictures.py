"""Pictures as Anthropic's tools for the screen want them: within the service's limits, so that it never scales them."""

from __future__ import annotations

import io
from collections import OrderedDict

from PIL import Image as Canvas

from deskhand.core.family import ANTHROPIC
from deskhand.core.geometry import Box, Size
from deskhand.core.message import Closer
from deskhand.core.observation import Image
from deskhand.models.wire import Read

_KEPT = 32
"""So many pictures are kept as they were sent: most of a request is in the next one, too."""


def shown_size(image: Image) -> Size:
    """Give the size in which a picture is sent, in whose pixels the model points."""
    return ANTHROPIC.grid(image.size)


class Fitting:
    """Makes pictures smaller, or parts of them larger. Not for two threads at once."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, Box | None], bytes] = OrderedDict()

    def fitted(self, image: Image, read: Read) -> tuple[str, bytes]:
        """Give the type and the bytes of a whole picture; one that fits is sent as it is."""
        if shown_size(image) == image.size:
            return image.media_type, read(image)
        return "image/png", self._kept(image, None, shown_size(image), read)

    def enlarged(self, closer: Closer, read: Read) -> tuple[str, bytes]:
        """Give a part of a picture, from its own pixels, as large as may be sent."""
        region = closer.region.clipped(Box.at(0, 0, *closer.image.size))
        size = ANTHROPIC.fitted(Size(region.width, region.height), ANTHROPIC.longest)
        return "image/png", self._kept(closer.image, region, size, read)

    def _kept(self, image: Image, region: Box | None, size: Size, read: Read) -> bytes:
        key = (image.sha256, region)
        if key not in self._made:
            self._made[key] = _scaled(read(image), region, size)
            if len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]


def _scaled(data: bytes, region: Box | None, size: Size) -> bytes:
    with Canvas.open(io.BytesIO(data)) as picture:
        scaled = picture.convert("RGB").resize(size, Canvas.Resampling.LANCZOS, box=region)
    file = io.BytesIO()
    scaled.save(file, "PNG")
    return file.getvalue()
