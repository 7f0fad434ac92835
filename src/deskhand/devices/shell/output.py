"""What a command printed: all of it in a file, and as much of it as can be read at once."""

from __future__ import annotations

import re
from pathlib import Path

HEAD, TAIL = 1_200, 2_400
"""Characters of long output that are shown from its beginning and its end."""
_BYTES = 4
"""Bytes that a character takes at most."""
_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]", re.DOTALL
)
"""What commands a terminal: colours, titles, movements."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MOSTLY_BINARY = 0.1
"""The part of signs that are no text, from which on output is not shown."""


def shown_of(path: Path) -> str:
    """Give what was printed into a file as text: all, or its beginning and end with a line between them.

    What is no text is said to be so; lines stay whole where that is possible.
    """
    size, head, tail = _ends(path)
    text, end = plain(head), plain(tail)
    if _is_binary(text) or _is_binary(end):
        return f"({size} bytes that are no text; all of it is in {path})"
    if not tail and len(text) <= HEAD + TAIL:
        return text
    first, last = (text, end) if tail else (text, text)
    first, last = _to_a_break(first[:HEAD]), _from_a_break(last[-TAIL:])
    return f"{first.rstrip()}\n... ({size} bytes in all; all of it is in {path}) ...\n{last.lstrip()}"


def plain(data: bytes) -> str:
    """Decode what a program printed, without what commands a terminal; what a line was overwritten with counts."""
    text = _SEQUENCES.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    lines = (_overwritten(line) if "\r" in line or "\b" in line else line for line in text.split("\n"))
    return _CONTROLS.sub("\ufffd", "\n".join(lines))


def _overwritten(line: str) -> str:
    line = next((part for part in reversed(line.split("\r")) if part), "")
    signs: list[str] = []
    for sign in line:
        if sign != "\b":
            signs.append(sign)
        elif signs:
            signs.pop()
    return "".join(signs)


def _ends(path: Path) -> tuple[int, bytes, bytes]:
    """Read the beginning and, if there is more than that, the end."""
    with path.open("rb") as file:
        head = file.read((HEAD + TAIL) * _BYTES)
        size = file.seek(0, 2)
        if size <= len(head):
            return size, head, b""
        file.seek(-min(TAIL * _BYTES, size - len(head)), 2)
        return size, head, file.read()


def _is_binary(text: str) -> bool:
    return text.count("\ufffd") > max(8, len(text) * _MOSTLY_BINARY)


def _to_a_break(text: str) -> str:
    """Cut at the last line's end, or between words: half a word may be half a secret, which nobody would mask."""
    cut = text.rfind("\n", len(text) // 2)
    cut = cut if cut >= 0 else text.rfind(" ", len(text) // 2)
    return text[:cut] if cut >= 0 else text


def _from_a_break(text: str) -> str:
    cut = text.find("\n", 0, len(text) // 2)
    cut = cut if cut >= 0 else text.find(" ", 0, len(text) // 2)
    return text[cut + 1 :] if cut >= 0 else text
