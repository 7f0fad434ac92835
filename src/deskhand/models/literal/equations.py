"""Equations in one unknown, solved exactly where they are linear."""

from __future__ import annotations

import re
from fractions import Fraction

from deskhand.models.literal.arithmetic import read_number, read_sum

_UNKNOWN = re.compile(r"(?<![A-Za-z])[a-zA-Z](?![A-Za-z])")


def unknown_of(equation: str) -> str:
    """Give the only letter that stands for a number in an equation; "" when there is none, or several."""
    found = set(_UNKNOWN.findall(equation))
    return found.pop() if len(found) == 1 else ""


def solve(equation: str, unknown: str) -> Fraction | None:
    """Solve a linear equation such as "3x - 4 = 11"; None when it is none, or has not exactly one solution."""
    left, sign, right = equation.partition("=")
    if not sign or not left.strip() or not right.strip():
        return None
    at = [_difference(left, right, unknown, x) for x in (0, 1, 2)]
    zero, one, two = at
    if zero is None or one is None or two is None or two - one != one - zero or one == zero:
        return None
    return zero / (zero - one)


def _difference(left: str, right: str, unknown: str, x: int) -> Fraction | None:
    sides = [_value(re.sub(rf"(?<=[\d)])\s*{unknown}", f"*{unknown}", side), unknown, x) for side in (left, right)]
    return None if sides[0] is None or sides[1] is None else sides[0] - sides[1]


def _value(side: str, unknown: str, x: int) -> Fraction | None:
    written = re.sub(rf"(?<![A-Za-z]){unknown}(?![A-Za-z])", f"({x})", side).strip()
    number = read_number(written)
    if number is not None:
        return number
    total = read_sum(written)
    return total.value if total is not None and isinstance(total.value, Fraction) else None


def written(value: Fraction) -> str:
    """Write a number as one would type it: exactly, where its decimals end; else as a fraction."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    return f"{float(value):.12g}" if rest == 1 else f"{value.numerator}/{value.denominator}"
