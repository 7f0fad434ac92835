"""Values as text that can be written to a file and sent to a service."""

from __future__ import annotations

import json

from pydantic_core import PydanticSerializationError

from deskhand.core.text import whole_in
from deskhand.core.value import Value


def json_of(value: Value) -> str:
    """Write a value as JSON; half a character, for which UTF-8 has no bytes, becomes a replacement character."""
    try:
        return value.model_dump_json()
    except PydanticSerializationError:
        return json.dumps(whole_in(value.model_dump(mode="json")), ensure_ascii=False)
