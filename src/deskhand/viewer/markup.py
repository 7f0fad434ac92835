"""HTML in small pieces: everything that comes from a screen, a model or a user passes through `text`."""

from __future__ import annotations

import html
import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def text(raw: object) -> str:
    """Escape; control characters, which HTML cannot hold, become visible ones."""
    return html.escape(CONTROL.sub(_visible, str(raw)), quote=True)


def tag(name: str, *content: str, **attributes: str) -> str:
    """Wrap markup in an element; in names of attributes `_` stands for `-`, at their end for nothing (`class_`)."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(content)}</{name}>"


def folded(title: str, *content: str) -> str:
    """Hide markup behind a line that opens it."""
    return tag("details", tag("summary", text(title)), *content)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"
