"""Reading text off the picture of a page, where its elements say nothing: canvases, pictures, foreign content."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import anyio.to_thread
from PIL import Image as Canvas

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Point, Size
from deskhand.core.observation import Element
from deskhand.perception.merge import CONTAINERS, merge, said
from deskhand.perception.ocr import Reader, engine_of
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels, blanked
from deskhand.perception.recognising import Recognised

_CORNER = Point(0, 0)


class Eyes:
    """Reads what `options` say: always, or only pages that tell of nothing."""

    def __init__(self, options: OcrOptions, numbers: Iterator[int]) -> None:
        """Ids are made of `numbers`.

        Raises:
            SettingsError: the engine's extra is not installed.
        """
        self._options = options
        engine = engine_of(options)
        self._reader = Reader(engine, options.seconds) if engine else None
        self._recognised = Recognised(numbers)

    async def complete(self, tab: str, told: Sequence[Element], picture: bytes) -> tuple[tuple[Element, ...], str]:
        """Add what can be read off the picture; also say what could not be had, "" for nothing."""
        bare = all(element.role in CONTAINERS for element in told)
        if self._reader is None or not (bare or self._options.when == "always"):
            return tuple(told), ""
        pixels = await anyio.to_thread.run_sync(_pixels, picture)
        try:
            lines = await self._reader.read(tab, blanked(pixels, said(told)))
        except DeviceError as error:
            return tuple(told), str(error)
        found = [Element(id="", role="label", name=line.text, box=line.box, window=tab, source="ocr") for line in lines]
        return merge(told, self._recognised.name(tab, _CORNER, found)), ""


def _pixels(picture: bytes) -> Pixels:
    with Canvas.open(io.BytesIO(picture)) as canvas:
        return Pixels(Size(*canvas.size), canvas.convert("RGBA").tobytes("raw", "BGRA"))
