"""Conditions on a number, as they are said: "an even number", "the price is less than $53.10"."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from deskhand.models.literal.arithmetic import read_number

Test = Callable[[Fraction], bool]

_KINDS: dict[str, Test] = {
    "odd": lambda n: n.denominator == 1 and n % 2 == 1,
    "even": lambda n: n.denominator == 1 and n % 2 == 0,
    "positive": lambda n: n > 0,
    "negative": lambda n: n < 0,
}
_ORDERS: tuple[tuple[str, Callable[[Fraction, Fraction], bool]], ...] = (
    (
        r"(?:less|lower|smaller|cheaper|fewer) than or equal to|at most|no (?:more|higher|greater) than|"
        r"not (?:above|over)|≤|<=",
        lambda n, m: n <= m,
    ),
    (
        r"(?:greater|higher|larger|bigger|more) than or equal to|at least|no (?:less|lower) than|"
        r"not (?:below|under)|≥|>=",
        lambda n, m: n >= m,
    ),
    (r"(?:less|lower|smaller|cheaper|fewer) than|below|under|beneath|<", lambda n, m: n < m),
    (r"(?:greater|higher|larger|bigger|more) than|above|over|exceed(?:s|ing)?|beyond|>", lambda n, m: n > m),
    (r"equal to|equals|exactly|=", lambda n, m: n == m),
)
_NUMBER = r"[-+]?\s*[$€£¥]?\s*\d[\d,]*(?:\.\d+)?"
_KIND = re.compile(
    rf"^(?:an?|the|any|some)?\s*(?:random\s+)?(?P<kind>{'|'.join(_KINDS)})\s+(?:number|integer|digit|value|result)$",
    re.I,
)
_IS = r"(?:that\s+|which\s+)?(?:is|are|gets|goes|falls|drops|sinks|rises|climbs|becomes|lies|stays)?"
_ORDER = re.compile(
    rf"^(?P<what>.*?)\s*\b{_IS}\s*(?P<how>{'|'.join(said for said, _ in _ORDERS)})\s*"
    rf"(?P<n>{_NUMBER})(?:\s*(?:%|°[CF]?|[a-z]{{2,9}}))?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"^(?P<what>.*?)\s*\b{_IS}\s*(?:between|from)\s+(?P<n>{_NUMBER})\s+(?:and|to)\s+(?P<m>{_NUMBER})$", re.IGNORECASE
)


class Condition(NamedTuple):
    """What is to hold of which number."""

    what: str
    """What the number is called: "price"; "" where it is only a number."""
    holds: Test


def read_condition(words: str) -> Condition | None:
    """Read a condition on a number; None when words are none."""
    text = words.strip().rstrip(".")
    kind = _KIND.match(text)
    if kind:
        return Condition("", _KINDS[kind["kind"].lower()])
    between = _BETWEEN.match(text)
    if between:
        low, high = amount(between["n"]), amount(between["m"])
        return Condition(_what(between["what"]), lambda n: low <= n <= high)
    order = _ORDER.match(text)
    if order is None:
        return None
    limit, compare = amount(order["n"]), next(c for said, c in _ORDERS if re.fullmatch(said, order["how"], re.I))
    return Condition(_what(order["what"]), lambda n: compare(n, limit))


def amount(text: str) -> Fraction:
    """Read a number that may have a currency's sign."""
    number = read_number(re.sub(r"[$€£¥\s]", "", text))
    return number if number is not None else Fraction(0)


def _what(words: str) -> str:
    bare = re.sub(r"^(?:(?:an?|the|its|any|some)\s+)+", "", words.strip(), flags=re.IGNORECASE)
    return "" if re.fullmatch(r"(?i)(?:random\s+)?(?:number|value|integer|digit|it|result)?", bare) else bare
