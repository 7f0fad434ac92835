"""Pictures of screens: from raw pixels to PNG files and back, without loss."""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterable
from typing import NamedTuple

from isal import isal_zlib
from PIL import Image as PillowImage
from PIL import ImageChops

from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Image

BAND = 1 << 19
"""Bytes of raw pixels that are written at a time: they stay in the processor's cache, and fresh memory is dear."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB8 = struct.pack(">BBBBB", 8, 2, 0, 0, 0)


class Pixels(NamedTuple):
    """Raw pixels as X servers give them: rows from the top, four bytes a pixel: blue, green, red and one unused."""

    size: Size
    data: bytes


class Picture(NamedTuple):
    """A PNG file and what there is to know about it."""

    image: Image
    data: bytes


def picture_of(pixels: Pixels) -> Picture:
    """Write pixels as PNG. Takes a few milliseconds for a full screen."""
    (width, height), data = pixels
    band = max(1, BAND // (width * 4))
    cuts = (data[top * width * 4 : (top + band) * width * 4] for top in range(0, height, band))
    # Told that the bytes were red, green, blue, Pillow takes them as they lie; the order is put right while packing.
    bands = (PillowImage.frombuffer("RGBX", (width, len(cut) // (width * 4)), cut, "raw", "RGBX", 0, 1) for cut in cuts)
    return _picture(pixels.size, (_rows(band, "BGR") for band in bands))


def picture_from_png(data: bytes) -> Picture:
    """Take a PNG file as it stands.

    Raises:
        ValueError: it is none.
    """
    if data[:8] != SIGNATURE or data[12:16] != b"IHDR":
        raise ValueError("these bytes are not a PNG file")
    width, height = struct.unpack(">II", data[16:24])
    return Picture(Image(sha256=hashlib.sha256(data).hexdigest(), size=Size(width, height)), data)


def decode(data: bytes) -> PillowImage.Image:
    """Read a picture file as RGB."""
    with PillowImage.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def crop(data: bytes, box: Box) -> Picture:
    """Cut a part out of a PNG file; `box` is cut off at the picture's edges first.

    Raises:
        ValueError: nothing of it lies in the picture.
    """
    image = decode(data)
    inside = box.clipped(Box.at(0, 0, *image.size))
    if inside.empty:
        raise ValueError(f"{tuple(box)} lies outside the picture of {image.size[0]} x {image.size[1]} pixels")
    return _picture(Size(inside.width, inside.height), [_rows(image.crop(inside), "RGB")])


def difference(before: Pixels, after: Pixels, apart: Iterable[Box] = ()) -> Box | None:
    """Give the smallest box that holds every changed pixel outside of `apart`; None when all are the same."""
    if before.size != after.size:
        return Box.at(0, 0, *after.size)
    if before.data == after.data:
        return None
    changed = ImageChops.difference(_pillow(before), _pillow(after))
    for box in apart:
        left, top, right, bottom = box.clipped(Box.at(0, 0, *after.size))
        changed.paste(0, (left, top, right, bottom))
    found = changed.getbbox()
    return Box(*found) if found else None


def _pillow(pixels: Pixels) -> PillowImage.Image:
    return PillowImage.frombuffer("RGB", pixels.size, pixels.data, "raw", "BGRX", 0, 1)


def _rows(image: PillowImage.Image, order: str) -> bytes:
    # A stride of one byte more than a row needs leaves a zero after each row. Seen from one byte further on, every
    # row is preceded by a zero: just what a PNG wants for a row that is not filtered.
    return image.tobytes("raw", order, image.width * 3 + 1, 1)


def _picture(size: Size, bands: Iterable[bytes]) -> Picture:
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
    return Picture(Image(sha256=hashlib.sha256(data).hexdigest(), size=size), data)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", checksum)))
