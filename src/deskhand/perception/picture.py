"""Pictures of screens: from raw pixels to picture files and back."""

from __future__ import annotations

import ctypes
import hashlib
import io
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from isal import isal_zlib
from PIL import Image as PillowImage
from PIL import ImageChops

from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Image
from deskhand.perception.options import PictureOptions

_STEPS = (64, 8, 1)
"""Rows that are compared at a time."""
_CELL = 16
"""Pixels; places that are nearer to each other than this are one."""
_MOST_CELLS = 400
BAND = 1 << 19
"""Bytes of raw pixels that are written at a time: they stay in the processor's cache, and fresh memory is dear."""
LOSSLESS = PictureOptions()
_LIBC = ctypes.CDLL(None)
_LIBC.memcmp.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB8 = struct.pack(">BBBBB", 8, 2, 0, 0, 0)


class Pixels(NamedTuple):
    """Raw pixels as X servers give them: rows from the top, four bytes a pixel: blue, green, red and one unused."""

    size: Size
    data: bytes | memoryview

    def __eq__(self, other: object) -> bool:
        """Tell whether each pixel is the same. Memory that is lent is not copied for that."""
        if not isinstance(other, Pixels) or self.size != other.size:
            return False
        size = len(self.data)
        return self.data is other.data or not size or _LIBC.memcmp(_start(self.data), _start(other.data), size) == 0

    def __ne__(self, other: object) -> bool:
        return not self == other


def _start(data: bytes | memoryview) -> Any:
    """Give the address of some bytes, as C takes it."""
    if isinstance(data, bytes) or data.readonly:
        return bytes(data)
    return ctypes.addressof(ctypes.c_ubyte.from_buffer(data))


class Picture(NamedTuple):
    """A picture file and what there is to know about it."""

    image: Image
    data: bytes


