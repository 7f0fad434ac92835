"""Dialects by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.family import Family
from deskhand.core.ports import Dialect
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.prompt import Prompts


class _Wanted(NamedTuple):
    points: Family
    thinking: bool
    prompts: Prompts


_MAKERS: Mapping[str, Callable[[_Wanted], Dialect]] = {
    "json": lambda wanted: JsonReply(wanted.points.space, prompts=wanted.prompts),
    "native": lambda wanted: NativeReply(wanted.points, thinking=wanted.thinking, prompts=wanted.prompts),
    "plan": lambda wanted: PlanReply(wanted.points.space, prompts=wanted.prompts),
    "marks": lambda wanted: MarksReply(wanted.points.space, prompts=wanted.prompts),
}


def make_dialect(name: str, points: Family, *, thinking: bool = True, prompts: Prompts | None = None) -> Dialect:
    """Make the dialect of a name, for a model that points as a family does.

    Raises:
        SettingsError: there is no such dialect.
    """
    if name not in _MAKERS:
        raise SettingsError(f"there is no dialect {name!r}; there are {', '.join(_MAKERS)}")
    return _MAKERS[name](_Wanted(points, thinking, prompts or Prompts()))
