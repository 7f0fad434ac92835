"""Secret values out of JSON text, without harm to its structure."""

from __future__ import annotations

import json
from typing import Any

from deskhand.core.secret import Secrets
from deskhand.journal.own_words import own_words

_OURS = frozenset({"by", "status", "role", "media_type", "sha256", "request_sha256"})
"""Keys whose values are words of our own that the schema does not list."""


def masked_json(text: str, secrets: Secrets) -> str | None:
    """Mask secrets in every string of a JSON text; None when there was none to mask."""
    if secrets.mask(text) == text:
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return secrets.mask(text)
    return json.dumps(_masked(value, secrets), ensure_ascii=False)


def _masked(value: Any, secrets: Secrets) -> Any:
    match value:
        case str():
            return secrets.mask(value)
        case list():
            return [_masked(item, secrets) for item in value]
        case dict():
            return {
                key: item if isinstance(item, str) and _is_ours(key, item) else _masked(item, secrets)
                for key, item in value.items()
            }
        case _:
            return value


def _is_ours(key: str, word: str) -> bool:
    return key in _OURS or word in own_words().get(key, ())
