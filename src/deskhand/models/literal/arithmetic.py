"""Sums in figures or words, read and worked out exactly, so that what a calculator shows can be checked."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

_WORDS = (
    (r"to the power of|raised to", "^"),
    (r"multiplied (?:by|with)|times", "*"),
    (r"divided by|over", "/"),
    (r"plus|added to", "+"),
    (r"minus|less", "-"),
    (r"squared", "^2"),
    (r"cubed", "^3"),
    (r"(?:the )?square root of|sqrt(?: of)?", "√"),
    (r"per ?cent of", "% of "),
    (r"per ?cent", "%"),
)
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "∕": "/", "²": "^2", "³": "^3"})
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|(\*\*|[-+*/^()√%]|of\b))", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?!\d)")
_SAID = (
    (r"add (?P<a>.+?) (?:and|to|plus) (?P<b>.+)", "({a}) + ({b})"),
    (r"(?:sum|sum up) (?P<a>.+?) and (?P<b>.+)", "({a}) + ({b})"),
    (r"multiply (?P<a>.+?) (?:by|with|and|times) (?P<b>.+)", "({a}) * ({b})"),
    (r"divide (?P<a>.+?) by (?P<b>.+)", "({a}) / ({b})"),
    (r"subtract (?P<a>.+?) from (?P<b>.+)", "({b}) - ({a})"),
    (r"(?:the )?sum of (?P<a>.+?) and (?P<b>.+)", "({a}) + ({b})"),
    (r"(?:the )?product of (?P<a>.+?) and (?P<b>.+)", "({a}) * ({b})"),
    (r"(?:the )?difference (?:of|between) (?P<a>.+?) and (?P<b>.+)", "({a}) - ({b})"),
    (r"(?:the )?quotient of (?P<a>.+?) and (?P<b>.+)", "({a}) / ({b})"),
)
_LARGEST_POWER = 1000
_MOST_TOKENS = 200


class Sum(NamedTuple):
    """A sum as a calculator is told it, and what comes out."""

    tokens: tuple[str, ...]
    """Numbers, `+ - * / ^ ( ) √ %`, in the order of writing."""
    value: Fraction | float

    @property
    def written(self) -> str:
        return "".join(self.tokens)


def read_sum(text: str) -> Sum | None:
    """Read a sum; None when it is none, is a mere number, or cannot be worked out."""
    try:
        tokens = _tokens(_in_figures(text.strip().rstrip("?.!= ")))
        if tokens is None or len(tokens) < 2 or len(tokens) > _MOST_TOKENS:
            return None
        reader = _Reader(tokens)
        value = reader.total()
    except (_Unreadable, ZeroDivisionError, OverflowError, ValueError):
        return None
    return Sum(tuple(_plain(tokens)), value) if reader.at_end else None


def read_number(text: str) -> Fraction | None:
    """Read what a display shows as a number, with or without signs for thousands."""
    shown = re.sub(r"[\s\u00a0\u202f'’_]", "", text.translate(_SIGNS)).removeprefix("=")
    if re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", shown):
        shown = shown.replace(",", "")
    elif re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})+,\d+", shown):
        shown = shown.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[-+]?\d+,\d+", shown):
        shown = shown.replace(",", ".")
    if not re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?", shown):
        return None
    return Fraction(shown)


def agrees(shown: str, value: Fraction | float) -> bool:
    """Tell whether a display shows a value, as far as its digits go."""
    number = read_number(shown)
    if number is None:
        return False
    expected = Fraction(value)
    digits = len(re.sub(r"\D", "", shown.lower().partition("e")[0]).lstrip("0"))
    if number == expected:
        return True
    if expected == 0 or digits < 6:
        return False
    return abs(number - expected) <= abs(expected) * Fraction(1, 10 ** min(digits - 1, 8))


class _Unreadable(Exception):
    """It is no sum; never leaves this module."""


def _in_figures(text: str) -> str:
    text = text.translate(_SIGNS)
    for pattern, form in _SAID:
        found = re.fullmatch(pattern, text, re.IGNORECASE)
        if found:
            text = form.format(**found.groupdict())
            break
    for pattern, sign in _WORDS:
        text = re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", f" {sign} ", text, flags=re.IGNORECASE)
    text = _THOUSANDS.sub(lambda m: m.group().replace(",", ""), text)
    return re.sub(r"(?<=[\d)])\s*[xX]\s*(?=[\d(])", "*", text)


def _tokens(text: str) -> list[str] | None:
    tokens: list[str] = []
    place = 0
    text = text.strip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            return None
        tokens.append((found.group(1) or found.group(2)).replace("**", "^").lower())
        place = found.end()
    return tokens


def _plain(tokens: list[str]) -> list[str]:
    """Write "12 % of 80" as a calculator takes it: 12 / 100 * 80."""
    out: list[str] = []
    for token in tokens:
        if token == "%":
            out += ["/", "100"]
        else:
            out.append("*" if token == "of" else token)
    # A number alone in brackets needs none: "(3)+(4)" is 3+4.
    text = "\n".join(out)
    text = re.sub(r"(?<![^\n])\(\n([\d.]+)\n\)(?![^\n])", r"\1", text)
    return text.split("\n")


class _Reader:
    """Works a sum out by the rules of precedence."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def at_end(self) -> bool:
        return self._place == len(self._tokens)

    def total(self) -> Fraction | float:
        return self._series(self._product, {"+": operator.add, "-": operator.sub})

    def _product(self) -> Fraction | float:
        return self._series(self._power, {"*": operator.mul, "/": operator.truediv, "of": operator.mul})

    def _series(
        self,
        part: Callable[[], Fraction | float],
        signs: dict[str, Callable[[Fraction | float, Fraction | float], Fraction | float]],
    ) -> Fraction | float:
        value = part()
        while self._next in signs:
            sign = self._take()
            value = signs[sign](value, part())
        return value

    def _power(self) -> Fraction | float:
        if self._next in ("-", "+"):
            sign = self._take()
            value = self._power()
            return -value if sign == "-" else value
        base = self._single()
        if self._next != "^":
            return base
        self._take()
        exponent = self._power()
        if not -_LARGEST_POWER <= exponent <= _LARGEST_POWER:
            raise _Unreadable
        return _raised(base, exponent)

    def _single(self) -> Fraction | float:
        token = self._take()
        if token == "(":
            value: Fraction | float = self.total()
            if self._take() != ")":
                raise _Unreadable
        elif token == "√":
            value = _root(self._single())
        elif token[0].isdigit() or token[0] == ".":
            value = Fraction(token)
        else:
            raise _Unreadable
        if self._next == "%":
            self._take()
            value = value / 100
        return value

    @property
    def _next(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        if self.at_end:
            raise _Unreadable
        self._place += 1
        return self._tokens[self._place - 1]


def _raised(base: Fraction | float, exponent: Fraction | float) -> Fraction | float:
    if isinstance(base, Fraction) and Fraction(exponent).denominator == 1:
        raised: Fraction = Fraction(base) ** int(exponent)
        return raised
    if base < 0:
        raise _Unreadable
    return math.pow(base, exponent)


def _root(value: Fraction | float) -> Fraction | float:
    if value < 0:
        raise _Unreadable
    exact = Fraction(value)
    root = Fraction(math.isqrt(exact.numerator), math.isqrt(exact.denominator))
    return root if root * root == exact else math.sqrt(value)
