"""What in a text tells who somebody is, or opens a door: addresses, numbers, keys, names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple

from deskhand.core.secret import spellings

_NO_WORD_BEFORE = r"(?:(?<![^\W_])|(?<=%[0-9A-Fa-f]{2}))"
_NO_WORD_AFTER = r"(?![^\W_])"
_GAP = r"[\s\-\u2010-\u2013]?"


class Kind(NamedTuple):
    """One kind of thing that is to be found in texts."""

    name: str
    pattern: re.Pattern[str]
    """What may be one; where it has a group `it`, only that is."""
    length: Callable[[str, str], int] = lambda found, _before: len(found)
    """How many characters of what was found are one, given what stands before it; 0 when it is none."""


def _shortened(is_one: Callable[[str, str], bool]) -> Callable[[str, str], int]:
    """Try what was found, then less and less of it: a number may be followed by what looks like more of it."""

    def length(found: str, before: str) -> int:
        ends = (end for end in range(len(found), 4, -1) if not (found[end - 1 :][:2].isalnum() and end < len(found)))
        return next((end for end in ends if found[end - 1].isalnum() and is_one(found[:end], before)), 0)

    return length


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(sign)) for sign in text if sign.isdigit())


def _is_card(found: str, _before: str) -> bool:
    digits = _digits(found)
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return len(digits) >= 13 and (sum(doubled) + sum(map(int, digits[-1::-2]))) % 10 == 0


def _is_iban(found: str, _before: str) -> bool:
    plain = "".join(filter(str.isalnum, found)).upper()
    return len(plain) >= 15 and int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


_PHONE_WORD = re.compile(
    r"(?:phone|tel|telephone|mobile|cell|fax|call|sms|whatsapp|telefon|handy|mobil|téléphone|teléfono|móvil|portable"
    r"|电话|手机|電話|手機)(?: ?(?:number|no|nr|nummer|numéro)\b)?[^\w\n]{0,5}$",
    re.IGNORECASE,
)
_AS_PHONES_ARE_WRITTEN = re.compile(
    r"\+\d.*|\(?\+?0\d.*|\(\d{2,5}\) ?\d.*|(?:1[-. ])?\d{3}[-. ]\d{3}[-. ]\d{4}|\d{3}[-\u2011]\d{4}"
    r"|1[3-9]\d[- ]?\d{4}[- ]?\d{4}"
)
_DATE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d\d(?!\d))|\d+\.\d+$|(?:\d+\.){3}\d+"
)


def _is_phone(found: str, before: str) -> bool:
    digits = _digits(found)
    if not 5 <= len(digits) <= 15 or found.count("(") != found.count(")"):
        return False
    if _PHONE_WORD.search(before):
        return True
    return len(digits) >= 7 and not _DATE.match(found) and _AS_PHONES_ARE_WRITTEN.fullmatch(found) is not None


BY_FORM = (
    Kind("key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)),
    Kind(
        "key",
        re.compile(
            r"\b(?:(?:sk|pk|rk)[-_][\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_\w{20,}"
            r"|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
        ),
    ),
    Kind("key", re.compile(r"\b(?:bearer|basic)\s+(?P<it>[\w.~+/=-]{12,})", re.IGNORECASE)),
    Kind(
        "key",
        re.compile(
            r"(?<!\{\{)(?:passw(?:or)?d|passwort|pwd|passphrase|secret|token|api[_ -]?key|access[_ -]?key|密码|口令)"
            r"""["']?\s*[:=：]\s*["']?(?P<it>[^\s"'&,;{}()\[\]]{3,})""",
            re.IGNORECASE,
        ),
    ),
    Kind("key", re.compile(r"://(?P<it>[^/\s:@]+:[^/\s@]+)@")),
    Kind("e-mail", re.compile(r"[\w.+'-]+(?:[@＠]|%40)(?:[\w-]+\.)+(?:[^\W\d_]{2,}|xn--[\w-]+)")),
    Kind(
        "IBAN",
        re.compile(rf"{_NO_WORD_BEFORE}[A-Za-z]{{2}}\d\d(?:{_GAP}[A-Za-z0-9]){{11,30}}{_NO_WORD_AFTER}"),
        _shortened(_is_iban),
    ),
    Kind("card", re.compile(rf"(?<!\d\.){_NO_WORD_BEFORE}[2-6](?:{_GAP}\d){{12,18}}(?!\d)"), _shortened(_is_card)),
    Kind(
        "phone",
        re.compile(
            rf"(?<!\d[.,:]){_NO_WORD_BEFORE}\+?\(?\+?\d[\d ()./\u00a0\u202f\u2010-\u2013-]{{3,40}}\d{_NO_WORD_AFTER}"
        ),
        _shortened(_is_phone),
    ),
    Kind("user", re.compile(r"(?:/home/|/Users/|\b[A-Za-z]:\\{1,2}Users\\{1,2})(?P<it>[^/\\\s\"'<>:|?*]+)")),
)
"""Those that are found by their form."""


def home_of(folder: str) -> Kind:
    """What lies in somebody's home."""
    forms = "|".join(map(re.escape, _longest_first([folder])))
    return Kind("home", re.compile(rf"(?<![\w.])(?:{forms}){_NO_WORD_AFTER}"))


def names_of(kind: str, names: Iterable[str]) -> Kind:
    """Find names of a user or computer, as words of their own, in any case."""
    words = "|".join(map(re.escape, _longest_first(names)))
    return Kind(kind, re.compile(f"{_NO_WORD_BEFORE}(?:{words}){_NO_WORD_AFTER}", re.IGNORECASE))


def words_of(words: Iterable[str]) -> Kind:
    """Find words wherever they stand, also within others, in any case and with any space between their parts."""
    parts = (r"\s+".join(map(re.escape, word.split())) for word in _longest_first(words))
    return Kind("word", re.compile("|".join(parts), re.IGNORECASE))


def _longest_first(words: Iterable[str]) -> list[str]:
    forms = {form for word in words for way in ("NFC", "NFD") for form in spellings(unicodedata.normalize(way, word))}
    return sorted(forms, key=len, reverse=True)
