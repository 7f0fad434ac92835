"""A request as a model service received it, and what was wrong with it."""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn
from urllib.parse import SplitResult, parse_qsl

from PIL import Image, UnidentifiedImageError

from deskhand.core.geometry import Size

Wire = Literal["chat", "messages", "responses"]
"""OpenAI's chat completions, Anthropic's messages, or OpenAI's responses."""

_BASE64 = re.compile(r"[A-Za-z0-9+/]{200,}")
_CACHE_POINTS = 4
"""Anthropic takes no more in a request."""


class Wrong(Exception):
    """The request breaks the wire's rules; a real service would answer 400 or worse."""


@dataclass(frozen=True)
class Picture:
    """A picture in a request, decoded."""

    data: bytes
    size: Size
    media_type: str


@dataclass(frozen=True)
class Received:
    """One request. `time` is when its last byte arrived, on the monotonic clock."""

    wire: Wire
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """With names in lower case."""
    body: Mapping[str, Any]
    time: float
    connection: int
    """Counts the connections of the server; equal numbers came over one."""
    texts: tuple[str, ...] = ()
    """Every text in it, the system's first."""
    pictures: tuple[Picture, ...] = ()
    size: int = 0
    """Bytes of the body."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


@dataclass
class _Content:
    texts: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    cache_points: int = 0


def read_body(raw: bytes) -> dict[str, Any]:
    """Read a body as strictly as the strictest service.

    Raises:
        Wrong: it is not UTF-8, not JSON as RFC 8259 has it, no object, or names a key twice.
    """
    try:
        body = json.loads(raw.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_unique)
    except ValueError as error:
        raise Wrong(f"the body is no JSON in UTF-8: {error}") from error
    if not isinstance(body, dict):
        raise Wrong("the body is no object")
    return body


def read_request(
    wire: Wire, url: SplitResult, headers: Mapping[str, str], raw: bytes, place: tuple[float, int]
) -> Received:
    """Read a whole request; `place` is its time and connection.

    Raises:
        Wrong: it breaks the wire's rules, a picture is none, or a text holds base64.
    """
    body = read_body(raw)
    content = _Content()
    if not isinstance(body.get("model"), str) or not body.get("input" if wire == "responses" else "messages"):
        raise Wrong("there is no model or no message")
    if body.get("stream"):
        raise Wrong("this double does not stream")
    {"chat": _read_chat, "messages": _read_messages, "responses": _read_responses}[wire](body, content)
    for text in content.texts:
        if found := _BASE64.search(text):
            raise Wrong(f"a text holds base64: {found.group()[:40]}...")
    time, connection = place
    return Received(
        wire=wire,
        path=url.path,
        query=dict(parse_qsl(url.query)),
        headers=headers,
        body=body,
        time=time,
        connection=connection,
        texts=tuple(content.texts),
        pictures=tuple(content.pictures),
        size=len(raw),
    )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _read_chat(body: Mapping[str, Any], content: _Content) -> None:
    for message in body["messages"]:
        if message.get("role") not in ("system", "developer", "user", "assistant"):
            raise Wrong(f"there is no role {message.get('role')!r}")
        for part in _parts(message):
            _read_chat_part(part, message["role"], content)


def _read_chat_part(part: Mapping[str, Any], role: str, content: _Content) -> None:
    match part.get("type"):
        case "text":
            content.texts.append(_text(part))
        case "image_url":
            if role != "user":
                raise Wrong(f"a picture in a message of the {role}")
            content.pictures.append(_picture_of_url(part["image_url"]["url"]))
        case kind:
            raise Wrong(f"there is no part of type {kind!r}")


def _read_responses(body: Mapping[str, Any], content: _Content) -> None:
    if "instructions" in body:
        content.texts.append(_text({"text": body["instructions"]}))
    preview = any(tool.get("type") == "computer_use_preview" for tool in body.get("tools", ()))
    if preview and body.get("truncation") != "auto":
        raise Wrong("truncation must be 'auto' with this tool")
    for message in body["input"]:
        if message.get("role") not in ("system", "developer", "user", "assistant"):
            raise Wrong(f"there is no role {message.get('role')!r}")
        for part in _parts(message):
            _read_input(part, message["role"], content)


def _read_input(part: Mapping[str, Any], role: str, content: _Content) -> None:
    match part.get("type"):
        case "input_text" | "output_text" | "text":
            content.texts.append(_text(part))
        case "input_image" if role == "user":
            content.pictures.append(_picture_of_url(part["image_url"]))
        case kind:
            raise Wrong(f"there is no part of type {kind!r} of the {role}")


def _read_messages(body: Mapping[str, Any], content: _Content) -> None:
    if not isinstance(body.get("max_tokens"), int):
        raise Wrong("max_tokens: field required")
    if system := body.get("system"):
        for part in _parts({"content": system}):
            _read_block(part, "system", content)
    speakers = [message.get("role") for message in body["messages"]]
    if speakers[0] != "user" or not set(speakers) <= {"user", "assistant"}:
        raise Wrong(f"messages are of user and assistant, the first of the user; these are of {speakers}")
    for message in body["messages"]:
        for part in _parts(message):
            _read_block(part, message["role"], content)
    if content.cache_points > _CACHE_POINTS:
        raise Wrong(f"a maximum of {_CACHE_POINTS} blocks with cache_control may be provided")


def _read_block(block: Mapping[str, Any], role: str, content: _Content) -> None:
    content.cache_points += "cache_control" in block
    match block.get("type"):
        case "text":
            content.texts.append(_text(block))
        case "image":
            source = block["source"]
            if role != "user" or source.get("type") != "base64":
                raise Wrong(f"a picture in a message of the {role}, of {source.get('type')}")
            content.pictures.append(_picture(source["media_type"], source["data"]))
        case kind:
            raise Wrong(f"there is no block of type {kind!r}")


def _parts(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    match message.get("content"):
        case str() as text:
            yield {"type": "text", "text": text}
        case list() as parts if parts:
            yield from parts
        case _:
            raise Wrong("a message without content")


def _text(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    if not isinstance(text, str) or not text.strip():
        raise Wrong("text content blocks must be non-empty")
    return text


def _picture_of_url(url: str) -> Picture:
    head, comma, data = url.partition(",")
    media_type, semicolon, encoding = head.removeprefix("data:").partition(";")
    if not (head.startswith("data:") and comma and semicolon and encoding == "base64"):
        raise Wrong(f"a picture is no data URL in base64: {url[:60]}")
    return _picture(media_type, data)


def _picture(media_type: str, text: str) -> Picture:
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
