"""Personal data out of texts: each is replaced by a word for it, the same one wherever it stands."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from deskhand.core.secret import Secrets
from deskhand.journal.own_words import own_words
from deskhand.journal.personal import Kind

BLOB_NAME = re.compile(r"\b[0-9a-f]{64}\b")
_FIRST = 0x100000
"""Of the characters that stand for what was found while the rest is searched: no text has them."""


class Scrubbing:
    """Replaces what is secret and what is of one of some kinds."""

    def __init__(self, kinds: Sequence[Kind], secrets: Secrets) -> None:
        self._kinds = kinds
        self._secrets = secrets
        self._signs: dict[tuple[str, str], int] = {}
        self._said: list[str] = []
        self._ours = own_words()
        self.originals: set[str] = set()
        """What was found, as it stood there."""

    @property
    def counts(self) -> Counter[str]:
        """How many different ones of each kind were found."""
        return Counter(kind for kind, _ in self._signs)

    def text(self, raw: str) -> str:
        """Replace in a text."""
        changed = self._secrets.mask(raw)
        for kind in self._kinds:
            changed = self._without(kind, changed)
        return "".join(self._said[ord(sign) - _FIRST] if self._stands_in(sign) else sign for sign in changed)

    def json(self, value: Any, field: str = "") -> Any:
        """Replace in every text and number of a record or request as JSON, `field` of another, and leave it one."""
        match value:
            case str() if value in self._ours.get(field, ()) or BLOB_NAME.fullmatch(value):
                return value
            case str():
                return self.text(value)
            case bool():
                return value
            case int():
                return value if value < 10**10 or self.text(str(value)) == str(value) else 0
            case list():
                return [self.json(item, field) for item in value]
            case dict():
                return {key if key in self._ours else self.text(key): self.json(value[key], key) for key in value}
            case _:
                return value

    def _without(self, kind: Kind, text: str) -> str:
        parts, done, at = [], 0, 0
        while found := kind.pattern.search(text, at):
            start, end = found.span("it" if "it" in kind.pattern.groupindex else 0)
            length = kind.length(text[start:end], text[max(0, start - 40) : start])
            if length:
                parts += [text[done:start], self._sign(kind.name, text[start : start + length])]
                done = start + length
            at = max(done, found.start() + 1)
        return "".join((*parts, text[done:]))

    def _sign(self, kind: str, found: str) -> str:
        if any(map(self._stands_in, found)):  # parts of it are known already
            return found
        self.originals.add(found)
        plain = unicodedata.normalize("NFC", unquote(found)).casefold()
        which = (kind, "".join(filter(str.isalnum, plain)))
        if which not in self._signs:
            self._signs[which] = len(self._said)
            self._said.append(f"[{kind} {self.counts[kind]}]")
        return chr(_FIRST + self._signs[which])

    def _stands_in(self, sign: str) -> bool:
        return _FIRST <= ord(sign) < _FIRST + len(self._said)
