"""Finds the one JSON object in what a model wrote around it."""

from __future__ import annotations

import json
import re
from typing import Any

from deskhand.core.text import whole_in
from deskhand.dialects.json_mending import mended, without_duplicates
from deskhand.dialects.layout import without_thinking
from deskhand.dialects.unreadable import Unreadable

_OPENING = re.compile(r'\{(?=\s*["}])')
"""Where an object may begin; other braces belong to the prose."""
_SHOWN = 300


def one_object(text: str) -> dict[str, Any]:
    """Read the only JSON object in a text; the same object given twice counts once.

    Raises:
        UnreadableReply: there is none, several that differ, or one that is broken.
    """
    rest = without_thinking(text)[1]
    found, broken = _objects(rest)
    if not found:
        found, _ = _objects(mended(rest))
    distinct = [value for index, value in enumerate(found) if value not in found[:index]]
    if len(distinct) == 1:
        fields: dict[str, Any] = whole_in(distinct[0])
        return fields
    if distinct:
        raise Unreadable("syntax_error", f"the reply holds {len(distinct)} JSON objects; answer with exactly one")
    code = "syntax_error" if broken else "no_action" if text.strip() else "empty_response"
    raise Unreadable(code, _nothing(text, broken))


def is_one_object(text: str) -> bool:
    """Tell whether a text is nothing but one JSON object, written as it should be."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _objects(text: str) -> tuple[list[dict[str, Any]], str]:
    """Give the outermost objects of a text, and why the first that is broken could not be read."""
    # Control characters in texts are let through: models put raw line breaks there.
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=without_duplicates)
    found: list[dict[str, Any]] = []
    broken = ""
    opening = _OPENING.search(text)
    while opening:
        try:
            value, end = decoder.raw_decode(text, opening.start())
        except ValueError as error:
            broken = broken or str(error)
            # Whatever stands inside a broken object must not be taken for the whole.
            break
        except RecursionError:
            broken = "it is nested too deeply"
            break
        if value:
            found.append(value)
        opening = _OPENING.search(text, end)
    return found, broken


def _nothing(text: str, broken: str) -> str:
    raw = text.strip()
    if not raw:
        return "the reply is empty; answer with exactly one JSON object"
    shown = raw if len(raw) <= _SHOWN else raw[:_SHOWN] + "…"
    if broken:
        return f"the JSON object in the reply is broken ({broken}); answer with exactly one object. It began: {shown}"
    return (
        "the reply holds no JSON object; answer with exactly one, as the schema says (is the task finished? "
        f"then with status FINISH). The reply was: {shown}"
    )
