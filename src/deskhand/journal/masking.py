"""Secret values out of JSON text, without harm to its structure."""

from __future__ import annotations

import json
from typing import Any

from deskhand.core.secret import Secrets

STRUCTURAL = frozenset(
    {"kind", "by", "of", "part", "outcome", "status", "button", "verdict", "direction", "source", "role", "mode"}
    | {"media_type", "sha256", "request_sha256"}
)
"""Keys whose values are words of our own; a password that happens to be one of them stays a word."""


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
                key: item if key in STRUCTURAL and isinstance(item, str) else _masked(item, secrets)
                for key, item in value.items()
            }
        case _:
            return value