def picture_of(pixels: Pixels, form: PictureOptions = LOSSLESS, size: Size | None = None) -> Picture:
    """Write pixels as a picture file, shrunk to `size` if that is given. Takes some milliseconds for a full screen."""
    if form.format == "jpeg":
        return _named(_jpeg_writer()(pixels, form.quality, size or pixels.size), size or pixels.size, "image/jpeg")
    if form.format == "webp":
        image = _scaled(pixels, size or pixels.size)
        file = io.BytesIO()
        image.save(file, "WEBP", quality=form.quality, method=0)
        return _named(file.getvalue(), size or pixels.size, "image/webp")
    if size is not None and size != pixels.size:
        return _png(size, [_rows(_scaled(pixels, size), "RGB")])
    band = max(1, BAND // (pixels.size.width * 4))
    cuts = (_band(pixels, top, top + band) for top in range(0, pixels.size.height, band))
    # Told that the bytes were red, green, blue, Pillow takes them as they lie; the order is put right while packing.
    return _png(pixels.size, (_rows(_as_it_lies(cut), "BGR") for cut in cuts))


def part_of(pixels: Pixels, box: Box) -> Pixels:
    """Cut a part out; `box` is cut off at the edges first, and may come to nothing."""
    inside = box.clipped(Box.at(0, 0, *pixels.size))
    if inside.empty:
        return Pixels(Size(0, 0), b"")
    whole = _as_it_lies(pixels)
    return Pixels(Size(inside.width, inside.height), whole.crop(inside).tobytes())


def blanked(pixels: Pixels, boxes: Sequence[Box]) -> Pixels:
    """Paint over parts with the colour of their corner, so that nothing can be read there; they may lie outside."""
    if not boxes:
        return pixels
    whole = Box.at(0, 0, *pixels.size)
    image = _as_it_lies(pixels).copy()
    for box in boxes:
        part = box.clipped(whole)
        if not part.empty:
            corner = image.crop((part.left, part.top, part.left + 1, part.top + 1))
            image.paste(corner.resize((part.width, part.height)), (part.left, part.top))
    return Pixels(pixels.size, image.tobytes())


def greys_of(pixels: Pixels) -> PillowImage.Image:
    """Give the brightness of each pixel, as a picture with one channel."""
    return pillow_of(pixels).convert("L")


def pixels_of(image: PillowImage.Image) -> Pixels:
    """Take the pixels of a picture that was read."""
    return Pixels(Size(*image.size), image.tobytes("raw", "BGRX"))


def picture_from_png(data: bytes) -> Picture:
    """Take a PNG file as it stands.

    Raises:
        ValueError: it is none.
    """
    if data[:8] != SIGNATURE or data[12:16] != b"IHDR":
        raise ValueError("these bytes are not a PNG file")
    width, height = struct.unpack(">II", data[16:24])
    return Picture(Image(sha256=hashlib.sha256(data).hexdigest(), size=Size(width, height)), data)


def form_of(data: bytes) -> PictureOptions:
    """Tell the form of a picture file, as far as it is one of ours."""
    if data[:2] == b"\xff\xd8":
        return PictureOptions(format="jpeg")
    return PictureOptions(format="webp" if data[:4] == b"RIFF" else "png")


def decode(data: bytes) -> PillowImage.Image:
    """Read a picture file as RGB."""
    with PillowImage.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def is_plain(data: bytes) -> bool:
    """Tell whether a picture file shows nothing: it is of one colour all over."""
    return decode(data).getcolors(1) is not None


def crop(data: bytes, box: Box) -> Picture:
    """Cut a part out of a PNG file; `box` is cut off at the picture's edges first.

    Raises:
        ValueError: nothing of it lies in the picture.
    """
    image = decode(data)
    inside = box.clipped(Box.at(0, 0, *image.size))
    if inside.empty:
        raise ValueError(f"{tuple(box)} lies outside the picture of {image.size[0]} x {image.size[1]} pixels")
    return _png(Size(inside.width, inside.height), [_rows(image.crop(inside), "RGB")])


def enlarged(data: bytes, part: Box, times: int) -> Picture:
    """Make a part of a picture file, which lies in it as a whole, so many times as large."""
    size = Size(part.width * times, part.height * times)
    return _png(size, [_rows(decode(data).resize(size, PillowImage.Resampling.BICUBIC, box=part), "RGB")])


def difference(before: Pixels, after: Pixels, apart: Iterable[Box] = ()) -> Box | None:
    """Give the smallest box that holds every changed pixel outside of `apart`; None when all are the same."""
    if before.size != after.size:
        return Box.at(0, 0, *after.size)
    if before == after:
        return None
    first, end = _differing_rows(before, after)
    changed = ImageChops.difference(*(pillow_of(_band(each, first, end)) for each in (before, after)))
    for box in apart:
        left, top, right, bottom = box.clipped(Box(0, first, after.size.width, end))
        changed.paste(0, (left, top - first, right, bottom - first))
    left, top, right, bottom = changed.getbbox() or (0, 0, 0, 0)
    return Box(left, top + first, right, bottom + first) if right else None


def changed_places(before: Pixels, after: Pixels) -> list[Box]:
    """Give the places that have changed, whose boxes may be some pixels larger; none where most of it has."""
    box = difference(before, after)
    if box is None or before.size != after.size:
        return []
    changed = ImageChops.difference(*(pillow_of(part_of(each, box)) for each in (before, after)))
    cells = changed.convert("L").point([0] + [255] * 255).reduce(_CELL)
    left = {(at % cells.width, at // cells.width) for at, shade in enumerate(cells.tobytes()) if shade}
    if len(left) > _MOST_CELLS:
        return []
    found = []
    while left:
        place, edge = set(), {left.pop()}
        while edge:
            place |= edge
            edge = {(x + across, y + down) for x, y in edge for across in (-1, 0, 1) for down in (-1, 0, 1)} & left
            left -= edge
        (first, last), (top, bottom) = ((min(side), max(side) + 1) for side in zip(*place, strict=True))
        found.append(Box(*(side * _CELL for side in (first, top, last, bottom))))
    return [Box(*(side + box[at % 2] for at, side in enumerate(each))).clipped(box) for each in found]


def _differing_rows(before: Pixels, after: Pixels) -> tuple[int, int]:
    """Give the first row that differs and the one behind the last: comparing bytes costs a tenth of pixels."""
    top, bottom = 0, after.size.height
    for step in _STEPS:
        while _band(before, top, top + step) == _band(after, top, top + step):
            top += step
        while _band(before, bottom - step, bottom) == _band(after, bottom - step, bottom):
            bottom -= step
    return top, bottom


def _band(pixels: Pixels, top: int, bottom: int) -> Pixels:
    width, height = pixels.size
    first, end = max(0, top), min(height, bottom)
    return Pixels(Size(width, end - first), pixels.data[first * width * 4 : end * width * 4])


def pillow_of(pixels: Pixels) -> PillowImage.Image:
    """Give pixels as a picture in RGB."""
    return PillowImage.frombuffer("RGB", pixels.size, pixels.data, "raw", "BGRX", 0, 1)  # type: ignore[arg-type]  # any buffer


def _as_it_lies(pixels: Pixels) -> PillowImage.Image:
    """Give pixels with their channels in the wrong order, which costs nothing."""
    return PillowImage.frombuffer("RGBX", pixels.size, pixels.data, "raw", "RGBX", 0, 1)  # type: ignore[arg-type]  # any buffer


def _rows(image: PillowImage.Image, order: str) -> bytes:
    # A stride of one byte more than a row needs leaves a zero after each row. Seen from one byte further on, every
    # row is preceded by a zero: just what a PNG wants for a row that is not filtered.
    return image.tobytes("raw", order, image.width * 3 + 1, 1)


def _png(size: Size, bands: Iterable[bytes]) -> Picture:
    """Write a PNG file from bands of rows, the topmost first."""
    packer = isal_zlib.compressobj(1)
    rows = memoryview(b"\0")
    packed = []
    for band in bands:
        packed.append(packer.compress(rows))
        rows = memoryview(band)
    packed += [packer.compress(rows[:-1]), packer.flush()]
    header = struct.pack(">II", *size) + RGB8
    data = b"".join((SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", b"".join(packed)), _chunk(b"IEND", b"")))
    return _named(data, size, "image/png")


def _named(data: bytes, size: Size, media_type: str) -> Picture:
    return Picture(Image(sha256=hashlib.sha256(data).hexdigest(), size=size, media_type=media_type), data)


@cache
def _jpeg_writer() -> Callable[[Pixels, int, Size], bytes]:
    """Give OpenCV's, which is in the extra `vision` and takes half the time, or else Pillow's."""
    if find_spec("cv2") is None:
        return jpeg_by_pillow
    writer: Callable[[Pixels, int, Size], bytes] = import_module("deskhand.perception.opencv").write_jpeg
    return writer


def jpeg_by_pillow(pixels: Pixels, quality: int, size: Size) -> bytes:
    file = io.BytesIO()
    _scaled(pixels, size).save(file, "JPEG", quality=quality)
    return file.getvalue()


def _scaled(pixels: Pixels, size: Size) -> PillowImage.Image:
    if size == pixels.size:
        return pillow_of(pixels)
    # Taken as they lie, four channels are scaled in half the time that three take.
    whole = _as_it_lies(pixels)
    return pillow_of(Pixels(size, whole.resize(size, PillowImage.Resampling.BOX).tobytes()))


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", checksum)))
