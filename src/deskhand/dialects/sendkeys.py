"""Keys and texts in one line, as programs that drive Windows read them: `^c`, `{ENTER}`, `{VK_CONTROL down}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deskhand.core.keys import find_key
from deskhand.dialects.grammar import Call
from deskhand.dialects.unreadable import Unreadable

_HELD = {"^": "ctrl", "+": "shift", "%": "alt"}
_TOKEN = re.compile(
    r"(?P<held>(?:[\^+%]|\{VK_(?:L|R)?(?:CONTROL|SHIFT|MENU|WIN|LWIN|RWIN)\})*)"
    r"(?:\{(?P<name>[^\s{}]+|\{|\})(?:\s+(?P<how>\d+|up|down))?\}|(?P<text>[^{}\^+%]))",
    re.IGNORECASE,
)
_MOST = 100


def keys_and_texts(line: str) -> Iterator[Call]:
    """Read a line as calls: what is held, pressed and written, in order.

    Raises:
        UnreadableReply: a name in braces is that of no key.
    """
    at, text = 0, ""
    for token in _TOKEN.finditer(line):
        if token.start() != at:
            raise _unreadable(line)
        at = token.end()
        if not token["held"] and token["text"]:
            text += token["text"]
            continue
        if text:
            yield Call("write", (), {"message": text})
            text = ""
        yield from _pressed(token, line)
    if at != len(line):
        raise _unreadable(line)
    if text:
        yield Call("write", (), {"message": text})


def _pressed(token: re.Match[str], line: str) -> Iterator[Call]:
    held = [_HELD.get(sign) or _name(sign.strip("{}")) for sign in re.findall(r"[\^+%]|\{[^}]*\}", token["held"])]
    name = _name(token["name"]) if token["name"] else token["text"]
    if find_key(name) is None:
        raise _unreadable(line)
    match token["how"]:
        case None if held:
            yield Call("hotkey", (), {"keys": [*held, name]})
        case None:
            yield Call("press", (), {"keys": name})
        case "up" | "down" as way:
            yield Call("keyDown" if way == "down" else "keyUp", (), {"key": name})
        case count:
            yield Call("press", (), {"keys": name, "presses": min(int(count), _MOST)})


def _name(said: str) -> str:
    plain = re.sub(r"^VK_", "", said, flags=re.IGNORECASE)
    return {"MENU": "alt"}.get(plain.upper(), plain.lower())


def _unreadable(line: str) -> Unreadable:
    problem = f"{line[:100]!r} is no line of keys; write names in braces, as in {{ENTER}}, and ^, + or % before a key"
    return Unreadable("invalid_key", problem)
