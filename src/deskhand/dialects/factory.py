"""Dialects by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deskhand.core.errors import SettingsError
from deskhand.core.ports import Dialect
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.profiles import Profile, profile

_MAKERS: Mapping[str, Callable[[Profile, bool], Dialect]] = {
    "json": lambda points, _: JsonReply(points.space),
    "native": lambda points, thinking: NativeReply(points, thinking=thinking),
    "plan": lambda points, _: PlanReply(points.space),
    "marks": lambda points, _: MarksReply(points.space),
}


def make_dialect(name: str, coordinates: str, *, thinking: bool = True) -> Dialect:
    """Make the dialect of a name, for a model that points in `coordinates` (a family, or a space, by its name).

    Raises:
        SettingsError: there is no such dialect, or nobody knows the coordinates.
    """
    if name not in _MAKERS:
        raise SettingsError(f"there is no dialect {name!r}; there are {', '.join(_MAKERS)}")
    return _MAKERS[name](profile(coordinates), thinking)
