"""HTML in small pieces: everything that comes from a screen, a model or a user passes through `text`."""

from __future__ import annotations

import html
import re
from importlib.resources import files

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

# Nothing on a page may be fetched or run, whatever a screen or a model said.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
ENDING = "</body></html>\n"


def beginning(title: str) -> str:
    """Begin a page, up to its body, which `ENDING` ends."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        + tag("title", text(title))
        + tag("style", files("deskhand.viewer").joinpath("page.css").read_text(encoding="utf-8"))
        + "</head><body>"
    )


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
