"""Which words of a record or request are our own, whatever secret or name happens to be spelled the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from deskhand.core.event import Record
from deskhand.core.message import ModelRequest


@cache
def own_words() -> Mapping[str, set[str]]:
    """Give the names of all fields of records and requests, and of each the words that it can have as its value."""
    words: dict[str, set[str]] = {}
    for schema in (Record.model_json_schema(mode="serialization"), ModelRequest.model_json_schema()):
        parts = schema["$defs"]
        for part in (schema, *parts.values()):
            for field, form in part.get("properties", {}).items():
                words.setdefault(field, set()).update(_choices(form, parts))
    return words


def _choices(form: dict[str, Any], parts: dict[str, Any]) -> Iterator[str]:
    yield from (word for word in (*form.get("enum", ()), form.get("const")) if isinstance(word, str))
    if (named := form.get("$ref", "").rpartition("/")[2]) and "properties" not in parts[named]:
        yield from _choices(parts[named], parts)
    for other in (*form.get("anyOf", ()), *form.get("oneOf", ())):
        yield from _choices(other, parts)
    if "items" in form:
        yield from _choices(form["items"], parts)
