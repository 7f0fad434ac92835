"""Problems that are set on the screen: a sum to be worked out, an equation to be solved."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from deskhand.models.literal.arithmetic import read_sum
from deskhand.models.literal.equations import solve, unknown_of, written
from deskhand.models.literal.lines import lines, read_line
from deskhand.models.literal.moves import Ask, Done, Move, Turn
from deskhand.models.literal.sight import look_again
from deskhand.perception.scene import LABELS

_TEXTS = LABELS | {"status", "cell"}


def solve_shown(turn: Turn) -> Move:
    """Find the only problem on the screen and solve it; the answer is what the clause yields."""
    found = dict(_solved(turn))
    if len(found) == 1:
        (problem, answer), *_ = found.items()
        return Done(f"{problem} gives {written(answer)}", written(answer))
    why = f"there are several: {'; '.join(found)}" if found else "no problem that could be solved is to be seen here"
    return look_again(turn, "the problem") or Ask(f"“{turn.clause.text}”: {why}. Which one is meant?")


def _solved(turn: Turn) -> Iterator[tuple[str, Fraction]]:
    texts = [e for e in turn.scene.elements if e.role in _TEXTS and e.name.strip()]
    for text in dict.fromkeys([e.name.strip() for e in texts] + [read_line(line) for line in lines(texts)]):
        answer = _answer(text.rstrip(" ?_"), turn.clause.target)
        if answer is not None:
            yield text, answer


def _answer(text: str, unknown: str) -> Fraction | None:
    # "2 x 4 =" is a sum; only where it is none, a letter stands for a number.
    total = read_sum(text.rstrip(" =?")) if not unknown else None
    if total is not None:
        return total.value if isinstance(total.value, Fraction) else None
    letter = unknown_of(text)
    return solve(text, letter) if letter and unknown.casefold() in ("", letter.casefold()) else None
