"""What the keys of calculators are called."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def key_names() -> Mapping[str, tuple[str, ...]]:
    """Give the names of a key by its sign, the usual first; "clear" is one of them."""
    text = (files("deskhand.models.literal.words") / "operators.toml").read_text(encoding="utf-8")
    return {sign: tuple(names) for sign, names in tomllib.loads(text).items()}
