"""The forms of families of models: replies that mean what they say, and actions that are told and read again."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.families import SCREENS, broken_on_the_way, cases, misread, own_forms
from benchmarks.row import Row


def misread_replies() -> Iterator[float]:
    yield sum(bool(misread(case)) for case in cases())


def actions_broken_on_the_way() -> Iterator[float]:
    yield sum(1 for form, family in own_forms() for screen in SCREENS for _ in broken_on_the_way(form, family, screen))


ROWS = (
    Row("families-golden", 0, "failures", misread_replies, "families", trials=1),
    Row("families-roundtrip", 0, "failures", actions_broken_on_the_way, "families", trials=1),
)
