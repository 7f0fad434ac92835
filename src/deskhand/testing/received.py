"""A request as a model service received it, and what was wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn
from urllib.parse import SplitResult, parse_qsl

from deskhand.testing.content import Content, Picture, Wrong, parts_of, picture_of_url, text_of
from deskhand.testing.gemini import read_gemini
from deskhand.testing.messages import read_messages
from deskhand.testing.responses import read_responses

Wire = Literal["chat", "messages", "responses", "gemini"]
"""OpenAI's chat completions, Anthropic's messages, OpenAI's responses, or Gemini's own form."""

_BASE64 = re.compile(r"[A-Za-z0-9+/]{200,}")
_MODEL = re.compile(r"/models/([^/:]+):generateContent$")
_SAID: Mapping[Wire, str] = {"responses": "input", "gemini": "contents"}
"""What the messages are called, where that is not `messages`."""


@dataclass(frozen=True)
class Received:
    """One request. `time` is when its last byte arrived, on the monotonic clock."""

    wire: Wire
    model: str
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
    wire: Wire, url: SplitResult, headers: Mapping[str, str], raw: bytes, place: tuple[float, int, dict[str, Any]]
) -> Received:
    """Read a whole request; `place` is its time, its connection, and what the service gave and wants back.

    Raises:
        Wrong: it breaks the wire's rules, a picture is none, or a text holds base64.
    """
    time, connection, given = place
    body = read_body(raw)
    found = _MODEL.search(url.path)
    model = found[1] if found else body.get("model")
    content = Content(given=given, headers=headers)
    if not isinstance(model, str) or not body.get(_SAID.get(wire, "messages")):
        raise Wrong("there is no model or no message")
    if body.get("stream"):
        raise Wrong("this double does not stream")
    _READERS[wire](body, content)
    for text in content.texts:
        if found := _BASE64.search(text):
            raise Wrong(f"a text holds base64: {found.group()[:40]}...")
    return Received(
        wire=wire,
        model=model,
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


def _read_chat(body: Mapping[str, Any], content: Content) -> None:
    for message in body["messages"]:
        if message.get("role") not in ("system", "developer", "user", "assistant"):
            raise Wrong(f"there is no role {message.get('role')!r}")
        for part in parts_of(message):
            _read_chat_part(part, message["role"], content)


def _read_chat_part(part: Mapping[str, Any], role: str, content: Content) -> None:
    match part.get("type"):
        case "text":
            content.texts.append(text_of(part))
        case "image_url":
            if role != "user":
                raise Wrong(f"a picture in a message of the {role}")
            content.pictures.append(picture_of_url(part["image_url"]["url"]))
        case kind:
            raise Wrong(f"there is no part of type {kind!r}")


_READERS: Mapping[Wire, Callable[[Mapping[str, Any], Content], None]] = {
    "chat": _read_chat,
    "messages": read_messages,
    "responses": read_responses,
    "gemini": read_gemini,
}
