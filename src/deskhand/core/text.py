"""Text that can be written down, and shown: whole characters, and none that command the terminal."""

from __future__ import annotations

import os
import re
from typing import Any

_COMMANDS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys instead of showing it, and what turns the reading direction of the text after it."""


def whole(text: str) -> str:
    """Join surrogate pairs, and put a replacement character where half a character stands alone."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def whole_in(value: Any) -> Any:
    """Do the same in every text of a JSON value."""
    match value:
        case str():
            return whole(value)
        case list():
            return [whole_in(item) for item in value]
        case dict():
            return {whole(key): whole_in(item) for key, item in value.items()}
        case _:
            return value


def shown(text: str) -> str:
    """Spell out control characters: text from windows, models and files must not command the terminal."""
    return _COMMANDS.sub(lambda found: ascii(found.group())[1:-1], text)


def is_blank(text: str) -> bool:
    """Tell whether there is nothing to be seen: only spaces, control characters and the like."""
    return not any(letter.isprintable() and not letter.isspace() for letter in text)


def counted(number: int, thing: str) -> str:
    """Say how many there are: "1 step", "2 steps"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def as_utf8(argument: str) -> str:
    """Read a command's argument as UTF-8, whatever encoding the terminal claims to have."""
    return os.fsencode(argument).decode("utf-8", "replace")
