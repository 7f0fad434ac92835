"""What a request holds: its texts and pictures, and what is wrong with it."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from PIL import Image, UnidentifiedImageError

from deskhand.core.geometry import Size


class Wrong(Exception):
    """The request breaks the wire's rules; a real service would answer 400 or worse."""


@dataclass(frozen=True)
class Picture:
    """A picture in a request, decoded."""

    data: bytes
    size: Size
    media_type: str


@dataclass
class Content:
    texts: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    cache_points: int = 0
    given: dict[str, Any] = field(default_factory=dict)
    """What the service gave before and wants back unchanged, by what it is called."""
    headers: Mapping[str, str] = field(default_factory=dict)


def parts_of(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    match message.get("content"):
        case str() as text:
            yield {"type": "text", "text": text}
        case list() as parts if parts:
            yield from parts
        case _:
            raise Wrong("a message without content")


def text_of(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    if not isinstance(text, str) or not text.strip():
        raise Wrong("text content blocks must be non-empty")
    return text


def picture_of_url(url: str) -> Picture:
    head, comma, data = url.partition(",")
    media_type, semicolon, encoding = head.removeprefix("data:").partition(";")
    if not (head.startswith("data:") and comma and semicolon and encoding == "base64"):
        raise Wrong(f"a picture is no data URL in base64: {url[:60]}")
    return picture_of(media_type, data)


def picture_of(media_type: str, text: str) -> Picture:
    try:
        data = base64.b64decode(text, validate=True)
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            real, size = image.get_format_mimetype(), Size(*image.size)
    except (binascii.Error, UnidentifiedImageError, OSError) as error:
        raise Wrong(f"a picture cannot be read: {error}") from error
    if real != media_type:
        raise Wrong(f"a picture is said to be {media_type} and is {real}")
    return Picture(data, size, media_type)
