"""What to say of a word that is not known: the nearest that is, else all there are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LIKE = 0.45
"""How much two words are alike at least, from 0 to 1, by difflib's ratio."""


def hint(word: str, known: Iterable[str]) -> str:
    """Give "did you mean 'json'?", or "there are json, native, plan" where nothing is near."""
    words = list(known)
    near = get_close_matches(word, words, 1, _LIKE)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(words)}"
