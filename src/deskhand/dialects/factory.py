"""Dialects by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.family import Family
from deskhand.core.foreign import named
from deskhand.core.ports import Dialect
from deskhand.dialects.chain import Keeping
from deskhand.dialects.computer import ComputerReply
from deskhand.dialects.forms import WAYS
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.own_form import OwnReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.prompt import Platform, Prompts
from deskhand.dialects.words import Form


class Wanted(NamedTuple):
    """What a dialect is made for."""

    points: Family
    """How the model points."""
    thinking: bool = True
    prompts: Prompts = Prompts()
    platform: Platform = "linux"
    """What the device is that the model is told of."""
    earlier: int | None = None
    """How many pictures of earlier steps it is shown; as is usual in the dialect unless said."""


def _own(form: Form) -> Callable[[Wanted], Dialect]:
    return lambda wanted: OwnReply(form, _shown(wanted), platform=wanted.platform, prompts=wanted.prompts)


def _shown(wanted: Wanted) -> Family:
    """Give the family, with as many pictures as are wanted."""
    return wanted.points if wanted.earlier is None else wanted.points._replace(pictures=1 + wanted.earlier)


_MAKERS: Mapping[str, Callable[[Wanted], Dialect]] = {
    "json": lambda w: JsonReply(w.points.space, platform=w.platform, prompts=w.prompts, earlier=_or_one(w)),
    "native": lambda w: NativeReply(w.points, thinking=w.thinking, platform=w.platform, prompts=w.prompts),
    "plan": lambda w: PlanReply(
        w.points.space, platform=w.platform, prompts=w.prompts, keeping=Keeping(pictures=1 + (w.earlier or 0))
    ),
    **{form: _own(form) for form in WAYS},
    "computer": lambda w: ComputerReply(_shown(w), platform=w.platform, prompts=w.prompts),
    "marks": lambda w: MarksReply(w.points.space, platform=w.platform, prompts=w.prompts, earlier=_or_one(w)),
}


def _or_one(wanted: Wanted) -> int:
    return 1 if wanted.earlier is None else wanted.earlier


def make_dialect(name: str, wanted: Wanted) -> Dialect:
    """Make the dialect of a name, or what `module:Name` of somebody else makes of what is wanted.

    Raises:
        SettingsError: there is no such dialect.
    """
    if ":" in name:
        own: Dialect = named(name, "dialect")(wanted)
        return own
    if name not in _MAKERS:
        raise SettingsError(f"there is no dialect {name!r}; there are {', '.join(_MAKERS)}, or module:Name of your own")
    return _MAKERS[name](wanted)
