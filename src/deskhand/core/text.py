"""Text that can be written down: whole characters only."""

from __future__ import annotations

import os
from typing import Any


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


def as_utf8(argument: str) -> str:
    """Read a command's argument as UTF-8, whatever encoding the terminal claims to have."""
    return os.fsencode(argument).decode("utf-8", "replace")
