"""Secrets: named values that models refer to and never see."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from urllib.parse import quote, quote_plus

from deskhand.core.errors import TargetNotFound

PLACEHOLDER = re.compile(r"\{\{\s*secret\s*:([^{}]+)\}\}", re.IGNORECASE)
"""Also as models misspell it: typed as it stands, the placeholder itself would land in the field."""


def placeholder(name: str) -> str:
    return f"{{{{secret:{name}}}}}"


class Secrets:
    """Named secret values; expands placeholders at the device, masks the values everywhere else."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = {name: value for name, value in (values or {}).items() if value}
        forms = {form: placeholder(name) for name, value in self._values.items() for form in spellings(value)}
        # The longest first: a secret that contains another must not leave its rest behind.
        self._forms = dict(sorted(forms.items(), key=lambda item: -len(item[0])))
        self._pattern = re.compile("|".join(map(re.escape, self._forms))) if self._forms else None

    def __bool__(self) -> bool:
        return bool(self._values)

    def mask(self, text: str) -> str:
        """Put placeholders where secret values stand, also JSON-escaped, URL-encoded or in base64."""
        return self._pattern.sub(lambda m: self._forms[m.group()], text) if self._pattern else text

    def expand(self, text: str) -> str:
        """Put the values where placeholders stand.

        Raises:
            TargetNotFound: there is no secret of that name; nothing must be typed then.
        """

        def value(match: re.Match[str]) -> str:
            name = match.group(1).strip()
            if name not in self._values:
                known = ", ".join(self._values) or "none"
                raise TargetNotFound(f"there is no secret called {name!r}; there are: {known}")
            return self._values[name]

        return PLACEHOLDER.sub(value, text)


def spellings(value: str) -> set[str]:
    raw = value.encode()
    spellings = {
        value,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        quote(value),
        quote(value, safe=""),
        quote_plus(value),
        value.replace("'", "'\"'\"'"),  # and as a shell is given them, in both kinds of quotes
        re.sub(r'([\\"$`])', r"\\\1", value),
    }
    if len(raw) >= 6:  # the base64 of a shorter one is so short that it would be found by chance
        spellings |= {base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode().rstrip("=")}
    return spellings
