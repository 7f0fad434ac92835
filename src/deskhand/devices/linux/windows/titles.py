"""What windows are called, in whichever encoding they say it."""

from __future__ import annotations

import codecs
import re

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SWITCHES = re.compile(rb"\x1b(?:%G|%@|[\x20-\x2f]+[\x30-\x7e])")
"""What compound text holds between its parts: from here on it is UTF-8, or another character set."""


def title_of(modern: bytes, old: bytes) -> str:
    """Give a title on one line, from _NET_WM_NAME or, where that is empty, from WM_NAME."""
    return _CONTROLS.sub(" ", _decoded(modern) if modern else _old(old)).strip()


def _old(text: bytes) -> str:
    """Read WM_NAME, which ought to be Latin-1 and is UTF-8 as often."""
    text = _SWITCHES.sub(b"", text)
    try:
        return _tail_cut().decode(text)
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _decoded(text: bytes) -> str:
    return _tail_cut("replace").decode(text)


def _tail_cut(errors: str = "strict") -> codecs.IncrementalDecoder:
    """Give what reads UTF-8 but for a character of which only the beginning is there, the rest being cut off."""
    return codecs.getincrementaldecoder("utf-8")(errors)
